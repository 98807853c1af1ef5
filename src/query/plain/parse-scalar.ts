/** Returns the number or boolean that a text is in JSON, or else the text. */
export function parseScalar(text: string): string | number | boolean {
  if (text === 'true' || text === 'false') return text === 'true'
  const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text) ? Number(text) : NaN
  return Number.isFinite(number) ? number : text
}
