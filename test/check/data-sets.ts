import type { JsonObject } from '@materials-mock/json'

/** Fixtures of different kinds, for the statements of the contract. */
export interface DataSet {
  readonly resource: string
  /** The items, or undefined for the shipped fixtures. */
  readonly fixtures: Record<string, JsonObject[]> | undefined
}

/** The account of all data sets. */
export const ACCOUNT = { _id: 'ann', username: 'ann@example.com', password: 'p&ss w+rd/%41é' }

const NUMBERS = [0, 2, 10, -1, 1e300, 5e-324, 0.1, 1 / 3, 2 ** 60, -1e-7, 100, 21]

/** Strings of several alphabets, and with characters that URLs and patterns treat specially. */
const STRINGS = [
  'Ångström µ',
  '硅 二氧化硅',
  'кремний (Si)',
  'سيليكون',
  '🙂 smile',
  'a+b c%20d',
  'Zebra',
  'apple',
  'x & y = z?',
  '"quoted" \\ back',
  'line\nbreak',
  '.*^$[({',
]

/** Items with values of every type at the same paths. */
const EXOTIC = STRINGS.map((text, index) => ({
  _id: ['ä/ö', 'a b', 'x?y#z', '%41', '+1', '...', '"q"', "o'r"][index] ?? `id${index}`,
  name: text,
  number: NUMBERS[index] ?? 0,
  count: index % 5,
  mixed: [null, 1, 'one', true, 10, 'two', false, 2][index % 8] ?? null,
  nested: { name: text, deep: { number: NUMBERS[index] ?? 0, nothing: null } },
  tags: [text, 'all'],
  parts: [{ name: text, n: index }, { name: 'all' }],
  matrix: [[index], []],
  empty: {},
  none: [],
  date: `2024-01-${String(index + 10)}T00:00:00.000Z`,
  ...(index % 2 === 0 ? { sometimes: index % 4 === 0 ? null : 'here' } : {}),
  'Ключ с пробелом': 'значение',
  '1': 'numeric key',
}))

/** The shipped fixtures. */
export const SHIPPED: DataSet = { resource: 'materials', fixtures: undefined }

/** Names of data sets, and the data sets. */
export const DATA_SETS: Readonly<Record<string, DataSet>> = {
  shipped: SHIPPED,
  sparse: {
    resource: 'materials',
    fixtures: {
      materials: [
        { _id: 'c' },
        { _id: 'a', name: 'only a name' },
        { _id: 'b', formula: 'Si', unknown: { n: 1 } },
        { _id: 'd', tags: [] },
      ],
    },
  },
  single: { resource: 'things', fixtures: { things: [{ _id: 'a', name: 'one' }] } },
  pair: {
    resource: 'things',
    fixtures: {
      things: [
        { _id: 'a', name: 'one' },
        { _id: 'b', name: 'two' },
      ],
    },
  },
  empty: { resource: 'materials', fixtures: { materials: [] } },
  exotic: { resource: 'things', fixtures: { things: EXOTIC } },
  large: {
    resource: 'things',
    fixtures: {
      things: Array.from({ length: 600 }, (_, index) => ({
        _id: `i${index}`,
        index,
        isOdd: index % 2 === 1,
      })),
    },
  },
}
