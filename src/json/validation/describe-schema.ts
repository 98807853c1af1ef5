import type { TSchema } from '@sinclair/typebox'

/**
 * Describes the values that a schema allows, for a message: `an integer from 1 to 500`. The
 * schema's `expected` replaces the description. A kind of schema that this project does not declare
 * is `of the right type`.
 */
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
      return schema.minLength > 0 ? 'a string that is not empty' : 'a string'
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

function describeRange({ minimum, exclusiveMinimum, maximum }: TSchema): string {
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`
  if (minimum !== undefined) return `, ${minimum} or more`
  if (exclusiveMinimum !== undefined) return ` above ${exclusiveMinimum}`
  return maximum === undefined ? '' : `, ${maximum} or less`
}

function describeLength({ minItems, maxItems }: TSchema): string {
  if (minItems !== undefined && minItems === maxItems) return ` of ${minItems}`
  return minItems === undefined ? '' : ` of at least ${minItems}`
}
