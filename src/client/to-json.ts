/**
 * Converts a value to JSON. What JSON does not have is an error, because `JSON.stringify` would leave
 * it out, and a query with fewer conditions matches more items. A Date is its text in ISO 8601.
 * @throws TypeError for undefined, NaN, a RegExp and the like
 */
export const toJson = (value: unknown): string =>
  JSON.stringify(value, (key, part: unknown) => {
    if (isJson(part)) return part
    throw new TypeError(`${key || 'the value'} is ${String(part)}, which JSON does not have`)
  })

function isJson(part: unknown): boolean {
  if (part === null || typeof part === 'string' || typeof part === 'boolean') return true
  if (typeof part === 'number') return Number.isFinite(part)
  if (typeof part !== 'object') return false
  const prototype: unknown = Object.getPrototypeOf(part)
  // A plain object of another window has another Object.prototype.
  return Array.isArray(part) || prototype === null || Object.getPrototypeOf(prototype) === null
}
