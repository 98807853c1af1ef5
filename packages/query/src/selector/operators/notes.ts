import { isJsonObject } from '@materials-mock/json'
import type { Json } from '@materials-mock/json'
import { getTypeName } from '../../values/value.js'

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  boolean: 'a boolean',
}

function nameType(value: Json): string | undefined {
  if (value === null) return undefined
  return Array.isArray(value) ? 'an array' : (TYPE_NAMES[typeof value] ?? 'an object')
}

/** Describes the type of values if no value has the type of the operands. Only values of that type can match. */
export function noteType(operands: readonly Json[], values: readonly Json[]): string {
  const [expected, ...others] = new Set(operands.map(nameType))
  if (expected === undefined || expected === 'an array' || others.length > 0) return ''
  if (values.flat().some((value) => nameType(value as Json) === expected)) return ''
  const [found, ...more] = new Set(values.map(nameType))
  if (more.length > 0) return `, none of them ${expected}`
  if (found === 'an array') return `, an array without ${expected}`
  return found === undefined ? '' : `, ${found}, not ${expected}`
}

/** A whole object or array is compared if a value is of its kind; else describes the type. */
export function noteEquality(operand: Json, values: readonly Json[]): string {
  if (Array.isArray(operand) && values.some((value) => Array.isArray(value)))
    return '; an array must be equal as a whole, in the same order'
  if (isJsonObject(operand) && values.some((value) => isJsonObject(value)))
    return '; an object must be equal as a whole, with its keys in the same order'
  return noteType([operand], values)
}

/** Describes the BSON type of a number, or of a string, which may look like another type. */
export function noteBsonType(values: readonly Json[]): string {
  const [value] = values
  if (values.length > 1) return ''
  if (typeof value === 'string') return ', a string'
  return typeof value === 'number' ? `, of the type ${getTypeName(value)}` : ''
}

/** Says that no value is an array. */
export const noteNoArray = (values: readonly Json[]): string =>
  values.some((value) => Array.isArray(value)) ? '' : ', not an array'

/** Describes the length of an array. */
export function noteLength(values: readonly Json[]): string {
  const [value] = values
  if (!Array.isArray(value)) return noteNoArray(values)
  if (values.length > 1) return ''
  return `, with ${value.length} ${value.length === 1 ? 'element' : 'elements'}`
}
