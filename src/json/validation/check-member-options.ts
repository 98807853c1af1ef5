import { ParameterInvalid } from '../../errors.js'
import { describeClosest } from '../describe-closest.js'
import { isJsonObject } from '../json.js'
import type { Json } from '../json.js'
import { quote } from '../quote.js'

/**
 * Checks the names of the options of a member of a mock: a test in JavaScript has no types, and an
 * option that is ignored would let it pass.
 * @throws ParameterInvalid for a value that is no object, and for an unknown option
 */
export function checkMemberOptions(
  member: string,
  options: unknown,
  names: readonly string[],
): void {
  if (!isJsonObject(options as Json)) {
    throw new ParameterInvalid(
      `the options of ${member} must be an object with ${names.join(', ')}, not ${quote(options)}`,
    )
  }
  const unknown = Object.keys(options as object).find((name) => !names.includes(name))
  if (unknown === undefined) return
  throw new ParameterInvalid(
    `${quote(unknown)} is not an option of ${member}, which has ${names.join(', ')}${describeClosest(unknown, names)}`,
  )
}
