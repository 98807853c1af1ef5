import { isJsonObject } from '../../json/json.js'
import type { Json } from '../../json/json.js'
import { hasType } from '../values/bson-types.js'
import type { ClauseExplanation } from './explanation.js'

/** The types of scalars in words, by what `typeof` returns for them. */
const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  boolean: 'a boolean',
}

/** The numeric types of MongoDB that a JSON number can have. */
const NUMERIC_TYPES = ['int', 'long', 'double']

/**
 * Describes what is easily overlooked when a value does not match: its type, or that an object is
 * compared as a whole. An empty text if the values say all.
 */
export function describeMismatch({
  operator,
  operand,
  matches,
  values = [],
  elements,
}: ClauseExplanation): string {
  if (matches !== false || values.length === 0) return ''
  switch (operator) {
    case '$eq':
      return describeWhole(operand, values) || describeType([operand], values)
    case '$gt':
    case '$gte':
    case '$lt':
    case '$lte':
      return describeType([operand], values)
    case '$in':
      return describeType(operand as readonly Json[], values)
    case '$regex':
      return describeType([''], values)
    case '$type':
    case 'bsonType':
    case 'type':
      return describeBsonType(values)
    case '$size':
      return describeLength(values)
    case '$elemMatch':
      return elements === undefined || elements.length === 0 ? describeNoArray(values) : ''
    default:
      return ''
  }
}

/** Describes a comparison of an object or an array with a similar value, which is not of its parts. */
function describeWhole(operand: Json | undefined, values: readonly Json[]): string {
  if (Array.isArray(operand) && values.some((value) => Array.isArray(value)))
    return '; an array must be equal as a whole, in the same order'
  if (isJsonObject(operand) && values.some((value) => isJsonObject(value)))
    return '; an object must be equal as a whole, with its keys in the same order'
  return ''
}

/** Describes the type of the values, if none of them has that of the operands, which decides alone. */
function describeType(operands: readonly (Json | undefined)[], values: readonly Json[]): string {
  const [expected, ...others] = new Set(operands.map(nameType))
  if (expected === undefined || expected === 'an array' || others.length > 0) return ''
  if (values.flat().some((value) => nameType(value as Json) === expected)) return ''
  const [found, ...more] = new Set(values.map(nameType))
  if (more.length > 0) return `, none of them ${expected}`
  if (found === 'an array') return `, an array without ${expected}`
  return found === undefined ? '' : `, ${found}, not ${expected}`
}

/** Names the type of a value; undefined for null, which is one of its own. */
function nameType(value: Json | undefined): string | undefined {
  if (value === null) return undefined
  return Array.isArray(value) ? 'an array' : (TYPE_NAMES[typeof value] ?? 'an object')
}

/** Describes the type of a string, which may look like another, and the type that a number has. */
function describeBsonType(values: readonly Json[]): string {
  const [value] = values
  if (values.length > 1 || value === undefined) return ''
  if (typeof value === 'string') return ', a string'
  const type = NUMERIC_TYPES.find((each) => hasType(value, [each]))
  return type === undefined ? '' : `, of the type ${type}`
}

function describeLength(values: readonly Json[]): string {
  const [value] = values
  if (!Array.isArray(value)) return describeNoArray(values)
  return values.length > 1
    ? ''
    : `, with ${value.length} ${value.length === 1 ? 'element' : 'elements'}`
}

const describeNoArray = (values: readonly Json[]): string =>
  values.some((value) => Array.isArray(value)) ? '' : ', not an array'
