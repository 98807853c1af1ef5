import fc from 'fast-check'

import type { Json, JsonObject } from '../../src/json/json.js'

/** Few names and values, so that random queries meet random items often. */
const name = fc.constantFrom('a', 'b', '0', '1')
const scalar = fc.constantFrom<Json>(null, true, false, 0, 1, 2, 'x', 'y', '')

/** JSON of up to four levels, full of nested arrays, nulls and mixed types. */
export const value: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    { weight: 3, arbitrary: scalar },
    { weight: 2, arbitrary: fc.array(tie('value'), { maxLength: 3 }) },
    {
      weight: 2,
      arbitrary: fc.dictionary(name, tie('value'), { maxKeys: 2, noNullPrototype: true }),
    },
  ),
})).value

export const item: fc.Arbitrary<JsonObject> = fc.record(
  { a: value, b: value },
  { requiredKeys: [], noNullPrototype: true },
)

export const items = fc.array(item, { minLength: 1, maxLength: 6 })

const paths = ['a', 'b', 'a.b', 'a.a', 'a.0', 'a.1', 'a.0.b', 'a.b.0', 'a.0.0', 'b.a.b', 'a.b.a']
export const path = fc.constantFrom(...paths)

/** Paths that no segment of digits is in. */
export const namedPath = fc.constantFrom('a', 'b', 'a.b', 'b.a', 'a.b.a')

const single = ([operator, operand]: [string, Json]): JsonObject => ({ [operator]: operand })
const pair = ([first, a, second, b]: [string, Json, string, Json]): JsonObject => ({
  [first]: a,
  [second]: b,
})

const comparison = fc.constantFrom('$eq', '$ne', '$gt', '$gte', '$lt', '$lte')
const type = fc.constantFrom('null', 'number', 'string', 'object', 'array', 'bool')

/** An object of operators, for a field or for the values of `$elemMatch`. */
export const operators: fc.Arbitrary<JsonObject> = fc.letrec<{
  all: JsonObject
  object: JsonObject
}>((tie) => ({
  all: fc.oneof(
    { maxDepth: 2 },
    { weight: 6, arbitrary: fc.tuple(comparison, value).map(single) },
    { weight: 2, arbitrary: fc.tuple(comparison, value, comparison, value).map(pair) },
    fc.tuple(fc.constantFrom('$in', '$nin', '$all'), fc.array(value, { maxLength: 3 })).map(single),
    fc.tuple(fc.constant('$exists'), fc.boolean()).map(single),
    fc.tuple(fc.constant('$type'), type).map(single),
    fc.tuple(fc.constant('$size'), fc.nat(3)).map(single),
    fc.tuple(fc.constant('$not'), tie('all')).map(single),
    fc.tuple(fc.constant('$elemMatch'), fc.oneof(tie('all'), tie('object'))).map(single),
  ),
  object: fc.tuple(path, tie('all')).map(single),
})).all

const field = fc.tuple(path, fc.oneof({ weight: 3, arbitrary: operators }, value)).map(single)

/** A query of the operators that the reference knows. */
export const query: fc.Arbitrary<JsonObject> = fc.letrec<{ query: JsonObject }>((tie) => ({
  query: fc.oneof(
    { maxDepth: 2 },
    { weight: 4, arbitrary: field },
    { weight: 1, arbitrary: fc.tuple(field, field).map(([a, b]) => ({ ...a, ...b })) },
    fc
      .tuple(
        fc.constantFrom('$and', '$or', '$nor'),
        fc.array(tie('query'), { minLength: 1, maxLength: 3 }),
      )
      .map(single),
  ),
})).query

const names =
  '$eq $ne $gt $gte $lt $lte $in $nin $and $or $nor $not $exists $type $all $elemMatch $size $mod ' +
  '$regex $options $bitsAllSet $bitsAnyClear $comment $slice $id $ref $where $foo $ a a.b a.0 . _id'
const patterns = [
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
const operand = fc.oneof(scalar, fc.constantFrom(...patterns), fc.constantFrom(-1, 2.5, 4, 1e300))

/** JSON that looks like queries and projections, most of it malformed. */
export const malformed: fc.Arbitrary<JsonObject> = fc.letrec<{ json: Json; object: JsonObject }>(
  (tie) => ({
    json: fc.oneof(
      { maxDepth: 3 },
      operand,
      fc.array(tie('json'), { maxLength: 3 }),
      tie('object'),
    ),
    object: fc.dictionary(fc.constantFrom(...names.split(' ')), tie('json'), {
      maxKeys: 3,
      noNullPrototype: true,
    }),
  }),
).object
