import fc from 'fast-check'

import type { JsonObject } from '@materials-mock/json'
import { anyValue } from './arbitraries.js'
import { isValid } from './reference-schema.js'

const KEYWORDS = [
  'bsonType multipleOf minLength maxLength minItems maxItems uniqueItems items additionalItems',
  'pattern patternProperties required properties additionalProperties minProperties maxProperties dependencies',
  'allOf anyOf oneOf not enum items properties',
]
  .join(' ')
  .split(' ')

/** Any `$jsonSchema` with the keywords that the reference implements. */
export const anySchema: fc.Arbitrary<JsonObject> = fc.letrec<{ schema: JsonObject }>((tie) => {
  const anySmallInteger = fc.nat(3)
  const anyNames = fc.uniqueArray(fc.constantFrom('a', 'b', '0', '1'), { minLength: 1 })
  const anySchemas = fc.array(tie('schema'), { minLength: 1, maxLength: 3 })
  const anyEntries = fc.uniqueArray(anyValue, {
    minLength: 1,
    maxLength: 3,
    comparator: (one, other) => isValid(one, { enum: [other] }),
  })
  const anyNumber = fc.constantFrom(0, 0.5, 1, 1.25, 2)
  const keywords = fc.record(
    {
      bsonType: fc.uniqueArray(
        fc.constantFrom('int', 'double', 'string', 'object', 'array', 'bool', 'null', 'number'),
        { minLength: 1 },
      ),
      multipleOf: fc.constantFrom(0.25, 0.5, 1, 2),
      minLength: anySmallInteger,
      maxLength: anySmallInteger,
      minItems: anySmallInteger,
      maxItems: anySmallInteger,
      uniqueItems: fc.boolean(),
      items: fc.oneof(tie('schema'), anySchemas),
      additionalItems: fc.oneof(tie('schema'), fc.boolean()),
      required: anyNames,
      properties: fc.dictionary(fc.constantFrom('a', 'b', '0', '1'), tie('schema'), {
        maxKeys: 3,
        noNullPrototype: true,
      }),
      pattern: fc.constantFrom('x', '^y', '[xy]$', '^$', '^(x|y)+$'),
      patternProperties: fc.dictionary(fc.constantFrom('a', '^[ab]$', '\\d', '^0'), tie('schema'), {
        maxKeys: 2,
        noNullPrototype: true,
      }),
      additionalProperties: fc.oneof(tie('schema'), fc.boolean()),
      minProperties: anySmallInteger,
      maxProperties: anySmallInteger,
      dependencies: fc.dictionary(fc.constantFrom('a', 'b'), fc.oneof(tie('schema'), anyNames), {
        maxKeys: 2,
        noNullPrototype: true,
      }),
      allOf: anySchemas,
      anyOf: anySchemas,
      oneOf: anySchemas,
      not: tie('schema'),
      enum: anyEntries,
    },
    { requiredKeys: [], noNullPrototype: true },
  )
  const limits = fc.record(
    { minimum: anyNumber, exclusiveMinimum: fc.boolean(), maximum: anyNumber },
    { requiredKeys: ['minimum'], noNullPrototype: true },
  )
  return {
    schema: fc
      .tuple(
        fc.array(fc.constantFrom(...KEYWORDS), { minLength: 1, maxLength: 2 }),
        fc.oneof({ maxDepth: 3, depthSize: 'small' }, fc.constant({}), keywords),
        fc.option(limits),
      )
      .map(([names, all, range]): JsonObject => {
        const chosen = Object.entries(all).filter(([name]) => names.includes(name))
        return { ...Object.fromEntries(chosen), ...range } as JsonObject
      }),
  }
}).schema
