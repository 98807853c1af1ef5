import fc from 'fast-check'

import type { Json, JsonObject } from '@materials-mock/json'

/** Few names and values, so that random queries often match random items. */
const anyName = fc.constantFrom('a', 'b', '0', '1')
const anyScalar = fc.constantFrom<Json>(null, true, false, 0, 1, 2, 'x', 'y', '')

/** Any JSON of up to four levels, with many nested arrays, nulls and mixed types. */
export const anyValue: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    { weight: 3, arbitrary: anyScalar },
    { weight: 2, arbitrary: fc.array(tie('value'), { maxLength: 3 }) },
    {
      weight: 2,
      arbitrary: fc.dictionary(anyName, tie('value'), { maxKeys: 2, noNullPrototype: true }),
    },
  ),
})).value

export const anyItem: fc.Arbitrary<JsonObject> = fc.record(
  { a: anyValue, b: anyValue },
  { requiredKeys: [], noNullPrototype: true },
)

export const anyItems = fc.array(anyItem, { minLength: 1, maxLength: 6 })

const PATHS = ['a', 'b', 'a.b', 'a.a', 'a.0', 'a.1', 'a.0.b', 'a.b.0', 'a.0.0', 'b.a.b', 'a.b.a']
export const anyPath = fc.constantFrom(...PATHS)

/** Any path without positions. */
export const anyNamedPath = fc.constantFrom('a', 'b', 'a.b', 'b.a', 'a.b.a')

const toObject = ([operator, operand]: [string, Json]): JsonObject => ({ [operator]: operand })
const toObjectOfTwo = ([first, a, second, b]: [string, Json, string, Json]): JsonObject => ({
  [first]: a,
  [second]: b,
})

const anyComparison = fc.constantFrom('$eq', '$ne', '$gt', '$gte', '$lt', '$lte')
const anyType = fc.constantFrom('null', 'number', 'string', 'object', 'array', 'bool')

/** Any object of operators, for a field or for the values of `$elemMatch`. */
export const anyOperators: fc.Arbitrary<JsonObject> = fc.letrec<{
  all: JsonObject
  object: JsonObject
}>((tie) => ({
  all: fc.oneof(
    { maxDepth: 2 },
    { weight: 6, arbitrary: fc.tuple(anyComparison, anyValue).map(toObject) },
    {
      weight: 2,
      arbitrary: fc.tuple(anyComparison, anyValue, anyComparison, anyValue).map(toObjectOfTwo),
    },
    fc
      .tuple(fc.constantFrom('$in', '$nin', '$all'), fc.array(anyValue, { maxLength: 3 }))
      .map(toObject),
    fc.tuple(fc.constant('$exists'), fc.boolean()).map(toObject),
    fc.tuple(fc.constant('$type'), anyType).map(toObject),
    fc.tuple(fc.constant('$size'), fc.nat(3)).map(toObject),
    fc.tuple(fc.constant('$not'), tie('all')).map(toObject),
    fc.tuple(fc.constant('$elemMatch'), fc.oneof(tie('all'), tie('object'))).map(toObject),
  ),
  object: fc.tuple(anyPath, tie('all')).map(toObject),
})).all

const anyField = fc
  .tuple(anyPath, fc.oneof({ weight: 3, arbitrary: anyOperators }, anyValue))
  .map(toObject)

/** Any query with the operators that the reference implements. */
export const anyQuery: fc.Arbitrary<JsonObject> = fc.letrec<{ query: JsonObject }>((tie) => ({
  query: fc.oneof(
    { maxDepth: 2 },
    { weight: 4, arbitrary: anyField },
    { weight: 1, arbitrary: fc.tuple(anyField, anyField).map(([a, b]) => ({ ...a, ...b })) },
    fc
      .tuple(
        fc.constantFrom('$and', '$or', '$nor'),
        fc.array(tie('query'), { minLength: 1, maxLength: 3 }),
      )
      .map(toObject),
  ),
})).query

const KEYS =
  '$eq $ne $gt $gte $lt $lte $in $nin $and $or $nor $not $exists $type $all $elemMatch $size $mod ' +
  '$regex $options $bitsAllSet $bitsAnyClear $comment $slice $id $ref $where $foo $ a a.b a.0 . _id'
const PATTERNS = [
  '(',
  'x*',
  '[a-',
  '(?i)y',
  '\\p{L}',
  'a{2}',
  '(a)\\1',
  'i',
  'number',
  'a|b',
  '$',
  '\\',
]
const anyOperand = fc.oneof(
  anyScalar,
  fc.constantFrom(...PATTERNS),
  fc.constantFrom(-1, 2.5, 4, 1e300),
)

/** Any JSON that resembles a query or a projection. Most of it is malformed. */
export const anyMalformed: fc.Arbitrary<JsonObject> = fc.letrec<{ json: Json; object: JsonObject }>(
  (tie) => ({
    json: fc.oneof(
      { maxDepth: 3 },
      anyOperand,
      fc.array(tie('json'), { maxLength: 3 }),
      tie('object'),
    ),
    object: fc.dictionary(fc.constantFrom(...KEYS.split(' ')), tie('json'), {
      maxKeys: 3,
      noNullPrototype: true,
    }),
  }),
).object
