import fc from 'fast-check'
import t from 'tap'

import type { Json, JsonObject } from '@materials-mock/json'
import { CatalogueError } from '../../../src/errors.js'
import { compileFields } from '../src/projection/compile-fields.js'
import { compileSelector } from '../src/selector/compile-selector.js'
import { compileUpdate } from '../src/update/compile-update.js'
import { anyItem } from './arbitraries.js'
import { anySchema } from './arbitrary-schema.js'
import { isValid } from './reference-schema.js'

const matches = (item: JsonObject, schema: Json): boolean =>
  compileSelector({ $jsonSchema: schema }).matches(item)

/** The schema of a property `a`. */
const a = (schema: Json): JsonObject => ({ properties: { a: schema } })

// From jstests/core/json_schema and src/mongo/db/matcher/schema of MongoDB.
t.test('a schema matches what it matches in MongoDB', async (t) => {
  const cases: [schema: JsonObject, matching: JsonObject[], others: JsonObject[]][] = [
    [{}, [{}, { a: 1 }], []],
    [{ title: 'a title', description: 'a text' }, [{}], []],
    // Types. The number's value decides its BSON type.
    [{ type: 'object' }, [{}, { a: 1 }], []],
    [{ type: ['object', 'string'] }, [{}], []],
    [{ type: 'string' }, [], [{}, { a: 'x' }]],
    [{ bsonType: 'array' }, [], [{}, { a: [] }]],
    [{ bsonType: ['object', 'double'] }, [{}], []],
    [a({ type: 'number' }), [{}, { a: 1 }, { a: 1.5 }], [{ a: '1' }, { a: [1] }, { a: null }]],
    [a({ type: 'boolean' }), [{ a: false }], [{ a: 0 }]],
    [a({ type: 'null' }), [{}, { a: null }], [{ a: 0 }]],
    [a({ type: 'array' }), [{}, { a: [] }, { a: [1, 'x'] }], [{ a: {} }, { a: 3 }]],
    [a({ type: 'object' }), [{ a: {} }], [{ a: [{}] }, { a: true }]],
    [a({ type: ['number', 'string'] }), [{}, { a: 1 }, { a: 'x' }], [{ a: ['x', 1] }, { a: {} }]],
    [a({ bsonType: 'int' }), [{ a: 3 }, { a: 3.0 }], [{ a: 3.5 }, { a: 2 ** 31 }, { a: {} }]],
    [a({ bsonType: 'long' }), [{ a: 2 ** 31 }, {}], [{ a: 3 }, { a: 0.5 }, { a: 2 ** 63 }]],
    [a({ bsonType: 'double' }), [{ a: 0.5 }, { a: 1e300 }], [{ a: 3 }, { a: [0.5] }]],
    [a({ bsonType: 'number' }), [{ a: 1 }, { a: 0.5 }], [{ a: 'x' }]],
    [a({ bsonType: 'bool' }), [{ a: true }], [{ a: 1 }]],
    [a({ bsonType: ['objectId', 'double'] }), [{}, { a: 1.5 }], [{ a: [1.5] }, { a: 1 }]],
    [a({ bsonType: 'decimal' }), [{}], [{ a: 1 }]],
    [{ properties: { a: { bsonType: 'null' } }, required: ['a'] }, [{ a: null }], [{}, { a: 1 }]],
    // Numbers.
    [a({ maximum: 0 }), [{ a: 0 }, { a: -1 }, { a: {} }, { a: 'x' }, { a: [9] }, {}], [{ a: 1 }]],
    [a({ type: 'number', maximum: -1 }), [{ a: -1 }, {}], [{ a: 0 }, { a: 'x' }]],
    [a({ type: 'string', maximum: 0 }), [{ a: 'x' }, {}], [{ a: -1 }]],
    [a({ maximum: 1, exclusiveMaximum: true }), [{ a: 0 }], [{ a: 1 }]],
    [a({ maximum: 1, exclusiveMaximum: false }), [{ a: 1 }], [{ a: 2 }]],
    [a({ minimum: 1, exclusiveMinimum: true }), [{ a: 2 }, { a: 'x' }], [{ a: 1 }]],
    [{ minimum: 5, maximum: 1, multipleOf: 7 }, [{}, { a: 1 }], []],
    [a({ multipleOf: 3 }), [{ a: 6 }, { a: 0 }, { a: -9 }, { a: 'x' }], [{ a: 7 }, { a: 3.5 }]],
    [a({ multipleOf: 0.1 }), [{ a: 0.3 }, { a: 1 }, { a: 1e20 }], [{ a: 0.35 }]],
    [a({ multipleOf: 2.5 }), [{ a: 5 }, { a: -7.5 }], [{ a: 6 }]],
    [a({ multipleOf: 1e-300 }), [{ a: 1e300 }], []],
    // Strings. A length is in code points.
    [a({ minLength: 2 }), [{ a: 'ab' }, { a: 5 }, {}], [{ a: 'a' }, { a: '😀' }]],
    [a({ maxLength: 1 }), [{ a: 'a' }, { a: '😀' }, { a: '\ud800' }], [{ a: 'ab' }]],
    [a({ maxLength: 2.0 }), [{ a: 'ab' }], [{ a: 'abc' }]],
    [a({ type: 'string', pattern: 'ing' }), [{ a: 'string' }, {}], [{ a: 'str' }, { a: 1 }]],
    [a({ pattern: '^(?i)X$' }), [{ a: 'x' }, { a: 'x\n' }, { a: 1 }], [{ a: 'xy' }]],
    [{ minLength: 1, maxLength: 0, pattern: '(' }, [{}], []],
    // Arrays.
    [a({ minItems: 1 }), [{ a: [1] }, { a: 'x' }, {}, { a: {} }], [{ a: [] }]],
    [a({ maxItems: 1 }), [{ a: [] }, { a: [[1, 2]] }], [{ a: [1, 2] }]],
    [{ minItems: 1, maxItems: 0, uniqueItems: true, items: { type: 'string' } }, [{}], []],
    [
      a({ uniqueItems: true }),
      [
        {},
        { a: 'x' },
        { a: { b: [1, 1] } },
        { a: [] },
        { a: ['foo', 'FOO'] },
        { a: [{}, '', [], null, 0, false] },
        {
          a: [
            [1, 2],
            [2, 1],
          ],
        },
      ],
      [
        { a: [1, 1] },
        { a: ['x', 'x'] },
        { a: [null, null] },
        { a: [0, -0] },
        { a: [[1], [1]] },
        {
          a: [
            { x: 1, y: 1 },
            { y: 1, x: 1 },
          ],
        },
        { a: [{ b: { x: [1, 2], y: 1 } }, { b: { y: 1, x: [1, 2] } }] },
      ],
    ],
    [a({ uniqueItems: false }), [{ a: [1, 1] }], []],
    [
      a({ items: { type: 'number' } }),
      [{ a: [] }, { a: [1] }, { a: 'x' }, {}],
      [{ a: ['x'] }, { a: [1, null] }],
    ],
    [
      a({ items: [{ type: 'number' }, { type: 'string' }] }),
      [{ a: [] }, { a: [1] }, { a: [1, 'x', null] }, { a: 2 }],
      [{ a: ['x'] }, { a: [1, 2] }],
    ],
    [a({ items: [{}], additionalItems: false }), [{ a: [1] }, { a: [] }], [{ a: [1, 2] }]],
    [a({ items: [], additionalItems: false }), [{ a: [] }], [{ a: [1] }]],
    [a({ items: [{}], additionalItems: { minimum: 5 } }), [{ a: [1, 5, 'x'] }], [{ a: [1, 5, 4] }]],
    [a({ items: {}, additionalItems: false }), [{ a: [1, 2] }], []],
    [a({ additionalItems: false }), [{ a: [1, 2] }], []],
    // Objects.
    [
      a({ properties: { b: { type: 'object', properties: { c: { type: 'string' } } } } }),
      [{ a: 3 }, { a: {} }, { a: { b: { c: 'x' } } }, { a: [{ b: 1 }] }],
      [{ a: { b: 1 } }, { a: { b: { c: 1 } } }],
    ],
    [{ required: ['a', 'b'] }, [{ a: null, b: [] }], [{}, { a: 1 }]],
    [a({ required: ['b'] }), [{}, { a: 1 }, { a: [] }, { a: { b: 1 } }], [{ a: {} }]],
    [{ required: ['toString'] }, [{ toString: 1 }], [{}]],
    [{ minProperties: 2 }, [{ _id: 'x', a: 1 }], [{ _id: 'x' }]],
    [{ maxProperties: 1 }, [{}, { a: 1 }], [{ a: 1, b: 1 }]],
    [a({ minProperties: 1, maxProperties: 1 }), [{ a: { b: 1 } }, { a: 1 }], [{ a: {} }]],
    [
      { properties: { a: {} }, additionalProperties: false },
      [{}, { a: 1 }],
      [{ b: 1 }, { a: 1, b: 1 }],
    ],
    [{ properties: { a: {} }, additionalProperties: true }, [{ b: 1 }], []],
    [
      a({ properties: { b: {} }, additionalProperties: { type: 'number' } }),
      [{}, { a: 1 }, { a: {} }, { a: { b: 'x', c: 1 } }],
      [{ a: { c: 'x' } }],
    ],
    [
      {
        properties: { a: {} },
        patternProperties: { '^b': { type: 'string' }, b$: { maxLength: 1 } },
        additionalProperties: { type: 'number' },
      },
      [{ a: [], ba: 'xx', o: 1 }, { bb: 'x' }],
      [{ ba: 1 }, { o: 'x' }, { bb: 'xx' }, { cb: 'xx' }],
    ],
    [
      { properties: { a: { minimum: 1 } }, patternProperties: { a: { maximum: 3 } } },
      [{ a: 2 }],
      [{ a: 0 }, { a: 4 }],
    ],
    [
      { dependencies: { a: { required: ['b'], properties: { c: { type: 'string' } } } } },
      [{}, { b: 1 }, { a: 1, b: 1 }, { a: 1, b: 1, c: 'x' }],
      [{ a: 1 }, { a: 1, b: 1, c: 1 }],
    ],
    [
      { dependencies: { a: ['b', 'c'] } },
      [{}, { b: 1 }, { a: 1, b: 1, c: 1 }],
      [{ a: 1 }, { a: 1, c: 1 }],
    ],
    [
      a({ dependencies: { b: ['c'], d: { required: ['e'] } } }),
      [{}, { a: 1 }, { a: {} }, { a: { b: 1, c: 1, d: 1, e: 1 } }],
      [{ a: { b: 1 } }, { a: { b: 1, c: 1, d: 1 } }],
    ],
    [{ dependencies: {} }, [{}], []],
    // A name with dots is a path.
    [{ required: ['a.b'] }, [{ a: { b: 1 } }, { a: [{ b: 1 }] }], [{ a: 1 }, {}]],
    [
      { properties: { 'a.b': { type: 'number' } } },
      [{ a: { b: 1 } }, { a: 1 }, { a: {} }],
      [{ a: { b: 'x' } }],
    ],
    // Logic.
    [a({ allOf: [{ type: 'number' }, { minimum: 0 }] }), [{ a: 0 }, {}], [{ a: 'x' }, { a: [0] }]],
    [{ allOf: [a({ type: 'string' })] }, [{ a: 'x' }], [{ a: 1 }]],
    [{ allOf: [{ type: 'string' }] }, [], [{}]],
    [
      a({ anyOf: [{ type: 'string' }, { type: 'number', minimum: 1 }] }),
      [{ a: 'x' }, { a: 1 }, {}],
      [{ a: 0 }, { a: [{}] }],
    ],
    [{ anyOf: [a({ type: 'string' })] }, [{}, { a: 'x' }], [{ a: 1 }]],
    [a({ oneOf: [{ minimum: 0 }, { maximum: 3 }] }), [{ a: 4 }, {}], [{ a: 1 }, { a: 'x' }]],
    [{ oneOf: [{}, {}] }, [], [{}]],
    [{ oneOf: [{}] }, [{}], []],
    [a({ not: { type: 'number' } }), [{}, { a: 'x' }], [{ a: 1 }]],
    [{ not: {} }, [], [{}]],
    [{ not: a({ type: 'string' }) }, [{ a: 1 }], [{ a: 'x' }, {}]],
    [a({ enum: ['x', 5] }), [{ a: 'x' }, { a: 5 }, {}], [{ a: ['x'] }, { a: 6 }]],
    [a({ enum: [null] }), [{ a: null }, {}], [{ a: 1 }]],
    [a({ enum: [[1, 2, '3'], []] }), [{ a: [1, 2, '3'] }, { a: [] }], [{ a: [2, 1, '3'] }]],
    [a({ enum: [{ x: 1, y: 2 }] }), [{ a: { y: 2, x: 1 } }], [{ a: { x: 1 } }, { a: [] }]],
    [{ properties: { a: { enum: [null] } }, required: ['a'] }, [{ a: null }], [{}]],
    [{ enum: [{ _id: '0', a: 1 }] }, [{ a: 1, _id: '0' }], [{ _id: '0' }]],
    [{ enum: [1, null] }, [], [{}]],
  ]
  for (const [schema, matching, others] of cases) {
    for (const [items, expected] of [
      [matching, true],
      [others, false],
    ] as const) {
      for (const item of items)
        t.equal(matches(item, schema), expected, JSON.stringify({ schema, item }))
    }
  }
})

t.test('a schema that MongoDB rejects is an error that names the keyword', async (t) => {
  const cases: [schema: Json, message: string][] = [
    ['foo', 'query.$jsonSchema must be an object, not "foo"'],
    [[], 'query.$jsonSchema must be an object, not []'],
    [{ type: 3 }, 'query.$jsonSchema.type must be a string, not 3'],
    [{ type: {} }, 'type must be a string'],
    [{ type: [] }, 'type must be an array of one or more entries'],
    [{ type: 'integer' }, 'type must not be "integer", which is not supported'],
    [{ bsonType: 'integer' }, 'bsonType must be the name of a BSON type'],
    [{ type: 'double' }, 'type must be one of array, boolean, null, number, object, string'],
    [{ type: 'bool' }, 'type must be one of'],
    [{ bsonType: 'boolean' }, 'bsonType must be the name of a BSON type, such as "int"'],
    [{ bsonType: ['number', 2] }, 'bsonType[1] must be a string, not 2'],
    [{ type: ['number', 'string', 'number'] }, 'type must not have the entry "number" twice'],
    [{ type: ['number', 'objectId'] }, 'type must be one of'],
    [{ type: 'object', bsonType: 'object' }, 'must not have both type and bsonType'],
    [{ properties: 3 }, 'properties must be an object'],
    [{ properties: [] }, 'properties must be an object'],
    [a('number'), 'query.$jsonSchema.properties.a must be an object, not "number"'],
    [{ additionalProperties: 1 }, 'additionalProperties must be a schema, true or false, not 1'],
    [{ patternProperties: [] }, 'patternProperties must be an object'],
    [{ patternProperties: { a: 1 } }, 'patternProperties.a must be an object'],
    [{ patternProperties: { '(': {} } }, 'patternProperties.( '],
    [{ minimum: '0' }, 'minimum must be a number, not "0"'],
    [{ maximum: {} }, 'maximum must be a number'],
    [{ exclusiveMaximum: true }, 'exclusiveMaximum must be used with maximum'],
    [{ exclusiveMinimum: false }, 'exclusiveMinimum must be used with minimum'],
    [{ maximum: 1, exclusiveMaximum: 1 }, 'exclusiveMaximum must be true or false, not 1'],
    [{ multipleOf: 0 }, 'multipleOf must be a number above 0, not 0'],
    [{ multipleOf: -1 }, 'multipleOf must be a number above 0'],
    [{ multipleOf: '1' }, 'multipleOf must be a number'],
    [{ minLength: -1 }, 'minLength must be an integer from 0, not -1'],
    [{ maxLength: 1.5 }, 'maxLength must be an integer from 0'],
    [{ pattern: 0 }, 'pattern must be a string, not 0'],
    [a({ pattern: '(' }), 'properties.a.pattern '],
    [a({ pattern: 'x'.repeat(1001) }), 'pattern must have at most 1000 characters'],
    [{ minItems: [1] }, 'minItems must be an integer from 0'],
    [{ maxItems: 3.14 }, 'maxItems must be an integer from 0'],
    [{ uniqueItems: 1 }, 'uniqueItems must be true or false, not 1'],
    [{ items: 1 }, 'items must be a schema or an array of schemas, not 1'],
    [{ items: [{}, 'x'] }, 'items[1] must be an object, not "x"'],
    [{ items: { invalid: 1 } }, 'items.invalid is not a keyword of $jsonSchema'],
    [{ items: [{ invalid: 1 }] }, 'items[0].invalid is not a keyword'],
    [{ additionalItems: 1 }, 'additionalItems must be a schema, true or false'],
    [{ additionalItems: { invalid: 1 } }, 'additionalItems.invalid is not a keyword'],
    [{ minProperties: -1 }, 'minProperties must be an integer from 0'],
    [{ maxProperties: '1' }, 'maxProperties must be an integer from 0'],
    [{ required: 'a' }, 'required must be an array of one or more entries'],
    [{ required: [] }, 'required must be an array of one or more entries, not []'],
    [{ required: [1] }, 'required[0] must be a string'],
    [{ required: ['a', 'a'] }, 'required must not have the entry "a" twice'],
    [{ dependencies: [] }, 'dependencies must be an object'],
    [{ dependencies: { a: 1 } }, 'dependencies.a must be a schema or an array of names'],
    [{ dependencies: { a: [] } }, 'dependencies.a must be an array of one or more'],
    [{ dependencies: { a: [1] } }, 'dependencies.a[0] must be a string'],
    [{ dependencies: { a: ['b', 'b'] } }, 'must not have the entry "b" twice'],
    [{ allOf: { maximum: 0 } }, 'allOf must be an array of one or more entries'],
    [{ anyOf: [] }, 'anyOf must be an array of one or more entries'],
    [{ oneOf: [0] }, 'oneOf[0] must be an object'],
    [{ allOf: [{ invalid: '0' }] }, 'allOf[0].invalid is not a keyword'],
    [{ not: [{}] }, 'not must be an object'],
    [{ not: { maximum: '0' } }, 'not.maximum must be a number'],
    [{ enum: 1 }, 'enum must be an array of one or more entries'],
    [{ enum: [] }, 'enum must be an array of one or more entries'],
    [{ enum: [1, 'a', 1] }, 'enum must not have the entry 1 twice'],
    [
      {
        enum: [
          { x: 1, y: 2 },
          { y: 2, x: 1 },
        ],
      },
      'enum must not have the entry {"y":2,"x":1} twice',
    ],
    [{ title: 1 }, 'title must be a string'],
    [{ description: {} }, 'description must be a string'],
    [{ invalid: {} }, 'query.$jsonSchema.invalid is not a keyword of $jsonSchema'],
    [a({ const: 1 }), 'properties.a.const is not a keyword'],
    ...[
      '$ref',
      '$schema',
      'default',
      'definitions',
      'format',
      'id',
      'encrypt',
      'encryptMetadata',
    ].map((keyword): [Json, string] => [a({ [keyword]: 'x' }), `a.${keyword} is not supported`]),
  ]
  for (const [schema, message] of cases) {
    const error = catchError(() => matches({}, schema))
    t.match(error, { message }, JSON.stringify(schema))
  }
})

function catchError(call: () => unknown): CatalogueError {
  try {
    call()
  } catch (error) {
    if (error instanceof CatalogueError) return error
    throw error
  }
  throw new Error('no error')
}

t.test('$jsonSchema combines with other conditions, in queries only', async (t) => {
  const schema = a({ type: 'number' })
  const queries: [query: JsonObject, item: JsonObject, expected: boolean][] = [
    [{ $jsonSchema: schema, b: 1 }, { a: 1, b: 1 }, true],
    [{ $jsonSchema: schema, b: 1 }, { a: 'x', b: 1 }, false],
    [{ '': 1, $jsonSchema: schema }, { '': 1, a: 1 }, true],
    [{ $or: [{ $jsonSchema: schema }, { b: 2 }] }, { a: 'x', b: 2 }, true],
    [{ $nor: [{ $jsonSchema: schema }] }, { a: 'x' }, true],
    [{ $and: [{ $jsonSchema: schema }, { $jsonSchema: { required: ['a'] } }] }, {}, false],
    [{ l: { $elemMatch: { $jsonSchema: schema } } }, { l: [{ a: 'x' }, { a: 1 }] }, true],
    [{ l: { $elemMatch: { $jsonSchema: schema } } }, { l: [{ a: 'x' }, 5] }, false],
  ]
  for (const [query, item, expected] of queries)
    t.equal(compileSelector(query).matches(item), expected, JSON.stringify(query))

  const condition = { $jsonSchema: schema }
  const refused: [call: () => unknown, message: string][] = [
    [() => compileSelector({ a: { $jsonSchema: {} } }), 'query.a.$jsonSchema'],
    [() => compileFields({ a: { $elemMatch: condition } }), 'must not use $jsonSchema'],
    [
      () => compileFields({ a: { $elemMatch: { b: { $elemMatch: { $or: [condition] } } } } }),
      'must',
    ],
    [() => compileFields({ 'a.$': 1 }, compileSelector(condition)), 'with $jsonSchema'],
    [() => compileUpdate({ $pull: { a: condition } }), 'must not use $jsonSchema'],
  ]
  for (const [call, message] of refused) t.match(catchError(call), { message })
})

t.test('the patterns of a schema have the limits of $regex', async (t) => {
  const costly: [schema: JsonObject, needsTimeout: boolean][] = [
    [a({ pattern: '(a+)+$' }), true],
    [a({ pattern: '^a' }), false],
    [a({ uniqueItems: true }), true],
    [a({ anyOf: Array.from({ length: 8 }, () => ({ type: 'string' })) }), true],
    [a({ type: 'string', maxLength: 8 }), false],
  ]
  for (const [schema, expected] of costly)
    t.equal(compileSelector({ $jsonSchema: schema }).needsTimeout, expected, JSON.stringify(schema))
  const many = Array.from({ length: 5 }, (_, index) => ({ pattern: `${index}`.repeat(900) }))
  t.match(
    catchError(() => matches({}, a({ anyOf: many }))),
    { code: 'BOUND_EXCEEDED' },
  )
  const large = Array.from({ length: 5 }, () => ({ pattern: '.'.repeat(600) }))
  t.match(
    catchError(() => matches({}, a({ anyOf: large }))),
    { code: 'BOUND_EXCEEDED' },
  )
})

t.test('a schema matches what the reference matches', async () => {
  fc.assert(
    fc.property(anyItem, anySchema, (item, schema) => {
      const nested = { properties: { a: schema, b: schema }, anyOf: [schema, {}] }
      return (
        matches(item, nested) === isValid(item, nested) &&
        matches(item, schema) === isValid(item, schema)
      )
    }),
    { numRuns: 2000 },
  )
})

t.test('uniqueItems and nested schemas take linear time', async (t) => {
  let calls = 0
  const counted = (length: number): JsonObject => ({
    a: Array.from({ length }, (_, index) => ({
      get b() {
        calls += 1
        return index
      },
    })),
  })
  const deep = Array.from({ length: 20 }).reduce<JsonObject>(
    (schema) => ({ anyOf: [{ not: {} }, schema] }),
    { properties: { b: { type: 'number' } } },
  )
  const schema = a({ uniqueItems: true, items: deep })
  const count = (length: number): number => {
    calls = 0
    t.equal(matches(counted(length), schema), true)
    return calls
  }
  t.equal(count(2000), 10 * count(200))
})
