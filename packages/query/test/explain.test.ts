import fc from 'fast-check'
import t from 'tap'

import type { Json, JsonObject } from '@materials-mock/json'
import { runToEnd } from '@materials-mock/work'
import { Explainer } from '../src/explain/explainer.js'
import { combineVerdicts } from '../src/explain/explanation.js'
import type { ClauseExplanation, Verdict } from '../src/explain/explanation.js'
import { formatExplanation } from '../src/explain/format-explanation.js'
import { compileSelector } from '../src/selector/compile-selector.js'
import { anyItem, anyOperators, anyPath, anyQuery } from './arbitraries.js'
import { anySchema } from './arbitrary-schema.js'

const explain = (item: JsonObject, query: JsonObject): readonly ClauseExplanation[] =>
  runToEnd(new Explainer(compileSelector(query)).explain(item)).clauses

const combine = (clauses: readonly ClauseExplanation[]): Verdict =>
  combineVerdicts(
    'every',
    clauses.map(({ matches }) => matches),
  )

/** The verdict of a list, or 'error' for an item for which an `$expr` can't be evaluated. */
function matchAsList(item: JsonObject, query: JsonObject): boolean | 'error' {
  try {
    return compileSelector(query).matches(item)
  } catch {
    return 'error'
  }
}

const anyExpression: fc.Arbitrary<Json> = fc.letrec<{ expression: Json }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 3 },
    { weight: 2, arbitrary: fc.constantFrom<Json>('$a', '$b', '$a.b', 0, 1, 'x', true) },
    fc
      .tuple(
        fc.constantFrom('$and', '$or', '$add', '$eq', '$gt', '$in'),
        fc.tuple(tie('expression'), tie('expression')),
      )
      .map(([operator, operands]): Json => ({ [operator]: operands })),
    tie('expression').map((operand): Json => ({ $not: [operand] })),
  ),
})).expression

/** Any query, also with what tests whole items, which may be within a combination. */
const anyQueryOfAnyKind: fc.Arbitrary<JsonObject> = fc
  .tuple(
    fc.oneof(
      { weight: 4, arbitrary: anyQuery },
      { weight: 1, arbitrary: fc.tuple(anyPath, anyOperators).map(([a, b]) => ({ [a]: b })) },
      { weight: 2, arbitrary: anySchema.map(($jsonSchema) => ({ $jsonSchema })) },
      { weight: 2, arbitrary: anyExpression.map(($expr) => ({ $expr })) },
    ),
    anyQuery,
    fc.constantFrom('alone', '$and', '$or', '$nor'),
  )
  .map(([one, other, kind]) => (kind === 'alone' ? one : { [kind]: [one, other] }))

t.test('the verdicts of the clauses combine to that of a list', async (t) => {
  const counts = { true: 0, false: 0, error: 0 }
  fc.assert(
    fc.property(anyItem, anyQueryOfAnyKind, (item, query) => {
      const isRefused = ((): boolean => {
        try {
          compileSelector(query)
          return false
        } catch {
          return true
        }
      })()
      fc.pre(!isRefused)
      const expected = matchAsList(item, query)
      counts[`${expected}`] += 1
      const clauses = explain(item, query)
      const verdict = combine(clauses)
      const { mismatches } = runToEnd(new Explainer(compileSelector(query)).explain(item))
      const text = formatExplanation('m1', clauses)
      if (!text.startsWith('m1')) return false
      return expected === 'error'
        ? verdict !== true || JSON.stringify(clauses).includes('"error"')
        : verdict === expected && (mismatches === 0) === expected
    }),
    { numRuns: 3000 },
  )
  t.ok(counts.true > 50 && counts.false > 50 && counts.error > 0, JSON.stringify(counts))
})

const ITEM: JsonObject = {
  _id: 'm1',
  formula: 'Si',
  lattice: { a: 3.867, b: 'x' },
  tags: ['cubic', 'oxide'],
  basis: [{ element: 'Si', z: 14 }, { element: 'O', z: 8 }, { element: 'O' }],
  numbers: [1, 2, 3],
}

t.test('an explanation is a tree that tells what each operator met', async (t) => {
  const cases: [query: JsonObject, lines: string][] = [
    [{}, ''],
    [
      {
        formula: 'SiO2',
        $or: [{ 'lattice.a': { $gt: 5 } }, { tags: { $all: ['x'] } }],
        $comment: 'why not',
      },
      `
      ├─ formula $eq "SiO2": no (formula is "Si")
      └─ $or: no
         ├─ lattice.a $gt 5: no (lattice.a is 3.867)
         └─ tags $all ["x"]: no (tags is ["cubic", "oxide"])`,
    ],
    [
      { 'basis.z': { $lt: 8 }, nothing: { $exists: true }, 'tags.x': null, 'a b': { $ne: 1 } },
      `
      ├─ basis.z $lt 8: no (basis.z is 14, 8, missing)
      ├─ nothing $exists true: no (nothing is missing)
      ├─ tags.x $eq null: no (tags.x is nothing)
      └─ "a b" $ne 1: yes ("a b" is missing)`,
    ],
    [
      { formula: { $not: { $regex: '^s', $options: 'i' } }, $nor: [{ formula: 'Si', tags: 'x' }] },
      `
      ├─ formula $not: no
      │  └─ formula $regex {"$regex": "^s", "$options": "i"}: yes (formula is "Si")
      └─ $nor: yes
         └─ $and: no
            ├─ formula $eq "Si": yes (formula is "Si")
            └─ tags $eq "x": no (tags is ["cubic", "oxide"])`,
    ],
    [
      {
        basis: { $elemMatch: { element: 'O', z: { $gt: 8 } } },
        numbers: { $elemMatch: { $gt: 1, $lt: 3 } },
        tags: { $all: ['oxide', 'x'] },
        formula: { $elemMatch: { $gt: 1 } },
      },
      `
      ├─ basis $elemMatch: no
      │  ├─ element 0: no
      │  │  ├─ element $eq "O": no (element is "Si")
      │  │  └─ z $gt 8: yes (z is 14)
      │  ├─ element 1: no
      │  │  ├─ element $eq "O": yes (element is "O")
      │  │  └─ z $gt 8: no (z is 8)
      │  └─ element 2: no
      │     ├─ element $eq "O": yes (element is "O")
      │     └─ z $gt 8: no (z is missing)
      ├─ numbers $elemMatch: yes
      │  └─ element 1: yes
      │     ├─ $gt 1: yes (2)
      │     └─ $lt 3: yes (2)
      ├─ tags $all ["oxide", "x"]: no (tags is ["cubic", "oxide"])
      │  ├─ tags $eq "oxide": yes
      │  └─ tags $eq "x": no
      └─ formula $elemMatch {"$gt": 1}: no (formula is "Si", not an array)`,
    ],
    [
      {
        $expr: { $or: [{ $gt: ['$lattice.a', { $size: '$tags' }] }, { $add: ['$lattice.b', 1] }] },
      },
      `
      └─ $expr $or: yes
         ├─ $expr {"$gt": ["$lattice.a", {"$size": "$tags"}]}: yes ($lattice.a is 3.867, {"$size": "$tags"} is 2)
         └─ $expr {"$add": ["$lattice.b", 1]}: not known (query.$expr.$or[1].$add must be of numbers, not the string "x")`,
    ],
    [
      {
        $jsonSchema: {
          required: ['formula', 'name'],
          properties: { lattice: { properties: { a: { minimum: 5 }, b: { bsonType: 'int' } } } },
          not: { required: ['tags'] },
        },
      },
      `
      └─ $jsonSchema: no
         ├─ formula required: yes (formula is "Si")
         ├─ name required: no (name is missing)
         ├─ lattice.a minimum 5: no (lattice.a is 3.867)
         ├─ lattice.b bsonType "int": no (lattice.b is "x", a string)
         └─ not {"required": ["tags"]}: no`,
    ],
  ]
  for (const [query, lines] of cases) {
    const text = formatExplanation('m1', explain(ITEM, query))
    t.equal(text, `m1${lines.replaceAll('\n      ', '\n')}`, JSON.stringify(query))
  }
})

t.test('a note says what is easily overlooked in a value that does not match', async (t) => {
  const item = { ...ITEM, count: 5, ratio: 0.5, at: '2024-03-14', none: null, empty: [] }
  const cases: [query: JsonObject, note: string][] = [
    [{ count: '5' }, 'count is 5, a number, not a string'],
    [{ count: { $gt: '4' } }, 'count is 5, a number, not a string'],
    [{ count: { $in: ['5', '6'] } }, 'count is 5, a number, not a string'],
    [{ count: { $in: ['5', 6] } }, 'count is 5'],
    [{ count: { $regex: '5' } }, 'count is 5, a number, not a string'],
    [{ at: { $gt: 1710374400000 } }, 'at is "2024-03-14", a string, not a number'],
    [{ at: { $lt: { $date: '2025-01-01' } } }, 'at is "2024-03-14", a string, not an object'],
    [{ lattice: true }, 'lattice is {"a": 3.867, "b": "x"}, an object, not a boolean'],
    [{ 'basis.z': '14' }, 'basis.z is 14, 8, missing, a number, not a string'],
    [{ tags: 5 }, 'tags is ["cubic", "oxide"], an array without a number'],
    [{ tags: 'metal' }, 'tags is ["cubic", "oxide"]'],
    [{ none: 5 }, 'none is null'],
    [{ nothing: '5' }, 'nothing is missing'],
    [
      { lattice: { a: 3.867 } },
      'lattice is {"a": 3.867, "b": "x"}; an object must be equal as a whole, with its keys in the same order',
    ],
    [
      { tags: ['oxide'] },
      'tags is ["cubic", "oxide"]; an array must be equal as a whole, in the same order',
    ],
    [{ tags: { $size: 3 } }, 'tags is ["cubic", "oxide"], with 2 elements'],
    [{ empty: { $size: 3 } }, 'empty is [], with 0 elements'],
    [{ count: { $size: 5 } }, 'count is 5, not an array'],
    [{ empty: { $elemMatch: { a: 1 } } }, 'empty is []'],
    [{ at: { $type: 'date' } }, 'at is "2024-03-14", a string'],
    [{ count: { $type: 'double' } }, 'count is 5, of the type int'],
    [{ ratio: { $type: 'int' } }, 'ratio is 0.5, of the type double'],
    [{ lattice: { $type: 'int' } }, 'lattice is {"a": 3.867, "b": "x"}'],
  ]
  for (const [query, note] of cases) {
    const text = formatExplanation('m1', explain(item, query))
    t.equal(/: no \((.*)\)$/.exec(text)?.[1], note, JSON.stringify(query))
  }
})

t.test('an explanation has values that are small, and the closest elements of many', async (t) => {
  const item = {
    long: 'x'.repeat(2000),
    many: Array.from({ length: 20 }, (_, index) => ({ n: index })),
    rows: [[{ n: 1 }], [{ n: 2 }]],
    late: Array.from({ length: 1500 }, (_, index) => index),
  }
  const [long, many, closest, rows, late] = explain(item, {
    long: 'x',
    'many.n': 50,
    many: { $elemMatch: { n: { $gte: 7 }, m: 1 } },
    'rows.0': { $elemMatch: { n: 3 } },
    late: { $elemMatch: { $gt: 1200 } },
  }) as ClauseExplanation[] as [
    ClauseExplanation,
    ClauseExplanation,
    ClauseExplanation,
    ClauseExplanation,
    ClauseExplanation,
  ]
  t.equal(long.found, `"${'x'.repeat(119)}…`)
  t.notOk('values' in long)
  t.equal(many.found, '0, 1, 2, 3, 4, 5, 6, 7, 8, 9, …')
  t.notOk('values' in many)
  t.match(closest.elements, [{ position: 7 }, { position: 8 }, { position: 9 }])
  t.match(rows.elements, [{ position: 0, clauses: [{ path: 'n', values: [1], matches: false }] }])
  t.match(late, { matches: true, elements: [{ position: 1201, matches: true }] })
})
