/** A table in Markdown; the first column is left-aligned, the others are right-aligned. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [heads, ...rows]
  const widths = heads.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)))
  const line = (cells: readonly string[]): string =>
    `| ${widths.map((width, column) => pad(cells[column] ?? '', width, column)).join(' | ')} |`
  const rule = widths.map((width, column) =>
    column === 0 ? '-'.repeat(width) : `${'-'.repeat(Math.max(1, width - 1))}:`,
  )
  return [line(heads), line(rule), ...rows.map(line)].join('\n')
}

/** A number for people: three figures, and a comma after each thousand. */
export function figure(value: number | undefined): string {
  if (value === undefined || Number.isNaN(value)) return '–'
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2
  return value.toLocaleString('en-US', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
}

const pad = (text: string, width: number, column: number): string =>
  column === 0 ? text.padEnd(width) : text.padStart(width)
