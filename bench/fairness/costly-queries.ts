import { BASE } from '../workloads/our-path.js'
import type { CostlyWork, Target } from './costly-work.js'
import { getWith, toSlowPattern } from './json-requests.js'

/** The number of items in the largest page. */
const MAX_LIMIT = 500

/** Creates the kinds of work of lists. */
export const createQueryWork = ({ count }: Target): CostlyWork[] => [
  {
    name: 'lists of 500 whole items that were never sent',
    maxRequests: Math.ceil(count / MAX_LIMIT),
    createRequest: (index) =>
      getWith(BASE, { projection: { skip: (index * MAX_LIMIT) % count, limit: MAX_LIMIT } }),
  },
  {
    name: '200 equalities on new paths',
    createRequest: (index) =>
      getWith(BASE, { query: createKeys(200, (key) => [`p${index}.q${key}`, key]) }),
  },
  {
    name: '20 comparisons on new paths',
    createRequest: (index) =>
      getWith(BASE, { query: createKeys(20, (key) => [`c${index}.d${key}`, { $gt: key }]) }),
  },
  {
    name: '$in of 1,000 values on a new path',
    createRequest: (index) => getWith(BASE, { query: { [`in${index}.name`]: { $in: THOUSAND } } }),
  },
  {
    name: '900 conditions in $or',
    createRequest: (index) =>
      getWith(BASE, {
        query: {
          $or: Array.from({ length: 900 }, (_, key) => ({ 'lattice.a': { $lt: -key - index } })),
        },
      }),
  },
  {
    name: '(.*)*x on all names',
    createRequest: (index) => getWith(BASE, { query: { name: { $regex: toSlowPattern(index) } } }),
  },
  {
    name: '(.*)*x on all names, clients that hang up',
    hangUpAfter: 20,
    createRequest: (index) => getWith(BASE, { query: { name: { $regex: toSlowPattern(index) } } }),
  },
  {
    name: '20 patterns of 956 characters in $or',
    createRequest: (index) =>
      getWith(BASE, { query: { $or: createConditions(20, index, toLongPattern) } }),
  },
  {
    name: '100 patterns that are costly to compile in $or',
    createRequest: (index) =>
      getWith(BASE, { query: { $or: createConditions(100, index, toHeavyPattern) } }),
  },
  {
    name: '$elemMatch deep in the items',
    createRequest: (index) =>
      getWith(BASE, {
        query: {
          'basis.coordinates': {
            $elemMatch: { value: { $elemMatch: { $gt: 1 + index, $lt: -1, $type: 'number' } } },
          },
        },
      }),
  },
  {
    name: 'sort on four paths, deep skip',
    createRequest: (index) =>
      getWith(BASE, {
        projection: {
          sort: { 'lattice.type': 1, 'lattice.b': -1, name: 1, [`new${index}`]: 1 },
          skip: Math.max(0, count - 50 - (index % 50)),
        },
      }),
  },
  {
    name: 'sort of everything, limit 500',
    createRequest: (index) =>
      getWith(BASE, {
        projection: { sort: { name: -1, [`new${index}`]: 1 }, limit: MAX_LIMIT },
      }),
  },
  {
    name: 'sort on a new path',
    createRequest: (index) => getWith(BASE, { projection: { sort: { [`sort${index}`]: 1 } } }),
  },
  {
    name: 'fields with $elemMatch and a pattern, 500 items',
    createRequest: (index) =>
      getWith(BASE, {
        projection: {
          skip: (index * MAX_LIMIT) % count,
          limit: MAX_LIMIT,
          fields: {
            derivedProperties: { $elemMatch: { name: { $regex: toSlowPattern(index) } } },
          },
        },
      }),
  },
]

const THOUSAND = Array.from({ length: 1000 }, (_, index) => `value ${index}`)

const createKeys = (
  length: number,
  createKey: (key: number) => [string, unknown],
): Record<string, unknown> => Object.fromEntries(Array.from({ length }, (_, key) => createKey(key)))

/** Returns conditions with patterns that no other index has. */
const createConditions = (
  length: number,
  index: number,
  toPattern: (number: number) => string,
): unknown[] =>
  Array.from({ length }, (_, key) => ({ name: { $regex: toPattern(index * length + key) } }))

/** The length of the longest patterns that are sent: 20 of them fit into one query. */
const PATTERN_LENGTH = 956

/** Returns a pattern of 956 characters: a class with one Unicode property many times. */
export function toLongPattern(number: number): string {
  const property = `\\p{${SCRIPTS[number % SCRIPTS.length]}}`
  const end = `]x${String(number).padStart(9, '0')}`
  const times = Math.floor((PATTERN_LENGTH - 1 - end.length) / property.length)
  return `[${property.repeat(times)}${end}`.padEnd(PATTERN_LENGTH, 'y')
}

const SCRIPTS = ['Han', 'Latin', 'L', 'Greek', 'Lu']

/** Returns a pattern with eight Unicode sets, as many as are allowed. */
const toHeavyPattern = (number: number): string =>
  `${['L', 'Lu', 'Ll', 'N', 'P', 'S', 'M', 'Z'].map((set) => `\\p{${set}}`).join('')}${number}`
