import type { Random } from '@materials-mock/structures'
import { choose, chooseInteger, chooseWeighted } from './choose.js'

/** Paths of all resources, of arrays and of nothing. */
const PATHS = [
  '_id',
  'name',
  'formula',
  'tags',
  'lattice.a',
  'lattice.type',
  'basis.elements.value',
  'basis.coordinates.0.value',
  'owner._id',
  'isDefault',
  'status',
  'createdAt',
  'nothing.here',
]

const PATTERNS = [
  '^Si',
  'e+$',
  '(?i)FCC',
  '\\p{Lu}[a-z]?',
  '(.*)*x',
  'a{2,3}|b',
  '[[:alpha:]]+\\d',
  '(',
]

/** Returns a query; about one in ten is invalid. */
export const createQuery = (random: Random, depth = 2): Record<string, unknown> =>
  chooseWeighted<() => Record<string, unknown>>(random, [
    [12, () => ({ [createPath(random)]: createCondition(random, depth) })],
    [2, () => ({ ...createQuery(random, 0), ...createQuery(random, 0) })],
    [depth > 0 ? 3 : 0, () => createLogic(random, depth - 1)],
    [1, () => ({ [choose(random, ['$where', '$expr', '$nothing'])]: 1 })],
    [1, () => ({})],
  ])()

const createLogic = (random: Random, depth: number): Record<string, unknown> => ({
  [choose(random, ['$and', '$or', '$nor'])]: Array.from(
    { length: 1 + chooseInteger(random, 3) },
    () => createQuery(random, depth),
  ),
})

const createPath = (random: Random): string =>
  chooseWeighted(random, [
    [9, choose(random, PATHS)],
    [1, `new${chooseInteger(random, 1000)}.path`],
  ])

const createCondition = (random: Random, depth: number): unknown =>
  chooseWeighted<() => unknown>(random, [
    [4, () => createValue(random)],
    [
      4,
      () => ({
        [choose(random, ['$gt', '$gte', '$lt', '$lte', '$ne', '$eq'])]: createValue(random),
      }),
    ],
    [
      2,
      () => ({
        [choose(random, ['$in', '$nin', '$all'])]: [createValue(random), createValue(random)],
      }),
    ],
    [3, () => ({ $regex: choose(random, PATTERNS) })],
    [
      1,
      () => ({
        $exists: random() < 0.5,
        $type: choose(random, ['string', 'number', 'array', 'x']),
      }),
    ],
    [1, () => ({ $size: chooseInteger(random, 4) })],
    [1, () => ({ $mod: [chooseInteger(random, 4), 1] })],
    [depth > 0 ? 2 : 0, () => ({ $not: createCondition(random, depth - 1) })],
    [depth > 0 ? 1 : 0, () => ({ $elemMatch: createQuery(random, depth - 1) })],
  ])()

/** Returns a JSON value. */
export const createValue = (random: Random, depth = 1): unknown =>
  chooseWeighted<() => unknown>(random, [
    [
      3,
      () =>
        choose(random, [
          '',
          'Si',
          'NaCl',
          'ü',
          '\u{1f600}',
          'a'.repeat(chooseInteger(random, 300)),
        ]),
    ],
    [3, () => choose(random, [0, 1, -1, 0.5, 1e300, chooseInteger(random, 100)])],
    [1, () => choose(random, [true, false, null])],
    [depth > 0 ? 1 : 0, () => [createValue(random, depth - 1)]],
    [
      depth > 0 ? 1 : 0,
      () => ({ [choose(random, ['a', 'value', 'b.c', '$d'])]: createValue(random, 0) }),
    ],
  ])()

/** Returns a projection; about one in ten is invalid. */
export const createProjection = (random: Random): Record<string, unknown> => ({
  ...(random() < 0.4 && { sort: { [createPath(random)]: choose(random, [1, -1, 1, -1, 1, 2]) } }),
  ...(random() < 0.3 && { skip: chooseInteger(random, 3000) - 50 }),
  ...(random() < 0.6 && { limit: choose(random, [1, 5, 50, 500, 501]) }),
  ...(random() < 0.3 && {
    fields: { [createPath(random)]: choose(random, [1, 0, { $slice: 1 }]) },
  }),
})
