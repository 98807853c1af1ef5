import t from 'tap'

import type { Item } from '../src/api/item.js'
import {
  chooseFieldColumns,
  composeFields,
  createColumn,
  listFieldPaths,
  pickColumns,
} from '../src/table/columns.js'
import type { Column } from '../src/table/columns.js'
import { formatNumber, formatValue } from '../src/table/format-value.js'

const toTitles = (columns: readonly Column[]): string[] => columns.map(({ title }) => title)
const choose = (...items: readonly Item[]): string[] => toTitles(chooseFieldColumns(items))

t.test('the columns are the fields that tell the items apart', async (t) => {
  for (const [reason, items, titles] of [
    ['no item', [], ['_id']],
    ['fields that tell little', [{ hash: 'x', metadata: { a: 1 } }], ['_id']],
    ['usual fields first', [{ a: 1, slug: 's', name: 'n' }], ['name', 'slug', 'a']],
    ['ids and times last', [{ _id: 'x', updatedAt: 't', a: 1 }], ['a', '_id', 'updatedAt']],
    ['the order of the items', [{ b: 1, a: 1 }], ['b', 'a']],
    ['lists of up to six', [{ a: [1, 2, 3, 4, 5, 6], b: [1, 2, 3, 4, 5, 6, 7], c: [] }], ['a']],
    ['no list of objects', [{ a: [{ b: 1 }], b: [null], c: [true] }], ['c']],
    ['three levels', [{ a: { b: { c: 1, d: { e: 1 } } } }], ['a.b.c']],
    ['no key with a dot', [{ 'a.b': 1, c: { 'd.e': 1, f: 1 } }], ['c.f']],
    [
      'equal values once',
      [
        { a: 1, b: 1, c: 2 },
        { a: 2, b: 2, c: 2 },
      ],
      ['a', 'c'],
    ],
    [
      'the name among equal values',
      [
        { slug: 'a', name: 'a' },
        { slug: 'b', name: 'b' },
      ],
      ['name'],
    ],
    ['also equal values of one item', [{ a: 1, b: 1 }], ['a', 'b']],
  ] as const)
    t.same(choose(...items), titles, reason)
  const letters = [...'abcdefgh']
  const item = (count: number) => Object.fromEntries(letters.map((key) => [key, `${key}${count}`]))
  t.same(choose(item(1), item(2)), letters.slice(0, 7), 'the first seven')
  const same = { ...item(2), a: 'a1' }
  t.same(choose(item(1), same), letters.slice(1), 'not the one that is always the same')
  const { b: _, ...rare } = item(2)
  t.same(choose(item(1), rare), [...'acdefgh'], 'not the one that some items lack')
  const [one, other] = [1, 2].map((count) => ({
    updatedAt: `${count}`,
    ...Object.fromEntries(letters.slice(1).map((key) => [key, { x: `${key}${count}` }])),
  }))
  t.same(
    choose(one ?? {}, other ?? {}),
    letters.slice(1).map((key) => `${key}.x`),
    'not a time, rather than a field of an object',
  )
  const deep = Object.fromEntries(
    letters.map((key) => [key, { x: `${key}1`, y: { z: `${key}2` } }]),
  )
  t.same(
    choose(deep),
    letters.slice(0, 7).map((key) => `${key}.x`),
    'not the deepest',
  )
})

t.test('the columns are laid out by their values', async (t) => {
  const columns = chooseFieldColumns([
    { a: 1, b: 'x', c: 'y', d: 1, e: 1 },
    { a: 2, b: 'z', c: 'w', d: 2.5, e: 'x' },
  ])
  t.same(
    columns.map(({ isMain, isNumeric, isFlexible, shownIn }) => [
      isMain,
      isNumeric,
      isFlexible,
      shownIn,
    ]),
    [
      [true, true, false, undefined],
      [false, false, false, undefined],
      [false, false, true, undefined],
      [false, true, false, 'wide'],
      [false, false, false, 'roomy'],
    ],
  )
  t.match(chooseFieldColumns([]), [{ title: '_id', isMain: true, isNumeric: false }])
  const [, , third] = chooseFieldColumns([{ a: 'x', b: 'y', c: 3 }])
  t.equal(third?.isFlexible, false, 'a number is not shortened')
})

t.test('the fields that can be columns are those with a scalar or a short list', async (t) => {
  const items = [
    { _id: 'x', a: { b: null } },
    { c: [1], a: { d: 1 } },
  ]
  t.same(listFieldPaths(items), ['_id', 'a.b', 'c', 'a.d'])
})

t.test('a list asks for each field once', async (t) => {
  const columns = ['a.b', 'a', 'ab', 'c.d.e', 'c.d', '_id'].map((path) => createColumn(path))
  t.same(composeFields(columns), { _id: 1, a: 1, ab: 1, 'c.d': 1 })
  t.same(composeFields([]), { _id: 1 })
  t.equal(createColumn('a.b', 'Title').cell({ a: { b: 1 } }), '1')
})

t.test('one of the chosen columns opens the item', async (t) => {
  const usual = [
    { ...createColumn('name', 'Name'), isMain: true },
    { ...createColumn('status', 'Status'), shownIn: 'wide' } as const,
  ]
  for (const [names, titles, opener] of [
    [['Status', 'Name'], ['Status', 'Name'], 'Name'],
    [['Status', 'a.b'], ['Status', 'a.b'], 'Status'],
  ] as const) {
    const picked = pickColumns(usual, names)
    t.same(toTitles(picked), titles)
    t.same(toTitles(picked.filter(({ isMain }) => isMain)), [opener], `${titles}`)
    t.ok(
      picked.every(({ shownIn }) => shownIn === undefined),
      'a narrow table has all of them',
    )
  }
})

t.test('a cell is one line', async (t) => {
  for (const [value, text] of [
    [undefined, '–'],
    [null, '–'],
    [true, 'yes'],
    [false, 'no'],
    [12345678, '12345678'],
    [1.23456789, '1.23457'],
    [123456.789, '123457'],
    [-1234567.891, '-1234568'],
    [1735687800.123, '1735687800'],
    [-0.000123456789, '-0.000123457'],
    ['text', 'text'],
    ['2024-07-05T11:00:09Z', '2024-07-05 11:00'],
    ['2024-07-05T11:00:09.123Z', '2024-07-05 11:00'],
    ['2024-07-05', '2024-07-05'],
    ['on 2024-07-05T11:00:09Z', 'on 2024-07-05T11:00:09Z'],
    [[1, 'a', null, [true]], '1, a, –, yes'],
    [{ a: 1, b: { c: 2 } }, 'a, b'],
    [[], ''],
  ] as const)
    t.equal(formatValue(value), text, JSON.stringify(value))
  t.equal(formatNumber(1e21), '1e+21')
})
