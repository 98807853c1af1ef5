import t from 'tap'

import { OPERATOR_NAMES } from '../../scripts/bundle-ui.js'
import { isNodeOpen, toggleNode, toQueryPath } from '../../packages/page/src/detail/open-nodes.js'
import { completeParameter, completeSchema } from '../../packages/page/src/json/completions.js'
import { listParts, locateInJson } from '../../packages/page/src/json/json-text.js'
import {
  composeList,
  formatPage,
  locateErrors,
  nextSort,
  normalizeFormula,
  pageNumber,
  readDirection,
  skipOf,
  toSearchQuery,
} from '../../packages/page/src/search/compose-list.js'
import { formatCurl, formatSnippets } from '../../packages/page/src/search/request-snippets.js'
import {
  applyChange,
  DEFAULT_STATE,
  parsePageState,
  toAddress,
} from '../../packages/page/src/state/page-state.js'
import { formatMilliseconds } from '../../packages/page/src/table/format-value.js'
import { BASE, build, logIn } from '../helpers/build.js'

const EMPTY = { search: '', query: '', sort: '', fields: '', page: '', size: '' }

t.test('a search is a word, or a formula in any order', async (t) => {
  for (const [text, formula] of [
    ['O2Si', 'SiO2'],
    ['Si2Ge2', 'SiGe'],
    ['Si', 'Si'],
    ['AsGa', 'GaAs'],
    ['silicon', undefined],
    ['Xx2', undefined],
    ['Si0', undefined],
    ['si', undefined],
    ['Si500', 'Si'],
    ['Si501', undefined],
    ['Si O2', 'SiO2'],
    ['Si4O8', 'SiO2'],
  ] as const)
    t.equal(normalizeFormula(text), formula, text)
  t.equal(toSearchQuery('  '), undefined)
  t.same(toSearchQuery('O2Si')?.$or, [{ formula: 'SiO2' }, { name: { $regex: '\\bO2Si\\b' } }])
  t.match(toSearchQuery('a.b(')?.$or, [{ name: { $regex: 'a\\.b\\(', $options: 'i' } }])
})

t.test('a failure of the server is at its place in the input', async (t) => {
  const app = await build(t)
  const headers = await logIn(app, 'demo', 'demo')
  for (const [texts, input, marked] of [
    [{ query: '{"formula": }' }, 'query', '}'],
    [{ query: '{"formula": {"$gtx": 1}}' }, 'query', '"$gtx"'],
    [{ query: '{"a": {"$in": [1, {"$x": 1}]}}' }, 'query', '{"$x": 1}'],
    [{ query: '{"$or": []}', search: 'Si' }, 'query', '"$or"'],
    [{ query: '{"a":\n  nul}' }, 'query', 'n'],
    [{ sort: '{"a": 2}' }, 'sort', '"a"'],
    [{ sort: '{"a": 1}', fields: '{"b": {"$foo": 1}}' }, 'fields', '"$foo"'],
    [{ sort: '{"a": 1', fields: '{"b": 1}' }, undefined, ''],
    [{ sort: '{"a": 1 "b": 1}', fields: '{"b": 1}' }, 'sort', '"'],
  ] as const) {
    const list = composeList({ ...EMPTY, ...texts })
    const parameters = new URLSearchParams({ projection: list.projection.text })
    if (list.query !== undefined) parameters.set('query', list.query.text)
    const response = await app.inject({ url: `${BASE}/materials?${parameters}`, headers })
    t.equal(response.statusCode, 400, JSON.stringify(texts))
    const { message, data } = response.json()
    const [located] = locateErrors(data.details ?? [{ message }], list)
    t.equal(located?.input, input, message)
    const text = input === undefined ? '' : { ...EMPTY, ...texts }[input]
    t.equal(text.slice(located?.start, located?.end), marked, message)
    if (input !== 'query') continue
    const migrated = new URLSearchParams({ advancedSearches: `[${list.query?.text}]` })
    const failure = await app.inject({ url: `${BASE}/materials?${migrated}`, headers })
    const [same] = locateErrors([{ message: failure.json().message }], list)
    t.equal(text.slice(same?.start, same?.end), marked, failure.json().message)
  }
  const details = [{ path: '/sort', message: 'projection.sort must be an object' }]
  const list = composeList({ ...EMPTY, sort: '3' })
  t.match(locateErrors(details, list), [{ input: 'sort', start: 0, end: 1 }])
})

t.test('names of fields and operators are completed where they can stand', async (t) => {
  const fields = ['name', 'lattice', 'lattice.a', 'lattice.type', 'basis.elements.value']
  const complete = (input: 'query' | 'sort' | 'fields', text: string): readonly string[] => {
    const cursor = text.indexOf('|')
    const found = completeParameter(input, fields, OPERATOR_NAMES)(text.replace('|', ''), cursor)
    return found?.options.map(({ label }) => label) ?? []
  }
  t.same(complete('query', '{"lat|'), ['lattice', 'lattice.a', 'lattice.type'])
  t.same(complete('query', '{"lattice.a": {"$g|"}}'), ['$gt', '$gte'])
  t.same(complete('query', '{"$or": [{"na|"}]}'), ['name'])
  t.same(complete('query', '{"basis": {"$elemMatch": {"elements|"}}}'), ['elements.value'])
  t.match(complete('query', '{|'), ['name', 'lattice'])
  t.same(complete('query', '{"name": "lat|"}'), [])
  t.same(complete('query', '{"a": [1, |'), [])
  t.same(complete('sort', '{"lattice.t|'), ['lattice.type'])
  t.same(complete('fields', '{"a": {"$s|'), ['$slice'])
  t.same(complete('sort', '{"TYPE|'), ['lattice.type'], 'in any case, and not at the start alone')
  t.same(
    complete('sort', '{"l|'),
    ['lattice', 'lattice.a', 'lattice.type', 'basis.elements.value'],
    'what starts with it comes first',
  )
  t.same(complete('query', '{"name|'), [], 'all is typed')
  t.same(complete('sort', '{"a": {"|'), [], 'a sort has no inner keys')
  t.same(complete('sort', '{"name": 1, |'), fields)
  t.match(
    completeParameter('sort', fields, OPERATOR_NAMES)('{"name": 1}', 1),
    { options: fields.map((label) => ({ label })), start: 1, end: 1 },
    'a new key before another',
  )
  t.same(complete('sort', '{"name"| : 1}'), [])
  t.same(complete('sort', '{"name": 1|'), [])
  t.equal(complete('query', '{"a": {|').length, 12, 'no more than a list shows')
  t.match(completeParameter('query', fields, OPERATOR_NAMES)('{"lattice.": 1}', 10), {
    options: [{ insert: '"lattice.a"' }, { insert: '"lattice.type"' }],
    start: 1,
    end: 11,
  })
  t.same(
    listParts('{"a": [1, {"b": "x').map(({ path, isKey }) => [path.join('/'), isKey]),
    [
      ['', false],
      ['a', true],
      ['a', false],
      ['a/0', false],
      ['a/1', false],
      ['a/1/b', true],
      ['a/1/b', false],
    ],
  )
  t.same(complete('query', '{lattice.t|'), ['lattice.type'], 'without quotes yet')
  t.same(complete('query', '[{}, |'), [], 'after an object of a list')
})

t.test('what a schema names is completed', async (t) => {
  const named = {
    Lattice: {
      type: 'object',
      properties: {
        a: { type: 'number' },
        type: { anyOf: [{ const: 'CUB' }, { const: 'FCC' }], examples: ['FCC'] },
      },
    },
  }
  const schema = {
    properties: {
      name: { type: 'string', examples: ['Silicon'] },
      isDefault: { type: 'boolean' },
      lattice: { anyOf: [{ type: 'null' }, { $ref: '#/components/schemas/Lattice' }] },
      tags: { type: 'array', items: { enum: ['old', 'new'] } },
    },
  }
  for (const [text, inserts] of [
    ['{|', ['"name": ', '"isDefault": ', '"lattice": ', '"tags": ']],
    ['{"name": "a", "|"', ['"isDefault": ', '"lattice": ', '"tags": ']],
    ['{"na|": "a"}', ['"name"']],
    ['{"name": "|"}', ['"Silicon"']],
    ['{"isDefault": |}', ['true', 'false']],
    ['{"lattice": {"t|"}}', ['"type": ']],
    ['{"lattice": {"type": "f|"}}', ['"FCC"']],
    ['{"tags": ["old", "n|"]}', ['"new"']],
    ['[{"name": "a"}, {"lattice": {"ty|', ['"type": ']],
    ['{"n": 12|', []],
    ['[|', []],
    ['{"other": {"|"}}', []],
    ['{"name": "a" |', []],
    ['{"lattice": {"a": 1, "|"}, "tags"', ['"type": ']],
    ['{"tags": ["a"], "lattice": {"|": 1}}', ['"a"', '"type"']],
    ['{"lattice": {"type": |}}', ['"FCC"', '"CUB"']],
    ['{"tags": {"|', []],
    ['[{"name": "a"}, {"name": |', ['"Silicon"']],
  ] as const) {
    const found = completeSchema(schema, named)(text.replace('|', ''), text.indexOf('|'))
    t.same(found?.options.map(({ insert }) => insert) ?? [], inserts, text)
  }
})

t.test('a refusal of a body is at its place in the text', async (t) => {
  const app = await build(t)
  const headers = await logIn(app, 'demo', 'demo')
  for (const [payload, marked] of [
    ['{"name": 3}', ['"name"']],
    ['{"name": "a", "lattice": {"a": "x"}}', ['"a"']],
    ['{"tags": [1, "b", 2]}', ['1', '2']],
    ['{"name":\n nope}', ['n']],
    ['[1]', ['']],
  ] as const) {
    const url = `${BASE}/materials/create`
    const json = { ...headers, 'content-type': 'application/json' }
    const { message, data } = (
      await app.inject({ method: 'PUT', url, headers: json, payload })
    ).json()
    const located = locateInJson(payload, data.details ?? [{ message }])
    t.same(
      located.map(({ start, end }) => payload.slice(start, end)),
      marked,
      message,
    )
    const list = `[{"name": 3}, ${payload}]`
    t.same(
      locateInJson(list, data.details ?? [{ message }], 1)
        .filter(() => !/line/.test(message))
        .every(({ start, end }) => start === end || start > 12),
      true,
      'the second one of a list',
    )
  }
  for (const [text, message, marked] of [
    ['{"tag": 1, "tags": [1, 2]}', 'tags.1 must be a string', '2'],
    ['{"tags": [1, 2], "tag": 1}', 'tag must be a string', '"tag"'],
    ['{"a": {"a": 1}, "b": {"a": 2}}', 'b.a must be a string', '"a"'],
    ['{\n  "a": x}', 'malformed at line 2, column 8', 'x'],
    ['{"a": 1}', 'something else', ''],
  ] as const) {
    const [{ start, end } = { start: 0, end: 0 }] = locateInJson(text, [{ message }])
    t.equal(text.slice(start, end), marked, message)
  }
  const [unknown] = locateInJson('{"a": 1, "x": 2}', [
    { message: '"x" is not known here, which has a' },
  ])
  t.match(unknown, { start: 9, end: 12 })
})

t.test('the address holds the state', async (t) => {
  t.equal(toAddress(DEFAULT_STATE), './')
  const state = { ...DEFAULT_STATE, resource: 'jobs', query: '{"a": "ä&="}', item: 'x', as: 'lab' }
  t.same(parsePageState(toAddress(state).slice(2)), state)
  t.same(parsePageState('?view=nothing&constructor=1'), DEFAULT_STATE)
  for (const sandbox of ['.', '..']) t.same(parsePageState(`?sandbox=${sandbox}`), DEFAULT_STATE)
  t.match(parsePageState('?sandbox=...&view=requests'), { sandbox: '...', view: 'requests' })
  const seen = { ...state, pose: '0,0,0,1,2,0,0', bonds: 'Ti-O', atoms: 'all', open: 'a.b,c' }
  t.match(toAddress(seen), /&pose=0,0,0,1,2,0,0&bonds=Ti-O&atoms=all&open=a.b,c$/)
  t.same(applyChange(seen, { item: 'y' }), { ...state, item: 'y' }, 'another item is new')
  t.same(applyChange(seen, { item: 'x', tab: 'JSON' }), { ...seen, tab: 'JSON' })
})

t.test('the opened nodes of a tree are a text', async (t) => {
  const clicks: [path: string[], open: string][] = [
    [['lattice'], 'lattice'],
    [['lattice', 'vectors'], 'lattice.vectors'],
    [['lattice', 'units'], 'lattice.vectors,lattice.units'],
    [['lattice', 'vectors'], 'lattice.units'],
    [['lattices'], 'lattice.units,lattices'],
    [['lattice', 'units'], 'lattices,lattice'],
    [['lattice', 'a.b,%'], 'lattices,lattice.a%2eb%2c%25'],
    [['lattice', 'a.b,%', ''], 'lattices,lattice.a%2eb%2c%25.%'],
    [['lattice'], 'lattices'],
    [['lattices'], ''],
  ]
  let open = ''
  for (const [path, expected] of clicks) {
    const wasOpen = isNodeOpen(open, path)
    open = toggleNode(open, path)
    t.equal(open, expected)
    t.equal(isNodeOpen(open, path), !wasOpen)
  }
  t.notOk(isNodeOpen('lattice.a,,', ['lattice', 'a', 'b']))
})

t.test('a click sorts upward, downward and not at all', async (t) => {
  const none = { sort: '', order: '' }
  const up = { sort: '{"a":1}', order: '' }
  const down = { sort: '{"a":-1}', order: '' }
  const fromEnd = { sort: '{"a":-1}', order: 'reversed' }
  const other = { sort: 'not JSON', order: '' }
  for (const [isDownward, states] of [
    [false, [none, up, down, none]],
    [true, [other, fromEnd, down, none]],
  ] as const) {
    for (const [index, state] of states.slice(0, -1).entries())
      t.same(nextSort(state, 'a', isDownward), states[index + 1])
  }
  t.same(
    [none, up, down, fromEnd, { ...up, order: 'reversed' }].map((state) =>
      readDirection(state, 'a'),
    ),
    [undefined, 1, -1, 1, -1],
  )
})

t.test('a list is composed of the typed texts', async (t) => {
  const si = JSON.stringify(toSearchQuery('Si'))
  for (const [texts, query, projection] of [
    [{}, undefined, '{"limit":50}'],
    [{ page: '2' }, undefined, '{"limit":50,"skip":50}'],
    [{ page: '3', size: '100' }, undefined, '{"limit":100,"skip":200}'],
    [{ page: '0', size: '7' }, undefined, '{"limit":7}'],
    [{ page: '1.5', size: '20' }, undefined, '{"limit":20,"skip":10}'],
    [{ size: '501' }, undefined, '{"limit":50}'],
    [{ page: '12345678' }, undefined, '{"limit":50}'],
    [{ search: 'Si' }, si, '{"limit":50}'],
    [{ query: ' {"a": 1}' }, ' {"a": 1}', '{"limit":50}'],
    [{ search: 'Si', query: '{"a": 1}' }, `{"$and":[${si},{"a": 1}]}`, '{"limit":50}'],
    [{ search: ' ', query: ' ', sort: ' ' }, undefined, '{"limit":50}'],
    [{ sort: '{"a": 1}' }, undefined, '{"limit":50,"sort":{"a": 1}}'],
    [{ shownFields: '{"a":1}' }, undefined, '{"limit":50,"fields":{"a":1}}'],
    [{ fields: '{"b": 1}', shownFields: '{"a":1}' }, undefined, '{"limit":50,"fields":{"b": 1}}'],
  ] as const) {
    const list = composeList({ ...EMPTY, ...texts })
    t.same([list.query?.text, list.projection.text], [query, projection], JSON.stringify(texts))
  }
})

t.test('a page begins at any item', async (t) => {
  for (const size of [1, 7, 50, 499, 500]) {
    for (const skip of [0, 1, 3, 49, 50, 123, 998, 100_001])
      t.equal(skipOf(pageNumber(formatPage(1 + skip / size)), size), skip, `${skip} by ${size}`)
  }
})

t.test('a list is read from its end', async (t) => {
  for (const [page, end, expected] of [
    ['', 120, '{"limit":50,"skip":70}'],
    ['2', 120, '{"limit":50,"skip":20}'],
    ['3', 120, '{"limit":20}'],
    ['4', 120, '{"limit":1,"skip":120}'],
    ['', 0, '{"limit":1}'],
  ] as const)
    t.equal(composeList({ ...EMPTY, page, end }).projection.text, expected)
})

t.test('a time of a job is one of UTC, if it is one', async (t) => {
  t.equal(formatMilliseconds(1_720_177_209_123), '2024-07-05 11:00:09')
  t.equal(formatMilliseconds(1e20), '–')
})

t.test('a path is one that a query takes', async (t) => {
  for (const [path, expected] of [
    [['basis', 'elements', 0, 'value'], 'basis.elements.value'],
    [['tags', 1], 'tags'],
    [['levels', '1'], 'levels.1'],
    [['data', 'series', 0, 2], 'data.series.0'],
    [['a', '$b', ' ', ''], 'a.$b. .'],
    [['$a'], undefined],
    [['a', 0, 'b.c', 'd'], undefined],
  ] as const)
    t.equal(toQueryPath(path), expected)
})

t.test('a request is shown for curl, fetch and Python', async (t) => {
  const [curl, fetch, python, ...others] = formatSnippets({
    origin: 'http://127.0.0.1:4000',
    path: '/api/2018-10-01/materials',
    headers: { 'X-Account-Id': 'a' },
    parameters: { query: `{"name": "it's"}`, projection: undefined },
  })
  t.same(others, [])
  t.match(curl, {
    name: 'curl',
    code: `curl -sG 'http://127.0.0.1:4000/api/2018-10-01/materials' \\\n  -H 'X-Account-Id: a' \\\n  --data-urlencode 'query={"name": "it'\\''s"}'`,
  })
  t.match(fetch, {
    name: 'fetch',
    code: `const parameters = new URLSearchParams({
  query: "{\\"name\\": \\"it's\\"}",
})
const response = await fetch("http://127.0.0.1:4000/api/2018-10-01/materials" + '?' + parameters, {
  headers: {
    "X-Account-Id": "a"
  },
})
const { data } = await response.json()`,
  })
  t.match(python, {
    name: 'Python',
    code: `import requests

response = requests.get(
    "http://127.0.0.1:4000/api/2018-10-01/materials",
    headers={
        "X-Account-Id": "a",
    },
    params={
        "query": "{\\"name\\": \\"it's\\"}",
    },
)
print(response.json()["data"])`,
  })
})

t.test('curl sends a request of the journal as it was', async (t) => {
  for (const [method, path, body, expected] of [
    ['HEAD', '/x', undefined, `curl -s --head 'http://h/x' \\\n  -H 'a: b'`],
    ['GET', '/x?q={}&q={}&p=', undefined, `curl -sg 'http://h/x?q={}&q={}&p=' \\\n  -H 'a: b'`],
    [
      'PUT',
      '/x?q=a+b',
      '{}',
      `curl -s -X PUT 'http://h/x?q=a+b' \\\n  -H 'a: b' \\\n  --data-raw '{}'`,
    ],
  ] as const) {
    const request = { origin: 'http://h', path, method, headers: { a: 'b' }, parameters: {}, body }
    t.equal(formatCurl(request), expected)
  }
})
