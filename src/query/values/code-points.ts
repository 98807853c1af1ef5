/** Counts the characters (code points) of a part of a text. A pair of surrogates counts as one. */
export function countCodePoints(text: string, from = 0, to = text.length): number {
  let count = 0
  for (let unit = from; unit < to; count += 1) unit += countUnits(text, unit)
  return count
}

/** Returns the number of UTF-16 units of the character at a position. */
export const countUnits = (text: string, unit: number): 1 | 2 =>
  (text.codePointAt(unit) as number) > 0xffff ? 2 : 1
