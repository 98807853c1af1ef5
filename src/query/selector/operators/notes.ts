import { isJsonObject } from '../../../json/json.js'
import type { Json } from '../../../json/json.js'
import { getTypeName } from '../../values/value.js'

/** The types of scalars in words, by what `typeof` returns for them. */
const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  boolean: 'a boolean',
}

/** Names the type of a value; undefined for null, which is one of its own. */
function nameType(value: Json): string | undefined {
  if (value === null) return undefined
  return Array.isArray(value) ? 'an array' : (TYPE_NAMES[typeof value] ?? 'an object')
}

/** Says the type of values, if none of them has that of the operands, which alone can match. */
export function noteType(operands: readonly Json[], values: readonly Json[]): string {
  const [expected, ...others] = new Set(operands.map(nameType))
  if (expected === undefined || expected === 'an array' || others.length > 0) return ''
  if (values.flat().some((value) => nameType(value as Json) === expected)) return ''
  const [found, ...more] = new Set(values.map(nameType))
  if (more.length > 0) return `, none of them ${expected}`
  if (found === 'an array') return `, an array without ${expected}`
  return found === undefined ? '' : `, ${found}, not ${expected}`
}

/** Says that an object or an array is compared as a whole, if a value is one too; else the type. */
export function noteEquality(operand: Json, values: readonly Json[]): string {
  if (Array.isArray(operand) && values.some((value) => Array.isArray(value)))
    return '; an array must be equal as a whole, in the same order'
  if (isJsonObject(operand) && values.some((value) => isJsonObject(value)))
    return '; an object must be equal as a whole, with its keys in the same order'
  return noteType([operand], values)
}

/** Says the BSON type of a string, which may look like another type, or that of a number. */
export function noteBsonType(values: readonly Json[]): string {
  const [value] = values
  if (values.length > 1) return ''
  if (typeof value === 'string') return ', a string'
  return typeof value === 'number' ? `, of the type ${getTypeName(value)}` : ''
}

/** Says that no value is an array. */
export const noteNoArray = (values: readonly Json[]): string =>
  values.some((value) => Array.isArray(value)) ? '' : ', not an array'

/** Says how long an array is. */
export function noteLength(values: readonly Json[]): string {
  const [value] = values
  if (!Array.isArray(value)) return noteNoArray(values)
  if (values.length > 1) return ''
  return `, with ${value.length} ${value.length === 1 ? 'element' : 'elements'}`
}
