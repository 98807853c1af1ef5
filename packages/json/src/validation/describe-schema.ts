import type { TSchema } from '@sinclair/typebox'
import { ValueErrorType } from '@sinclair/typebox/errors'
import type { ValueError } from '@sinclair/typebox/errors'

import { describeClosest } from '../describe-closest.js'
import { quote } from '../quote.js'

/** `an integer from 1 to 500`. The schema's `expected` replaces it; else `of the right type`. */
export function describeSchema(schema: TSchema): string {
  if (typeof schema.expected === 'string') return schema.expected
  if (Array.isArray(schema.anyOf)) return schema.anyOf.map(describeSchema).join(' or ')
  if ('const' in schema) return JSON.stringify(schema.const)
  if (Array.isArray(schema.enum)) return `one of ${schema.enum.join(', ')}`
  switch (schema.type) {
    case 'integer':
      return `an integer${describeRange(schema)}`
    case 'number':
      return `a number${describeRange(schema)}`
    case 'string':
      return describeString(schema)
    case 'boolean':
      return 'true or false'
    case 'array':
      return `an array${describeLength(schema)}`
    case 'object':
      return schema.required ? `an object with ${schema.required.join(' and ')}` : 'an object'
    case 'null':
      return 'null'
    default:
      return 'of the right type'
  }
}

function describeString({ minLength = 0, maxLength, pattern }: TSchema): string {
  if (pattern !== undefined) return `a string that matches ${pattern}`
  if (maxLength === undefined) return minLength > 0 ? 'a string that is not empty' : 'a string'
  return `a string of ${minLength > 0 ? `${minLength} to` : 'at most'} ${maxLength} characters`
}

function describeRange({ minimum, exclusiveMinimum, maximum }: TSchema): string {
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`
  if (minimum !== undefined) return `, ${minimum} or more`
  if (exclusiveMinimum !== undefined) return ` above ${exclusiveMinimum}`
  return maximum === undefined ? '' : `, ${maximum} or less`
}

function describeLength({ minItems, maxItems }: TSchema): string {
  if (minItems !== undefined && minItems === maxItems) return ` of ${minItems}`
  if (maxItems !== undefined) return ` of ${minItems ? `${minItems} to` : 'at most'} ${maxItems}`
  return minItems === undefined ? '' : ` of at least ${minItems}`
}

/**
 * `limit must be an integer from 1 to 500, not 501`, `password is missing`.
 * @param root the name of the whole value
 */
export function describeSchemaError(error: ValueError, root: string): string {
  const { type, path, schema, value } = findInnerError(error)
  const names = path.slice(1).split('/').map(unescapePointer)
  const key = names.at(-1) ?? ''
  const parent = names.slice(0, -1).join('.')
  const within = parent === '' ? '' : ` in ${parent}`
  if (type === ValueErrorType.ObjectAdditionalProperties) {
    const known = Object.keys(schema.properties)
    return `${quote(key)} is not known${within || ' here'}, which has ${known.join(', ') || 'none'}${describeClosest(key, known)}`
  }
  if (type === ValueErrorType.ObjectRequiredProperty) return `${key} is missing${within}`
  const isTooLong = type === ValueErrorType.ArrayMaxItems
  const given = isTooLong ? `one of ${(value as unknown[]).length}` : quote(value)
  return `${names.join('.') || root} must be ${describeSchema(schema)}, not ${given}`
}

/**
 * Returns the error of a field inside the variant of a union whose type the value has, such as an object that may be
 * null. Otherwise, it returns the error of the union, which names the required fields.
 */
function findInnerError(error: ValueError): ValueError {
  if (error.type !== ValueErrorType.Union) return error
  const inner = error.errors.map((variant) => variant.First()!)
  const deeper = inner.find(
    ({ type, path }) =>
      type !== ValueErrorType.ObjectRequiredProperty && path.length > error.path.length,
  )
  return deeper === undefined ? error : findInnerError(deeper)
}

/** Unescapes a name in a JSON Pointer (RFC 6901, section 4). */
const unescapePointer = (name: string): string => name.replaceAll('~1', '/').replaceAll('~0', '~')
