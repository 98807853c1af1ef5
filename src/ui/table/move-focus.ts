/** Moves the focus from the link of a row to that of the row above or below. */
export function moveFocus(event: KeyboardEvent): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  const row = (event.target as Element).closest('tr')
  const next = event.key === 'ArrowDown' ? row?.nextElementSibling : row?.previousElementSibling
  const link = next?.querySelector<HTMLElement>('a')
  if (link === null || link === undefined) return
  event.preventDefault()
  link.focus()
}
