import type { InputPath } from '../../../json/input-path.js'
import { isJsonObject } from '../../../json/json.js'
import type { Json } from '../../../json/json.js'
import { quote } from '../../../json/quote.js'
import type { ValueUpdate } from '../field-update.js'

/**
 * Compiles `$currentDate`, which sets a field to the time of the update, as the text that
 * `updatedAt` has: `2026-11-21T08:51:35.234Z`
 * (https://www.mongodb.com/docs/manual/reference/operator/update/currentDate/).
 * @throws BodyInvalid for an operand that MongoDB rejects, and for the type `timestamp`, which JSON
 * can't express
 */
export function compileCurrentDate(operand: Json, path: InputPath): ValueUpdate {
  const { $type: type, ...others } = isJsonObject(operand) ? operand : { $type: 'date' }
  if (type === 'timestamp')
    throw path.error('must be true or {"$type":"date"}: a timestamp is not supported')
  const isDate = typeof operand === 'boolean' || (isJsonObject(operand) && type === 'date')
  if (!isDate || Object.keys(others).length > 0)
    throw path.error(`must be true or {"$type":"date"}, not ${quote(operand)}`)
  return { createsPath: true, apply: () => new Date().toISOString() }
}
