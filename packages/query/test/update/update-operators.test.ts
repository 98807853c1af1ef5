import { readFileSync } from 'node:fs'

import fc from 'fast-check'
import t from 'tap'

import type { Json, JsonObject } from '@materials-mock/json'
import { runToEnd } from '@materials-mock/work'
import { CatalogueError, PatternTooCostly } from '../../../../src/errors.js'
import { retryTimeouts } from '../../src/run-pattern.js'
import { compileUpdate } from '../../src/update/compile-update.js'
import { anyItem, anyValue } from '../arbitraries.js'
import { applyUpdate } from './reference-update.js'

function deepFreeze<Value extends Json>(value: Value): Value {
  if (typeof value === 'object' && value !== null)
    Object.values(Object.freeze(value)).forEach(deepFreeze)
  return value
}

const NOW = Date.UTC(2026, 0, 1)

/** Updates an item. Tries again, often enough, if other processes had the processor. */
function update(item: JsonObject, body: JsonObject, tries = 20): JsonObject {
  const compiled = compileUpdate(deepFreeze(body))
  deepFreeze(item)
  try {
    return runToEnd(retryTimeouts(() => compiled(item, NOW)))
  } catch (error) {
    if (tries === 0 || !(error instanceof PatternTooCostly)) throw error
    return update(item, body, tries - 1)
  }
}

// From src/mongo/db/update and jstests/core/write/update of MongoDB. The order of fields counts.
t.test('an update operator has the same result as in MongoDB', async (t) => {
  const cases: [item: JsonObject, body: JsonObject, result: JsonObject][] = [
    // $comment, where MongoDB takes it.
    [
      { l: [{ k: 1 }, { k: 2 }] },
      { $set: { 'l.$[x].a': 1 }, arrayFilters: [{ $comment: 'why', 'x.k': 2 }] },
      { l: [{ k: 1 }, { k: 2, a: 1 }] },
    ],
    [{ l: [{ k: 1 }, { k: 2 }] }, { $pull: { l: { $comment: 'why', k: 1 } } }, { l: [{ k: 2 }] }],
    // $mul
    [{ a: 5 }, { $mul: { a: 3 } }, { a: 15 }],
    [{ a: 5 }, { $mul: { a: 0.5 } }, { a: 2.5 }],
    [{ a: 5 }, { $mul: { b: 3, 'c.d': -1 } }, { a: 5, b: 0, c: { d: 0 } }],
    [{ a: [1, 2] }, { $mul: { 'a.1': 2 } }, { a: [1, 4] }],
    [{ a: 2 ** 40 }, { $mul: { a: 0.5 } }, { a: 2 ** 39 }],
    // $min and $max compare all types: null, numbers, texts, objects, arrays, booleans.
    [{ a: 5 }, { $min: { a: 3, b: 1 } }, { a: 3, b: 1 }],
    [{ a: 5 }, { $max: { a: 3 } }, { a: 5 }],
    [{ a: 5 }, { $max: { a: 7, 'b.c': null } }, { a: 7, b: { c: null } }],
    [
      { a: 5, b: 5 },
      { $max: { a: 'x' }, $min: { b: 'x' } },
      { a: 'x', b: 5 },
    ],
    [
      { a: 5, b: 'x' },
      { $min: { a: null }, $max: { b: { c: 1 } } },
      { a: null, b: { c: 1 } },
    ],
    [{ a: [1], b: {} }, { $max: { a: true, b: [] } }, { a: true, b: [] }],
    [{ a: [2, 3] }, { $min: { a: [2, 1] } }, { a: [2, 1] }],
    [{ a: { b: 1, c: 9 } }, { $min: { a: { b: 1 } } }, { a: { b: 1 } }],
    [{ a: [4] }, { $min: { 'a.0': 1, 'a.2': 7 } }, { a: [1, null, 7] }],
    // $bit
    [{ a: 13 }, { $bit: { a: { and: 10 } } }, { a: 8 }],
    [{ a: 3 }, { $bit: { a: { or: 5 } } }, { a: 7 }],
    [{ a: 1 }, { $bit: { a: { xor: 5 } } }, { a: 4 }],
    [{ a: 0b1100 }, { $bit: { a: { and: 0b0110, or: 0b0001, xor: 0b1111 } } }, { a: 0b1010 }],
    [{}, { $bit: { a: { or: 5 }, b: { and: 5 } } }, { a: 5, b: 0 }],
    [
      { a: -1, b: 2 ** 40 },
      { $bit: { a: { and: 2 ** 40 }, b: { xor: 1 } } },
      { a: 2 ** 40, b: 2 ** 40 + 1 },
    ],
    [{ a: [5] }, { $bit: { 'a.0': { and: 4 } } }, { a: [4] }],
    // $pop
    [{ a: [1, 2, 3] }, { $pop: { a: 1 } }, { a: [1, 2] }],
    [{ a: [1, 2, 3] }, { $pop: { a: -1 } }, { a: [2, 3] }],
    [{ a: [1] }, { $pop: { a: 1 } }, { a: [] }],
    [{ a: [] }, { $pop: { a: 1 } }, { a: [] }],
    [
      { a: { b: {} }, l: [1] },
      { $pop: { x: 1, 'a.b.c': 1, 'l.4': -1, 'l.5.a': 1 } },
      { a: { b: {} }, l: [1] },
    ],
    [{ a: [[1, 2]] }, { $pop: { 'a.0': -1 } }, { a: [[2]] }],
    // $pullAll
    [{ a: [1, 2, 1, 'x', [1], null] }, { $pullAll: { a: [1, null] } }, { a: [2, 'x', [1]] }],
    [
      {
        a: [
          { b: 1, c: 2 },
          { c: 2, b: 1 },
        ],
      },
      { $pullAll: { a: [{ b: 1, c: 2 }] } },
      { a: [{ c: 2, b: 1 }] },
    ],
    [{ a: [1] }, { $pullAll: { a: [], b: [1], 'c.d': [1] } }, { a: [1] }],
    [{ a: [0] }, { $pullAll: { a: [-0] } }, { a: [] }],
    // $rename
    [{ a: 1, b: 2 }, { $rename: { a: 'c' } }, { b: 2, c: 1 }],
    [{ a: 1, b: 2 }, { $rename: { a: 'b' } }, { b: 1 }],
    [{ a: { b: 1, c: 2 } }, { $rename: { 'a.b': 'a.d' } }, { a: { c: 2, d: 1 } }],
    [{ a: { b: 1 } }, { $rename: { 'a.b': 'd.e.f' } }, { a: {}, d: { e: { f: 1 } } }],
    [{ a: [1, 2] }, { $rename: { a: 'b' } }, { b: [1, 2] }],
    [{ a: null, b: [1] }, { $rename: { a: 'b' } }, { b: null }],
    [{ a: 1 }, { $rename: { x: 'a', 'y.z': 'b.c', w: 'a2.b' } }, { a: 1 }],
    [{ a: 1, l: [1] }, { $rename: { x: 'l.0', y: 'a.b', 'l.5': 'z' } }, { a: 1, l: [1] }],
    [{ a: 1, b: 1 }, { $rename: { a: 'b' } }, { b: 1 }],
    [
      { a: 1, x: 1 },
      { $rename: { a: 'b' }, $set: { c: 3 }, $unset: { x: 1 } },
      { b: 1, c: 3 },
    ],
    // $[]
    [{ a: [1, 2] }, { $set: { 'a.$[]': 0 } }, { a: [0, 0] }],
    [{ a: [1, 2] }, { $inc: { 'a.$[]': 10 } }, { a: [11, 12] }],
    [{ a: [] }, { $inc: { 'a.$[]': 10 } }, { a: [] }],
    [{ a: [{ b: 1 }, {}] }, { $set: { 'a.$[].b': 2 } }, { a: [{ b: 2 }, { b: 2 }] }],
    [{ a: [{ b: 1 }, {}] }, { $unset: { 'a.$[].b': 1 } }, { a: [{}, {}] }],
    [{ a: [1, 2] }, { $unset: { 'a.$[]': 1 } }, { a: [null, null] }],
    [{ a: [[1, 2], [3]] }, { $mul: { 'a.$[].$[]': 2 } }, { a: [[2, 4], [6]] }],
    [
      { a: [[1, 2], [3]] },
      { $set: { 'a.$[].1': 9 } },
      {
        a: [
          [1, 9],
          [3, 9],
        ],
      },
    ],
    [
      { a: [[1], [2]] },
      { $push: { 'a.$[]': 5 } },
      {
        a: [
          [1, 5],
          [2, 5],
        ],
      },
    ],
    [
      { a: [{ b: [1, 2] }, { b: [3] }] },
      { $pop: { 'a.$[].b': 1 } },
      { a: [{ b: [1] }, { b: [] }] },
    ],
    [{ a: [{ b: [1, 2] }] }, { $pull: { 'a.$[].b': { $gt: 1 } } }, { a: [{ b: [1] }] }],
    [{ a: 1 }, { 'b.x': 1, 'b.y': 2 }, { a: 1, b: { x: 1, y: 2 } }],
    // $[identifier]
    [
      { a: [1, 5, 9] },
      { $set: { 'a.$[x]': 0 }, arrayFilters: [{ x: { $gt: 4 } }] },
      { a: [1, 0, 0] },
    ],
    [
      { a: [{ b: 1 }, { b: 2 }] },
      { $set: { 'a.$[x].c': 1 }, arrayFilters: [{ 'x.b': 2 }] },
      { a: [{ b: 1 }, { b: 2, c: 1 }] },
    ],
    [
      { a: [{ b: 1 }, { b: 2 }] },
      { $inc: { 'a.$[x].b': 1 }, arrayFilters: [{ x: { b: 1 } }] },
      { a: [{ b: 2 }, { b: 2 }] },
    ],
    [
      { a: [1, 2, 3] },
      { $inc: { 'a.$[x]': 10 }, arrayFilters: [{ $or: [{ x: 1 }, { x: { $gte: 3 } }] }] },
      { a: [11, 2, 13] },
    ],
    [{ a: [1, 2] }, { $set: { 'a.$[x]': 0 }, arrayFilters: [{ x: 7 }] }, { a: [1, 2] }],
    [{ a: [[1, 5], [2]] }, { $set: { 'a.$[x]': 0 }, arrayFilters: [{ x: 5 }] }, { a: [0, [2]] }],
    [
      { a: [[1, 5], [5]] },
      { $inc: { 'a.$[].$[x]': 1 }, arrayFilters: [{ x: 5 }] },
      { a: [[1, 6], [6]] },
    ],
    [
      { a: ['xa', 'b'] },
      { $unset: { 'a.$[x]': 1 }, arrayFilters: [{ x: { $regex: 'a$' } }] },
      { a: [null, 'b'] },
    ],
    [
      { a: [{ k: 1 }, { k: 2 }, { k: 3 }] },
      {
        $set: { 'a.$[x].m': 1, 'a.$[y].n': 2, 'a.$[].z': 0 },
        arrayFilters: [{ 'x.k': { $lt: 3 } }, { 'y.k': { $gt: 1 } }],
      },
      {
        a: [
          { k: 1, m: 1, z: 0 },
          { k: 2, m: 1, n: 2, z: 0 },
          { k: 3, n: 2, z: 0 },
        ],
      },
    ],
    // A filter selects by the elements before the update.
    [
      { a: [{ k: 1 }, { k: 2 }] },
      { $set: { 'a.$[x].k': 2, 'a.$[y].n': 1 }, arrayFilters: [{ 'x.k': 1 }, { 'y.k': 2 }] },
      { a: [{ k: 2 }, { k: 2, n: 1 }] },
    ],
    // Without an operator, `arrayFilters` is a field.
    [{ a: 1 }, { arrayFilters: [1] }, { a: 1, arrayFilters: [1] }],
    [{ a: 1 }, { $set: { b: 1 }, arrayFilters: [] }, { a: 1, b: 1 }],
  ]
  for (const [item, body, result] of cases) {
    const text = `${JSON.stringify(item)} ${JSON.stringify(body)}`
    const updated = update(item, body)
    t.equal(JSON.stringify(updated), JSON.stringify(result), text)
    if (JSON.stringify(item) === JSON.stringify(result)) t.equal(updated, item, `same: ${text}`)
  }
})

t.test('an update that MongoDB rejects is an error that names the path', async (t) => {
  const item = { n: 1, s: 'x', z: null, l: [1, 2], o: { p: 1 }, ll: [[1], 2], f: 1.5, big: 2 ** 62 }
  const cases: [body: JsonObject, message: string][] = [
    [{ $mul: { n: '2' } }, 'body.$mul.n must be a number, not "2"'],
    [{ $mul: { s: 2 } }, 'body.$mul.s must apply to a number, not "x"'],
    [{ $mul: { z: 2 } }, 'body.$mul.z must apply to a number, not null'],
    [
      { $mul: { n: 1e308, f: 1 }, $inc: { big: 2 ** 62 } },
      'body.$inc.big must result in an integer within 64 bits',
    ],
    [{ $mul: { big: 4 } }, 'body.$mul.big must result in an integer within 64 bits'],
    [{ $min: { n: { $a: 1 } } }, 'body.$min.n must not have the key "$a"'],
    [{ $max: { 's.a': 1 } }, 'body.$max.s.a must not go through "s", which is "x"'],
    [{ $bit: { n: 1 } }, 'body.$bit.n must be an object of and, or and xor, not 1'],
    [{ $bit: { n: {} } }, 'body.$bit.n must be an object of and, or and xor, not {}'],
    [{ $bit: { n: { not: 1 } } }, 'body.$bit.n.not is not an operation of $bit'],
    [{ $bit: { n: { and: 1.5 } } }, 'body.$bit.n.and must be an integer, not 1.5'],
    [{ $bit: { n: { and: 2 ** 63 } } }, 'body.$bit.n.and must be an integer'],
    [{ $bit: { f: { and: 1 } } }, 'body.$bit.f must apply to an integer, not 1.5'],
    [{ $bit: { s: { and: 1 } } }, 'body.$bit.s must apply to an integer, not "x"'],
    [{ $pop: { l: 2 } }, 'body.$pop.l must be 1 or -1, not 2'],
    [{ $pop: { l: true } }, 'body.$pop.l must be 1 or -1, not true'],
    [{ $pop: { n: 1 } }, 'body.$pop.n must apply to an array, not 1'],
    [{ $pop: { 'n.a': 1 } }, 'body.$pop.n.a must not go through "n", which is 1'],
    [{ $pop: { 'l.a': 1 } }, 'body.$pop.l.a must name a position in the array "l"'],
    [{ $pullAll: { l: 1 } }, 'body.$pullAll.l must be an array, not 1'],
    [{ $pullAll: { s: [1] } }, 'body.$pullAll.s must apply to an array, not "x"'],
    [{ $pullAll: { 's.a': [1] } }, 'body.$pullAll.s.a must not go through "s"'],
    [{ $rename: { n: 1 } }, 'body.$rename.n must be the new path, not 1'],
    [{ $rename: { n: 'n' } }, 'body.$rename.n must not be on the same path as "n"'],
    [{ $rename: { o: 'o.p' } }, 'must not be on the same path as "o.p"'],
    [{ $rename: { 'o.p': 'o' } }, 'must not be on the same path as "o"'],
    [{ $rename: { n: '' } }, 'body.$rename.n must not have an empty name in its path'],
    [{ $rename: { n: '$a' } }, 'body.$rename.n must not have "$a" in its path'],
    [{ $rename: { n: 'l.$[]' } }, 'must not have "$[]" in its old or new path'],
    [{ $rename: { 'l.$[x]': 'a' } }, 'must not have "$[x]" in its old or new path'],
    [{ $rename: { 'l.$': 'a' } }, 'must not have the positional $'],
    [{ $rename: { 'l.0': 'a' } }, 'body.$rename.l.0 must not rename in an array'],
    [{ $rename: { 'l.a': 'a' } }, 'body.$rename.l.a must not go through [1,2]'],
    [{ $rename: { 's.a': 'a' } }, 'body.$rename.s.a must not go through "x"'],
    [{ $rename: { n: 'l.0' } }, 'body.$rename.n must not go through the array "l"'],
    [{ $rename: { n: 'l.a' } }, 'body.$rename.n must not go through the array "l"'],
    [{ $rename: { n: 's.a' } }, 'body.$rename.n must not go through "s", which is "x"'],
    [{ $rename: { n: 'constructor' } }, 'must not have "constructor" in its path'],
    [{ $rename: { n: 'a' }, $set: { a: 1 } }, 'must not be changed twice in one update'],
    [{ $rename: { n: 'a' }, $set: { n: 1 } }, 'must not be changed twice in one update'],
    [{ $rename: { n: 'a', s: 'a' } }, 'must not be changed twice in one update'],
    [{ $currentDate: { n: 1 } }, 'body.$currentDate.n must be true or {"$type":"date"}, not 1'],
    [{ $currentDate: { n: { $type: 'x' } } }, 'must be true or {"$type":"date"}'],
    [{ $currentDate: { n: { $type: 'date', a: 1 } } }, 'must be true or {"$type":"date"}'],
    [{ $currentDate: { n: {} } }, 'must be true or {"$type":"date"}'],
    [{ $currentDate: { n: { $type: 'timestamp' } } }, 'a timestamp is not supported'],
    // $[] and arrayFilters
    [{ '$[]': 1 }, 'body.$[] is not supported'],
    [{ $set: { '$[].a': 1 } }, 'body.$set.$[].a must not start with $[]'],
    [{ $set: { 'n.$[]': 1 } }, 'body.$set.n.$[] must apply to an array at "n", not 1'],
    [{ $set: { 'x.$[]': 1 } }, 'body.$set.x.$[] must apply to an array at "x", not null'],
    [{ $unset: { 'x.$[]': 1 } }, 'must apply to an array at "x", not null'],
    [{ $set: { 'l.$[].a': 1 } }, 'body.$set.l.$[].a must not go through "l.0", which is 1'],
    [{ $set: { 'll.$[].$[]': 1 } }, 'must apply to an array at "ll.1", not 2'],
    [{ $set: { 'l.$[]': 1, 'l.0': 2 } }, 'must not be changed twice in one update'],
    [{ $set: { 'l.$[]': 1 }, $push: { l: 2 } }, 'must not be changed twice in one update'],
    [{ $set: { 'l.$[]': 1 }, $inc: { 'l.$[]': 2 } }, 'must not be changed twice in one update'],
    [
      { $set: { 'l.$[x]': 1 } },
      'body.$set.l.$[x] must have an array filter for the identifier "x"',
    ],
    [{ 'l.$[x]': 1, arrayFilters: [{ x: 1 }] }, 'must have an array filter for the identifier "x"'],
    [
      { $set: { n: 1 }, arrayFilters: [{ x: 1 }] },
      'body.arrayFilters must not have the filter "x", which no path',
    ],
    [{ $set: { n: 1 }, arrayFilters: { x: 1 } }, 'body.arrayFilters must be an array of queries'],
    [{ $set: { n: 1 }, arrayFilters: ['x'] }, 'body.arrayFilters[0] must be an object, not "x"'],
    [{ $set: { n: 1 }, arrayFilters: [{}] }, 'must have a path that starts with an identifier'],
    [{ $set: { n: 1 }, arrayFilters: [{ $alwaysTrue: 1 }] }, 'must have a path that starts with'],
    [
      { $set: { n: 1 }, arrayFilters: [{ x: 1, 'y.a': 1 }] },
      'must have one identifier, not both "x" and "y"',
    ],
    [{ $set: { n: 1 }, arrayFilters: [{ X: 1 }] }, 'must have an identifier of letters and digits'],
    [
      { $set: { n: 1 }, arrayFilters: [{ x_y: 1 }] },
      'must have an identifier of letters and digits',
    ],
    [
      { $set: { n: 1 }, arrayFilters: [{ x: 1 }, { 'x.a': 2 }] },
      'body.arrayFilters[1] must not have the identifier "x"',
    ],
    [{ $set: { n: 1 }, arrayFilters: [{ x: { $foo: 1 } }] }, 'body.arrayFilters[0].x.$foo'],
    [
      { $set: { n: 1 }, arrayFilters: [{ $jsonSchema: {} }] },
      'body.arrayFilters[0] must not use $jsonSchema',
    ],
    [
      { $set: { 'l.$[x]': 1, 'l.$[y]': 2 }, arrayFilters: [{ x: 1 }, { y: { $gte: 1 } }] },
      'body.$set.l.$[y] must not be changed twice in one update',
    ],
  ]
  for (const [body, message] of cases) {
    const error = catchError(item, body)
    t.match(error, { code: 'BODY_INVALID', message }, JSON.stringify(body))
  }
})

function catchError(item: JsonObject, body: JsonObject): Partial<CatalogueError> {
  try {
    update(item, body)
  } catch (error) {
    if (error instanceof CatalogueError) return { code: error.code, message: error.message }
    throw error
  }
  throw new Error(`no error for ${JSON.stringify(body)}`)
}

t.test('$currentDate sets the time as a text', async (t) => {
  for (const operand of [true, false, { $type: 'date' }])
    t.same(update({}, { $currentDate: { a: operand } }), { a: '2026-01-01T00:00:00.000Z' })
})

t.test('two filters that select different elements may update the same field', async (t) => {
  const body = {
    $set: { 'l.$[x].a': 1, 'l.$[y].a': 2 },
    arrayFilters: [{ 'x.k': 1 }, { 'y.k': 2 }],
  }
  t.same(update({ l: [{ k: 1 }, { k: 2 }, { k: 3 }] }, body), {
    l: [{ k: 1, a: 1 }, { k: 2, a: 2 }, { k: 3 }],
  })
})

t.test('an update of many elements writes a bounded size', async (t) => {
  const item = { l: Array.from({ length: 10_000 }, () => 0) }
  const text = 'x'.repeat(1000)
  t.match(catchError(item, { $set: { 'l.$[]': text } }), { code: 'BOUND_EXCEEDED' })
  // The names that are written count too.
  const objects = { l: Array.from({ length: 340_000 }, () => ({})) }
  const fields = Array.from({ length: 8 }, (_, n) => [`l.$[].z${n}`, 1])
  t.match(catchError(objects, { $set: Object.fromEntries(fields) }), { code: 'BOUND_EXCEEDED' })
})

t.test('the array filters of an update have a bounded time', async (t) => {
  const item = deepFreeze({ l: [`${'a'.repeat(40)}!`] })
  const body = { $set: { 'l.$[x]': 1 }, arrayFilters: [{ x: { $regex: '(a+)+$' } }] }
  const work = retryTimeouts(() => compileUpdate(body)(item, NOW))
  t.throws(() => runToEnd(work), { code: 'PATTERN_TOO_COSTLY' })
})

const anyEach = fc.array(anyValue, { maxLength: 2 })
const anyOperation = fc.oneof(
  fc.tuple(fc.constantFrom('$set', '$min', '$max', '$push', '$addToSet'), anyValue),
  fc.tuple(fc.constantFrom('$inc', '$mul'), fc.constantFrom<Json>(-1, 0, 2)),
  fc.tuple(fc.constant('$bit'), fc.constant<Json>({ or: 5 })),
  fc.tuple(fc.constant('$unset'), fc.constant<Json>('')),
  fc.tuple(fc.constant('$pop'), fc.constantFrom<Json>(1, -1)),
  fc.tuple(fc.constant('$pullAll'), fc.array(anyValue, { maxLength: 3 })),
  fc.tuple(fc.constant('$addToSet'), fc.record({ $each: anyEach }) as fc.Arbitrary<Json>),
  {
    weight: 2,
    arbitrary: fc.tuple(
      fc.constant('$push'),
      fc.record(
        {
          $each: anyEach,
          $position: fc.integer({ min: -3, max: 3 }),
          $slice: fc.integer({ min: -3, max: 3 }),
          $sort: fc.constantFrom<Json>(1, -1, { a: 1 }, { b: -1, a: 1 }),
        },
        { requiredKeys: ['$each'], noNullPrototype: true },
      ) as fc.Arbitrary<Json>,
    ),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(
      fc.constant('$pull'),
      fc.oneof(
        anyValue,
        fc.constantFrom<Json>({ $gte: 1 }, { $in: [1, 'x', null] }, { $ne: 1 }, { $exists: true }),
        fc.constantFrom<Json>({ a: 1 }, { 'a.b': { $gte: 0 } }, { $or: [{ a: null }, { b: 1 }] }),
      ),
    ),
  },
)
const PATHS =
  'a b a.b a.0 a.1 a.3 a.b.0 a.0.b b.a b.0 a.$[] a.$[].b a.$[x] a.$[x].b b.$[x].a a.$[].$[] b.$[] a.$[].0'
const anyStaticPath = fc.constantFrom('a', 'b', 'c', 'a.b', 'a.0', 'b.a', 'c.a', 'b.c.d')
const anyChange = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(anyOperation, fc.constantFrom(...PATHS.split(' '))) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(anyStaticPath, anyStaticPath)
      .filter(([from, to]) => !`${from}.`.startsWith(`${to}.`) && !`${to}.`.startsWith(`${from}.`))
      .map(([from, to]): [[string, Json], string] => [['$rename', to], from]),
  },
)
const anyFilter = fc.constantFrom<Json>(
  { x: { $gte: 1 } },
  { x: 1 },
  { 'x.b': 1 },
  { x: { $ne: 2 } },
)

t.test('an update has the result, or the error, of the reference', async () => {
  fc.assert(
    fc.property(
      anyItem,
      fc.uniqueArray(anyChange, { minLength: 1, maxLength: 3, selector: ([, path]) => path }),
      anyFilter,
      (item, changes, filter) => {
        const body: Record<string, Json> = {}
        for (const [[operator, operand], path] of changes)
          body[operator] = { ...(body[operator] as JsonObject), [path]: operand }
        if (changes.some(([, path]) => path.includes('$[x]'))) body.arrayFilters = [filter]
        const result = tryTo(() => update(item, body))
        return result === tryTo(() => applyUpdate(item, body))
      },
    ),
    { numRuns: 6000 },
  )
})

interface Published {
  readonly source: string
  readonly cases?: readonly [item: JsonObject, body: JsonObject, result: JsonObject][]
  readonly errors?: readonly [item: JsonObject, body: JsonObject][]
}

const PUBLISHED: readonly Published[] = JSON.parse(
  readFileSync(new URL('published.json', import.meta.url), 'utf8'),
)

t.test('published cases of updates are exact', async (t) => {
  for (const { source, cases = [], errors = [] } of PUBLISHED) {
    for (const [item, body, result] of cases) {
      const text = `${JSON.stringify(item)} ${JSON.stringify(body)} of ${source}`
      t.equal(JSON.stringify(update(item, body)), JSON.stringify(result), text)
    }
    for (const [item, body] of errors)
      t.match(catchError(item, body), { code: 'BODY_INVALID' }, `${JSON.stringify(body)} ${source}`)
  }
})

/** Returns the JSON of a result, or undefined for an error. */
function tryTo(call: () => JsonObject): string | undefined {
  try {
    return JSON.stringify(call())
  } catch {
    return undefined
  }
}
