/** The longest line that has a whole array or object, without its indent. */
const MAX_LINE = 72

/** Formats a value as JSON with two spaces an indent. A short array of plain values is one line. */
export function formatJson(value: unknown, indent = ''): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const isList = Array.isArray(value)
  const entries = isList
    ? value.map((each: unknown) => ['', each] as const)
    : Object.entries(value).filter(([, each]) => each !== undefined)
  if (entries.length === 0) return isList ? '[]' : '{}'
  const [open, close] = isList ? '[]' : '{}'
  const inner = `${indent}  `
  const lines = entries.map(
    ([key, each]) => (isList ? '' : `${JSON.stringify(key)}: `) + formatJson(each, inner),
  )
  const line = isList ? `[${lines.join(', ')}]` : `{ ${lines.join(', ')} }`
  const isFlat = isList || indent !== ''
  if (isFlat && entries.every(([, each]) => isPlain(each)) && line.length <= MAX_LINE) return line
  return `${open}\n${lines.map((each) => inner + each).join(',\n')}\n${indent}${close}`
}

/** Whether a value is a scalar, or a list of numbers, such as a position. */
const isPlain = (value: unknown): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (Array.isArray(value) && value.every((each) => typeof each === 'number'))
