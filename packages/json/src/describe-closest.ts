import { ParameterInvalid } from './errors.js'
import { quote } from './quote.js'

/** The longest name that is compared, in characters: that of a path with an `_id`. */
export const MAX_COMPARED_LENGTH = 100

/** The largest number of characters that a typing error changes. */
const MAX_DISTANCE = 2

/** `; the closest one is status` for `staus`, to end a message; empty if no known name is close. */
export function describeClosest(name: string, known: Iterable<string>): string {
  if (name.length > MAX_COMPARED_LENGTH) return ''
  const distances = Array.from(
    known,
    (each) => [each, countEdits(name.toLowerCase(), each.toLowerCase())] as const,
  )
  const least = Math.min(...distances.map(([, distance]) => distance))
  if (least > Math.min(MAX_DISTANCE, Math.floor(name.length / 3))) return ''
  const closest = distances.filter(([, distance]) => distance === least).map(([each]) => each)
  return closest.length === 1
    ? `; the closest one is ${closest[0]}`
    : `; the closest ones are ${closest.toSorted().join(', ')}`
}

/**
 * @param key what is named, for the message
 * @throws ParameterInvalid that has the known names
 */
export function checkKnown(key: string, name: string, known: readonly string[]): void {
  if (known.includes(name)) return
  throw new ParameterInvalid(
    `${key} must be one of ${known.join(', ')}, not ${quote(name)}${describeClosest(String(name), known)}`,
  )
}

/** The optimal string alignment distance: insert, delete, replace, or swap neighbours. */
function countEdits(from: string, to: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1]
      const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      current.push(
        Math.min(
          last[column]! + 1,
          current[column - 1]! + 1,
          last[column - 1]! + (isSame ? 0 : 1),
          isSwapped ? beforeLast[column - 2]! + 1 : Infinity,
        ),
      )
    }
    ;[beforeLast, last] = [last, current]
  }
  return last[to.length]!
}
