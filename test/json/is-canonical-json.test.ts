import t from 'tap'

import { isCanonicalJson } from '../../src/json/is-canonical-json.js'

const ITEMS = [{ _id: 'a', formula: 'Si', list: [1, 2.5, -0.1, 1e21], none: [] }, { _id: 'é"\\' }]

const isCanonical = (text: string): boolean => isCanonicalJson(text, JSON.parse(text))

/** Returns empty arrays in each other. */
const nest = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels)

t.test('a text that JSON.stringify writes is canonical', async (t) => {
  for (const [name, text] of [
    ['one line', JSON.stringify(ITEMS)],
    ['two spaces', JSON.stringify(ITEMS, null, 2)],
    ['two spaces, a final line', `${JSON.stringify({ materials: ITEMS }, null, 2)}\n`],
    ['an item on each line', `[\n${ITEMS.map((item) => JSON.stringify(item)).join(',\n')}\n]\n`],
  ] as const)
    t.equal(isCanonical(text), true, name)
})

t.test('what the walk would find is never canonical', async (t) => {
  for (const [name, text] of [
    ['a key twice', '[{"_id":"a","_id":"b"}]'],
    ['a key twice with the same value', '[\n{"_id":"a","n":1,"n":1}\n]\n'],
    ['a key twice, indented', '[\n  {\n    "_id": "a",\n    "_id": "a"\n  }\n]'],
    ['a number that no double holds', '[{"_id":"a","n":1e999}]'],
    ['100 levels', `[{"_id":"a","n":${nest(99)}}]`],
    ['more levels than the stack holds', `[{"_id":"a","n":${nest(100_000)}}]`],
  ] as const)
    t.equal(isCanonical(text), false, name)
  t.equal(isCanonical(`[{"_id":"a","n":${nest(40)}}]`), true, '42 levels')
})
