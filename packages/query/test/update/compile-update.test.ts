import t from 'tap'

import type { Json, JsonObject } from '@materials-mock/json'
import { runToEnd } from '@materials-mock/work'
import { CatalogueError } from '../../../../src/errors.js'
import { retryTimeouts } from '../../src/run-pattern.js'
import { compileUpdate } from '../../src/update/compile-update.js'

/** Freezes a value deeply, so that a mutation throws. */
function deepFreeze<Value extends Json>(value: Value): Value {
  if (typeof value === 'object' && value !== null)
    Object.values(Object.freeze(value)).forEach(deepFreeze)
  return value
}

/** Updates an item. Tries again if another process had the processor. */
function update(item: JsonObject, body: JsonObject): JsonObject {
  const compiled = compileUpdate(deepFreeze(body))
  deepFreeze(item)
  return runToEnd(retryTimeouts(() => compiled(item, 0)))
}

function catchError(item: JsonObject, body: JsonObject): Partial<CatalogueError> {
  try {
    update(item, body)
  } catch (error) {
    if (error instanceof CatalogueError) return { code: error.code, message: error.message }
    throw error
  }
  throw new Error(`no error for ${JSON.stringify(body)}`)
}

t.test('an update has the same result as in MongoDB', async (t) => {
  const cases: [item: JsonObject, body: JsonObject, result: JsonObject][] = [
    // Fields and $set.
    [{ a: 1, b: 2 }, { a: 3 }, { a: 3, b: 2 }],
    [{ a: 1 }, { $set: { b: null } }, { a: 1, b: null }],
    [{ a: { b: 1, c: 2 } }, { 'a.b': 3 }, { a: { b: 3, c: 2 } }],
    [{ a: { b: 1, c: 2 } }, { a: { b: 3 } }, { a: { b: 3 } }],
    [{}, { 'a.b.c': 1 }, { a: { b: { c: 1 } } }],
    [{}, { 'a.0': 1, 'a.1': 2 }, { a: { 0: 1, 1: 2 } }],
    [{ a: [1, 2] }, { 'a.1': 3 }, { a: [1, 3] }],
    [{ a: [1] }, { 'a.3': 4 }, { a: [1, null, null, 4] }],
    [{ a: [] }, { 'a.1.b': 1 }, { a: [null, { b: 1 }] }],
    [{ a: [{ b: 1 }] }, { 'a.0.b': 2, 'a.0.c': 3 }, { a: [{ b: 2, c: 3 }] }],
    [{ a: [[1]] }, { 'a.0.0': 2 }, { a: [[2]] }],
    [{ a: { '01': 1 } }, { 'a.01': 2 }, { a: { '01': 2 } }],
    [{ toString: 1 }, { toString: 2, valueOf: 3 }, { toString: 2, valueOf: 3 }],
    [{ a: 1 }, {}, { a: 1 }],
    [{ a: 1 }, { $set: {}, $unset: {} }, { a: 1 }],
    // $unset.
    [{ a: 1, b: 2 }, { $unset: { a: '' } }, { b: 2 }],
    [{ a: { b: 1 } }, { $unset: { 'a.b': true } }, { a: {} }],
    [{ a: [1, 2, 3] }, { $unset: { 'a.1': 1 } }, { a: [1, null, 3] }],
    [{ a: [1] }, { $unset: { 'a.4': 1, 'a.x': 1 } }, { a: [1] }],
    [{ a: 1 }, { $unset: { b: 1, 'c.d': 1, 'a.b': 1 } }, { a: 1 }],
    // $inc.
    [{ a: 1 }, { $inc: { a: 2.5, 'b.c': -1 } }, { a: 3.5, b: { c: -1 } }],
    [{ a: [1, 2] }, { $inc: { 'a.1': 1, 'a.2': 5 } }, { a: [1, 3, 5] }],
    // $push.
    [{ a: [1] }, { $push: { a: [2, 3], b: 4 } }, { a: [1, [2, 3]], b: [4] }],
    [{ a: [1] }, { $push: { a: { $each: [2, 3] } } }, { a: [1, 2, 3] }],
    [{}, { $push: { a: { $each: [] } } }, { a: [] }],
    [{ a: [1, 2] }, { $push: { a: { $each: [8, 9], $position: 1 } } }, { a: [1, 8, 9, 2] }],
    [{ a: [1, 2] }, { $push: { a: { $each: [9], $position: -1 } } }, { a: [1, 9, 2] }],
    [{ a: [1, 2] }, { $push: { a: { $each: [9], $position: -5 } } }, { a: [9, 1, 2] }],
    [{ a: [1, 2] }, { $push: { a: { $each: [9], $position: 5 } } }, { a: [1, 2, 9] }],
    [{ a: [1, 2] }, { $push: { a: { $each: [3], $slice: 2 } } }, { a: [1, 2] }],
    [{ a: [1, 2] }, { $push: { a: { $each: [3], $slice: -2 } } }, { a: [2, 3] }],
    [{ a: [1, 2] }, { $push: { a: { $each: [], $slice: 0 } } }, { a: [] }],
    [
      { a: [3, 'x', null] },
      { $push: { a: { $each: [1, [0]], $sort: 1 } } },
      { a: [null, 1, 3, 'x', [0]] },
    ],
    [
      { a: [{ n: 1, m: { k: 1 } }, { n: 2 }, 7] },
      { $push: { a: { $slice: 3, $each: [{ n: 1, m: { k: 2 } }], $sort: { n: -1, 'm.k': -1 } } } },
      { a: [{ n: 2 }, { n: 1, m: { k: 2 } }, { n: 1, m: { k: 1 } }] },
    ],
    // $addToSet: the order of an object's fields counts.
    [{ a: [1, 2] }, { $addToSet: { a: 2, b: 1 } }, { a: [1, 2], b: [1] }],
    [{ a: [1] }, { $addToSet: { a: { $each: [1, 2, 2, 3] } } }, { a: [1, 2, 3] }],
    [{ a: [1] }, { $addToSet: { a: [1] } }, { a: [1, [1]] }],
    [
      { a: [{ b: 1, c: 2 }] },
      {
        $addToSet: {
          a: {
            $each: [
              { b: 1, c: 2 },
              { c: 2, b: 1 },
            ],
          },
        },
      },
      {
        a: [
          { b: 1, c: 2 },
          { c: 2, b: 1 },
        ],
      },
    ],
    // $pull.
    [{ a: [1, 2, 1, [1]] }, { $pull: { a: 1 } }, { a: [2, [1]] }],
    [
      {
        a: [
          [1, 2],
          [2, 1],
        ],
      },
      { $pull: { a: [1, 2] } },
      { a: [[2, 1]] },
    ],
    [{ a: [1, 5, 9, 'x'] }, { $pull: { a: { $gte: 5 } } }, { a: [1, 'x'] }],
    [{ a: [1, 5, 9] }, { $pull: { a: { $in: [1, 9] } } }, { a: [5] }],
    [{ a: [1, 5, 9] }, { $pull: { a: { $nin: [1, 9] } } }, { a: [1, 9] }],
    [{ a: [[1, 5], [1], 5] }, { $pull: { a: { $gte: 5 } } }, { a: [[1]] }],
    [{ a: [[1, 5], [1], 5] }, { $pull: { a: { $ne: 5 } } }, { a: [[1, 5], 5] }],
    [{ a: ['xa', 'b', 'ya'] }, { $pull: { a: { $regex: 'a$' } } }, { a: ['b'] }],
    [
      { a: [{ b: 1, c: 1 }, { b: 2 }, [{ b: 1 }], 1] },
      { $pull: { a: { b: 1 } } },
      { a: [{ b: 2 }, [{ b: 1 }], 1] },
    ],
    [
      { a: [{ b: 1 }, { b: 5 }, { b: 9 }] },
      { $pull: { a: { $or: [{ b: 1 }, { b: { $gt: 5 } }] } } },
      { a: [{ b: 5 }] },
    ],
    [{ a: [{ b: [1, 2] }, { b: [3] }] }, { $pull: { a: { 'b.0': 3 } } }, { a: [{ b: [1, 2] }] }],
    [{ a: [{}, 1] }, { $pull: { a: {} } }, { a: [1] }],
    [{ b: {} }, { $pull: { a: 1, 'b.c': 1 } }, { b: {} }],
    // Several operators.
    [
      { a: 1, b: [1], c: 2 },
      { $unset: { c: 1 }, $push: { b: 2 }, $inc: { a: 1 }, $set: { d: 4 } },
      { a: 2, b: [1, 2], d: 4 },
    ],
  ]
  for (const [item, body, result] of cases)
    t.same(update(item, body), result, `${JSON.stringify(item)} ${JSON.stringify(body)}`)
})

t.test(
  'new fields are added in the order of their names and numbers, not of the body',
  async (t) => {
    const result = update({ z: 0 }, { $set: { b: 1, 'o.10': 1, 'o.9': 1 }, $inc: { a: 1 } })
    t.same(Object.keys(result), ['z', 'a', 'b', 'o'])
    t.same(update({ l: [] }, { 'l.1': 'b', 'l.0': 'a' }), { l: ['a', 'b'] })
  },
)

t.test('an update that changes nothing returns the same item', async (t) => {
  const item = { a: 1, l: [1, { b: 2 }], o: { p: null } }
  const bodies: JsonObject[] = [
    {},
    { a: 1, 'l.1': { b: 2 }, 'o.p': null },
    { $unset: { x: 1, 'o.x': 1, 'l.7': 1, 'a.b': 1 } },
    { $inc: { a: 0 } },
    { $push: { l: { $each: [] } } },
    { $addToSet: { l: { b: 2 } } },
    { $pull: { l: 7, 'x.y': 1 } },
  ]
  for (const body of bodies) t.equal(update(item, body), item, JSON.stringify(body))
})

t.test('an update that MongoDB rejects is an error that names the path', async (t) => {
  const item = { n: 1, s: 'x', z: null, l: [1], o: { p: 1 }, big: 1e308 }
  const deep = JSON.parse('{"a":'.repeat(60) + '1' + '}'.repeat(60))
  const cases: [body: JsonObject, message: string | RegExp][] = [
    [
      { $inc: { n: 1 }, name: 'x' },
      'body must have operators or fields, not both "$inc" and "name"',
    ],
    [{ $setOnInsert: { n: 1 } }, 'body.$setOnInsert is not supported; there are $rename, $set, '],
    [{ $set: 1 }, 'body.$set must be an object of fields, not 1'],
    [{ $set: { $inc: 1 } }, 'body.$set.$inc must not have "$inc" in its path'],
    [{ 'l.$': 1 }, 'body.l.$ must not have the positional $, as there is no query'],
    [{ '': 1 }, 'body."" must not have an empty name in its path'],
    [{ 'o..p': 1 }, 'body.o..p must not have an empty name in its path'],
    [{ 'o.': 1 }, 'must not have an empty name in its path'],
    [{ 'o.__proto__.x': 1 }, 'body.o.__proto__.x must not have "__proto__" in its path'],
    [{ 'constructor.x': 1 }, 'must not have "constructor" in its path'],
    [{ $unset: { 'a.prototype': 1 } }, 'must not have "prototype" in its path'],
    [{ o: JSON.parse('{"a": {"__proto__": 1}}') }, 'body.o.a must not have the key "__proto__"'],
    [{ o: { $gt: 1 } }, 'body.o must not have the key "$gt"'],
    [{ o: [{ 'a.b': 1 }] }, 'body.o[0] must not have the key "a.b"'],
    [{ n: Infinity }, 'body.n must be a number that a double can hold'],
    [{ o: 1, 'o.p': 2 }, 'body.o.p must not be changed twice in one update'],
    [{ $set: { 'o.p': 1 }, $unset: { o: 1 } }, 'body.$set.o.p must not be changed twice'],
    [{ $set: { n: 1 }, $inc: { n: 1 } }, 'body.$inc.n must not be changed twice'],
    [{ 's.a': 1 }, 'body.s.a must not go through "s", which is "x"'],
    [{ 'z.a': 1 }, 'body.z.a must not go through "z", which is null'],
    [{ 'l.0.a': 1 }, 'body.l.0.a must not go through "l.0", which is 1'],
    [{ 'l.x': 1 }, 'body.l.x must name a position in the array "l"'],
    [{ 'l.01': 1 }, 'must name a position in the array "l"'],
    [{ $inc: { n: '1' } }, 'body.$inc.n must be a number, not "1"'],
    [{ $inc: { s: 1 } }, 'body.$inc.s must apply to a number, not "x"'],
    [{ $inc: { z: 1 } }, 'not null'],
    [{ $inc: { big: 1e308 } }, 'body.$inc.big must result in a number that a double can hold'],
    [{ $push: { n: 1 } }, 'body.$push.n must apply to an array, not 1'],
    [{ $push: { l: { $each: 1 } } }, 'body.$push.l.$each must be an array, not 1'],
    [
      { $push: { l: { $each: [], $silce: 1 } } },
      'body.$push.l.$silce is not a modifier of $push, which has $each, ',
    ],
    [{ $push: { l: { $each: [], $slice: 1.5 } } }, 'l.$slice must be an integer, not 1.5'],
    [{ $push: { l: { $each: [], $position: '0' } } }, 'l.$position must be an integer, not "0"'],
    [{ $push: { l: { $each: [], $sort: 2 } } }, 'l.$sort must be 1 or -1, not 2'],
    [{ $push: { l: { $each: [], $sort: {} } } }, 'l.$sort must have at least one path, not {}'],
    [{ $push: { l: { $each: [], $sort: { a: 0 } } } }, 'l.$sort.a must be 1 or -1, not 0'],
    [{ $push: { l: { $slice: 1 } } }, 'body.$push.l must not have the key "$slice"'],
    [{ $addToSet: { n: 1 } }, 'body.$addToSet.n must apply to an array, not 1'],
    [{ $addToSet: { l: { $each: [1], $slice: 1 } } }, 'must have no key but $each'],
    [{ $pull: { 's.a': 1 } }, 'body.$pull.s.a must not go through "s", which is "x"'],
    [{ $pull: { 'l.a': 1 } }, 'body.$pull.l.a must name a position in the array "l"'],
    [{ $pull: { s: 'x' } }, 'body.$pull.s must apply to an array, not "x"'],
    [{ $pull: { l: { $gtx: 1 } } }, /^body\.\$pull\.l\.\$gtx /],
    [{ $pull: { l: { a: { $where: '1' } } } }, /^body\.\$pull\.l\.a\.\$where /],
    [
      { $pull: { l: { __proto__x: 1, 'a.constructor': 1 } } },
      /must not have the key "a\.constructor"/,
    ],
  ]
  for (const [body, message] of cases)
    t.match(catchError(item, body), { code: 'BODY_INVALID', message }, JSON.stringify(body))
  const limits: [body: JsonObject, message: string][] = [
    [{ o: deep }, 'must have at most 50 levels of JSON'],
    [{ [Array.from({ length: 51 }, () => 'a').join('.')]: 1 }, 'must have at most 50 names'],
    [{ 'l.2000': 1 }, 'body.l.2000 must name a position at most 1000 beyond the end of its array'],
    [
      Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [`f${index}`, 1])),
      'body must change at most 1000 fields, not 1001',
    ],
    [
      { $push: { l: { $each: [], $sort: createSort(33) } } },
      'body.$push.l.$sort must have at most 32 paths, not 33',
    ],
  ]
  for (const [body, message] of limits)
    t.match(catchError(item, body), { code: 'BOUND_EXCEEDED', message })
})

t.test('a regular expression that takes too long is aborted', async (t) => {
  const item = deepFreeze({ l: [`${'a'.repeat(40)}!`] })
  const pull = compileUpdate({ $pull: { l: { $regex: '(a+)+$' } } })
  const work = retryTimeouts(() => pull(item, 0))
  t.equal(work.next().value, 'matching patterns')
  t.throws(() => runToEnd(work), { code: 'PATTERN_TOO_COSTLY', message: /20 ms/ })
})

t.test('the sort of a $push that takes too long is aborted', async (t) => {
  const item = { l: Array.from({ length: 300_000 }, (_, index) => ({ z: (index * 7919) % 997 })) }
  const push = compileUpdate({ $push: { l: { $each: [], $sort: { ...createSort(31), z: 1 } } } })
  const work = retryTimeouts(() => push(item, 0))
  t.equal(work.next().value, 'matching conditions')
})

/** Returns a sort by so many paths. */
const createSort = (count: number): JsonObject =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, 1]))
