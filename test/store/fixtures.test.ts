import { truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import t from 'tap'

import { FixturesInvalid } from '../../src/errors.js'
import { DEMO_ACCOUNT, checkFixtures, readFixtures } from '../../src/store/fixtures.js'

t.test('a folder gives its accounts and a resource for each other list', async (t) => {
  const folder = t.testdir({
    'accounts.json': '[{"_id": "a", "username": "ann", "password": "x", "tokens": ["t"]}]',
    'materials.json': '\uFEFF[{"_id": "m1", "unknown": {"field": 1}}]',
    'wave-functions.json': '[]',
    'notes.txt': 'not a fixture',
    sources: { 'more.json': '[' },
  })
  const { accounts, resources } = await readFixtures(folder)
  t.same(accounts, [{ _id: 'a', username: 'ann', password: 'x', tokens: ['t'] }])
  t.same(
    [...resources].map(([name, { items }]) => [name, items]),
    [
      ['materials', [{ _id: 'm1', unknown: { field: 1 } }]],
      ['wave-functions', []],
    ],
  )
})

t.test('without accounts there is one, demo', async (t) => {
  t.same((await readFixtures(t.testdir({}))).accounts, [DEMO_ACCOUNT])
})

t.test('JSON Lines are read a line an item, whatever their length', async (t) => {
  const items = Array.from({ length: 5000 }, (_, index) => ({
    _id: `m${index}`,
    note: 'Å'.repeat(index % 997),
  }))
  const text = items.map((item) => JSON.stringify(item)).join('\n')
  t.ok(Buffer.byteLength(text) > 2 ** 22, 'it is read in several pieces')
  const folder = t.testdir({
    'accounts.jsonl': '\uFEFF{"_id": "a", "username": "ann", "password": "x"}\r\n\r\n',
    'materials.jsonl': text,
    'nothing.jsonl': '',
  })
  const { accounts, resources } = await readFixtures(folder)
  t.same(accounts, [{ _id: 'a', username: 'ann', password: 'x' }])
  t.strictSame(resources.get('materials')?.items, items)
  t.same(resources.get('nothing')?.items, [])
})

t.test('a JSON file that is too long for one text is sent to JSON Lines', async (t) => {
  const folder = t.testdir({ 'materials.json': '' })
  truncateSync(join(folder, 'materials.json'), 3 * 2 ** 30)
  await t.rejects(
    readFixtures(folder),
    /it is longer than one JSON text can be; make it JSON Lines/,
  )
})

t.test('bytes that are not UTF-8 are told, and where', async (t) => {
  const cases: [file: string, bytes: (string | number[])[], message: string][] = [
    ['materials.json', ['[{"_id": "', [0xe9], '"}]'], 'byte 10 (0xe9)'],
    ['materials.json', ['[{"_id": "Å\uFFFD€😀', [0xf0, 0x9f, 0x98], '"}]'], 'byte 22 (0xf0)'],
    ['materials.json', ['[]', [0xc3]], 'byte 2 (0xc3)'],
    ['materials.json', [[0xff, 0xfe, 0x5b, 0, 0x5d, 0]], 'byte 0 (0xff)'],
    ['materials.json', ['[{"_id": "', [0xed, 0xa0, 0x80], '"}]'], 'byte 10 (0xed)'],
    ['materials.jsonl', ['{"_id": "a"}\n\n{"_id": "', [0x80], '"}\n'], 'line 3: byte 9 (0x80)'],
    ['accounts.json', ['[', [0xc0, 0xaf], ']'], 'byte 1 (0xc0)'],
  ]
  for (const [file, parts, message] of cases) {
    const folder = t.testdir({})
    writeFileSync(
      join(folder, file),
      Buffer.concat(parts.map((part) => Buffer.from(part as string))),
    )
    await t.rejects(
      readFixtures(folder),
      new FixturesInvalid(
        `${join(folder, file)} is not UTF-8: ${message} is no part of a character`,
      ),
    )
  }
  const folder = t.testdir({ 'materials.json': '[{"_id": "\uFFFD"}]' })
  t.same((await readFixtures(folder)).resources.get('materials')?.items, [{ _id: '\uFFFD' }])
})

t.test('what is wrong in a folder is named', async (t) => {
  const cases: [files: Record<string, string | Record<string, string>>, message: RegExp][] = [
    [
      { 'materials.json': '[{"_id": "a"},\n{"_id": }]' },
      /materials\.json is not JSON: line 2, column 9: a value is expected/,
    ],
    [
      { 'materials.json': '' },
      /materials\.json is not JSON: line 1, column 1: a value is expected/,
    ],
    [{ 'materials.json': '{}' }, /materials\.json must be a list of items, not {}$/],
    [{ 'Materials.json': '[]' }, /Materials\.json has the name "Materials"/],
    [{ 'login.json': '[]' }, /login\.json can't be a resource: \/login is a route of its own/],
    [
      { 'materials.json': '[{"_id": "a"}, 5]' },
      /materials\.json, item 2: must be an object, not 5$/,
    ],
    [
      { 'materials.json': '[{"name": "Si"}]' },
      /item 1: _id must be a string that is not empty, not undefined$/,
    ],
    [
      { 'materials.json': '[{"_id": 7}]' },
      /item 1: _id must be a string that is not empty, not 7$/,
    ],
    [
      { 'materials.json': '[{"_id": "a"}, {"_id": "b"}, {"_id": "a"}]' },
      /item 3: _id "a" is that of item 1 too$/,
    ],
    [
      {
        'materials.json':
          '[{"_id": "a", "basis": {"coordinates": [{"id": 0, "value": [0, "x", 0]}]}}]',
      },
      /item 1 \(_id "a"\): basis\.coordinates\.0\.value\.1 must be a number, not "x"$/,
    ],
    [
      { 'notes.json': '[{"_id": "a", "b": [0, {"c": 1e999}]}]' },
      /item 1 \(_id "a"\): b\.1\.c must be a number that a double can hold, below 1\.8e308$/,
    ],
    [
      { 'notes.json': `[{"_id": "a", "b": ${'['.repeat(5000)}${']'.repeat(5000)}}]` },
      /item 1 \(_id "a"\): must have at most 100 levels of JSON$/,
    ],
    [
      { 'accounts.json': '[{"_id": "a", "username": "u"}]' },
      /accounts\.json, item 1 \(_id "a"\): password must be/,
    ],
    [
      {
        'accounts.json':
          '[{"_id": "a", "username": "u", "password": "p"}, {"_id": "b", "username": "u", "password": "p"}]',
      },
      /_id "b": the username "u" is there twice$/,
    ],
    [
      { 'accounts.json': '[{"_id": "a", "username": "u", "password": "p", "tokens": ["t", "t"]}]' },
      /_id "a": the token "t" is there twice$/,
    ],
  ]
  const lines: typeof cases = [
    [
      { 'materials.jsonl': '{"_id": "a"}\n\n{"_id": }' },
      /materials\.jsonl is not JSON: line 3, column 9: a value is expected$/,
    ],
    [{ 'materials.jsonl': '{"_id": "a"}\r\n\r\n5' }, /jsonl, line 3: must be an object, not 5$/],
    [
      { 'materials.jsonl': ' \n{"_id": "a", "name": 5}\n' },
      /jsonl, line 2 \(_id "a"\): name must be a string, not 5$/,
    ],
    [
      { 'materials.jsonl': '{"_id": "a"}\n\n{"_id": "a"}\n' },
      /jsonl, line 3: _id "a" is that of line 1 too$/,
    ],
    [{ 'materials.jsonl': '[]\n' }, /jsonl, line 1: must be an object, not \[\]$/],
    [
      { 'materials.json': '[]', 'materials.jsonl': '' },
      /materials\.json and \S+materials\.jsonl are both of materials; keep one of them$/,
    ],
    [{ 'materials.jsonl': {} }, /materials\.jsonl can't be read: it is a folder$/],
  ]
  for (const [files, message] of [...cases, ...lines])
    await t.rejects(
      readFixtures(t.testdir(files)),
      { code: 'FIXTURES_INVALID', message },
      String(message),
    )
})

t.test('a folder that is missing, or is none, is named', async (t) => {
  const folder = t.testdir({ file: '' })
  await t.rejects(readFixtures(join(folder, 'nowhere')), /nowhere can't be read: it does not exist/)
  await t.rejects(readFixtures(join(folder, 'file')), /file can't be read: it is not a folder/)
})

t.test('lists in process are checked alike', async (t) => {
  t.throws(() => checkFixtures({ materials: [{ _id: '' }] }), FixturesInvalid)
  t.throws(
    () => checkFixtures({ materials: [{ _id: '' }] }),
    /^fixtures\.materials, item 1: _id must be/,
  )
})
