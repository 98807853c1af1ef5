import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import type { FastifyInstance, InjectOptions } from 'fastify'
import t from 'tap'
import type { Test } from 'tap'

import { MAX_KEYS, isJsonObject } from '@materials-mock/json'
import type { Json, JsonObject } from '@materials-mock/json'
import { CONVERSIONS, PATTERNS, TEXTS } from '@materials-mock/query'
import { check } from '../../src/cli/check.js'
import type { Command } from '../../src/cli/command.js'
import { COMMANDS } from '../../src/cli/commands.js'
import { footprint } from '../../src/cli/footprint.js'
import { generate } from '../../src/cli/generate.js'
import { mutate } from '../../src/cli/mutate.js'
import { record } from '../../src/cli/record.js'
import { site } from '../../src/cli/site.js'
import { MAX_PARAMETERS } from '../../src/http/request-target.js'
import { buildApp } from '../../src/server/app.js'
import { BASE } from '../helpers/build.js'
import { replace } from '../helpers/replace.js'

/**
 * What is sent to a place: as much as the bound of the place lets in. A quadratic way to read it takes
 * many seconds of CPU, a linear one some milliseconds, so that no noise decides.
 */
interface Row {
  /** The route that reads it, as the router writes it, or another place. */
  readonly place: string
  readonly input: string
  /** What is sent before, which does not count. */
  readonly before?: readonly InjectOptions[]
  /** What is sent, one after the other, or else what is done. A getter makes long texts when they are needed. */
  readonly send: readonly InjectOptions[] | (() => Promise<unknown>)
  /** The most CPU that it may take, in ms (default: 1000). */
  readonly limit?: number
}

/** The most CPU that a row may take, in ms. */
const LIMIT = 1000

/** The same for a check, which reads such an answer a hundred times. */
const LIMIT_OF_CHECK = 10_000

/** The length of a text in a URL or a header. A server reads 256 KiB, but a quadratic pattern takes 20 s for this. */
const HEAD = 40_000

/** The length of a text in a body. A quadratic pattern takes four seconds for it. */
const TEXT = 20_000

/** The length of a body: most routes read 1 MiB. */
const BODY = 1_000_000

/** Texts to repeat. They end otherwise than they begin, so that a pattern that repeats them is tried to the end. */
const UNITS = [' ', '0.', ' ,', '/', '\\', "'a ", '[{', '%41', '*a', '/**', 'token ', '<&;-+_|#=:']

/** Those for places that are too many for all. */
const FEW_UNITS = [' ', '0.', ' ,', '%41', 'token ', '<&;-+_|#=:']

const repeat = (unit: string, length: number): string =>
  `${unit.repeat(Math.floor(length / unit.length))}!`

const many = <T>(count: number, create: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => create(index))

function keys(count: number, value: unknown = 0): string {
  const text = JSON.stringify(value)
  return `{"_id":"a",${many(count, (index) => `"k${index}":${text}`).join()}}`
}

const get = (url: string, parameters: Readonly<Record<string, unknown>> = {}): InjectOptions => {
  const texts = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters))
    texts.set(name, typeof value === 'string' ? value : JSON.stringify(value))
  return { method: 'GET', url: `${url}?${texts}` }
}

const sendJson = (route: string, body: unknown): InjectOptions => {
  const [method, url] = route.split(' ')
  const payload = typeof body === 'string' ? body : JSON.stringify(body)
  const headers = { 'content-type': 'application/json' }
  return { method: method as 'POST', url: url as string, headers, payload }
}

const sendForm = (url: string, payload: string): InjectOptions => ({
  ...sendJson(`POST ${url}`, payload),
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
})

/** The headers that something reads, or writes into an answer. */
const HEADERS = ['accept', 'accept-encoding', 'access-control-request-headers', 'access-control-request-method', 'authorization', 'connection', 'content-type', 'cookie', 'host', 'if-none-match', 'origin', 'prefer', 'range', 'referer', 'sec-fetch-site', 'x-account-id', 'x-auth-token', 'x-materials-mock-hops', 'x-mock-sandbox'] // prettier-ignore

const joinParameters = (count: number): string =>
  many(count, (index) => `${index.toString(36)}=`).join('&')

const MANY_PARAMETERS = joinParameters(MAX_PARAMETERS)

/** As many fields as a form of 16 KiB has room for. */
const MANY_FIELDS = joinParameters(4000).slice(0, 16_000)

/** Bodies of JSON, with as many values, keys or levels as there is room for. */
const JSON_BODIES: Readonly<Record<string, string>> = {
  'the most keys': keys(MAX_KEYS - 1),
  'too many keys': keys(80_000),
  'a key twice': `{ ${many(60_000, (index) => `"k${index}": 0`).join(' , ')}, "k1": 1 }`,
  'many levels': '{"a":['.repeat(BODY / 8),
  'many values': `{"name":[${many(400_000, () => '0').join()}]}`,
  'many escapes': `{"name":"${'\\u0041'.repeat(BODY / 8)}"}`,
  'a long number': `{"name":${'1'.repeat(BODY)}}`,
}

/** A POSCAR file and a CIF file, of which each line and each value is replaced. */
const POSCAR = ['Si', '1.0', '3 0 0', '0 3 0', '0 0 3', 'Si', '1', 'Selective', 'Direct', '0 0 0 T T T'] // prettier-ignore

const CIF = Object.fromEntries(
  `_cell_length_a 5.4,_cell_length_b 5.4,_cell_length_c 5.4,_cell_angle_alpha 90,_cell_angle_beta 90,_cell_angle_gamma 90,_symmetryItspace_group_name_H-M 'P 1',_symmetryItspace_group_name_Hall 'P 1',_symmetryItInt_Tables_number 1,_space_group_name_Schoenflies C1.1,_symmetryItequiv_pos_as_xyz 'x;y;z',_atom_site_label Si1,_atom_site_type_symbol Si,_atom_site_occupancy 1,_atom_site_fract_x 0,_atom_site_fract_y 0,_atom_site_fract_z 0`
    .split(',')
    .map((line) => [line.replace(/ .*/, ''), line.replace(/^\S+ /, '').replaceAll(';', ',')]),
) as Readonly<Record<string, string>>

const toCif = (values: Readonly<Record<string, string>>): string =>
  ['data_x', ...Object.entries(values).map(([tag, value]) => `${tag} ${value}`)].join('\n')

/** Cells in which sites have many neighbours, or whose images are hard to compare. */
const CELLS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'a cell': {},
  'a tiny cell': { _cell_length_a: '1e-6', _cell_length_b: '1e-6', _cell_length_c: '1e-6' },
  'a flat cell': { _cell_angle_gamma: '0.001' },
  'another flat cell': { _cell_angle_alpha: '119.999', _cell_angle_beta: '120', _cell_angle_gamma: '120' }, // prettier-ignore
  'a long cell': { _cell_length_a: '1e6' },
  'a thin cell': { _cell_length_a: '1e-3' },
}

function toLargeCif(cell: Readonly<Record<string, string>>, sites: number, operations: number) {
  const values = Object.entries({ ...CIF, ...cell }).filter(([tag]) => tag.startsWith('_cell'))
  return [
    toCif(Object.fromEntries(values)),
    'loop_ _space_group_symop_operation_xyz',
    ...many(operations, (index) => `x,y,z+${index}/${operations * 2}`),
    'loop_ _atom_site_label _atom_site_fract_x _atom_site_fract_y _atom_site_fract_z',
    ...many(sites, (n) => `Si${n} 0.${(n * 7919) % 9973} 0.${(n * 104729) % 9973} 0.${n}`),
  ].join('\n')
}

const importFile = (format: string, content: string): InjectOptions =>
  sendJson(`POST ${BASE}/materials/import`, { format, content })

/** The forms in which the journal is read. */
const READERS: Readonly<Record<string, InjectOptions>> = {
  'GET /__admin/requests': get('/__admin/requests', { projection: { limit: 500 } }),
  'GET /__admin/requests/count': get('/__admin/requests/count', {
    query: { path: { $regex: 'x$' } },
  }),
  'GET /__admin/requests/verify': get('/__admin/requests/verify', { query: { path: '/x' } }),
  'GET /__admin/requests.har': get('/__admin/requests.har'),
  'GET /__admin/requests.test': get('/__admin/requests.test', { language: 'pytest' }),
  'GET /__admin/footprint': get('/__admin/footprint'),
  'POST /__admin/mcp': sendJson('POST /__admin/mcp', {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'list_requests', arguments: { limit: 500 } },
  }),
}

/** Requests that the journal keeps. */
const RECORDED: readonly InjectOptions[] = [
  { url: `${BASE}/materials?${MANY_PARAMETERS}` },
  { url: `${BASE}/materials?${'query[a]='.repeat(10_000)}` },
  get(`${BASE}/materials`, { query: { name: repeat('token', 30_000) } }),
  sendForm(`${BASE}/login`, MANY_FIELDS),
  sendJson(`PUT ${BASE}/materials/create`, keys(5000)),
  { url: `${BASE}/materials`, headers: { accept: repeat('token', HEAD) } },
]

/** A state of some MB: an item of many fields, a long text, and fault rules with large bodies. */
const WRITTEN: readonly InjectOptions[] = [
  ...RECORDED,
  sendJson('PUT /__admin/fixtures/notes2', [JSON.parse(keys(MAX_KEYS - 1)), { _id: 'b', text: repeat('token ', BODY) }]), // prettier-ignore
  ...many(10, (index) =>
    sendJson('POST /__admin/faults', {
      status: 503,
      force: true,
      path: `/api/${index}`,
      body: many(20_000, (n) => ({ n, name: 'token' })),
    }),
  ),
  { method: 'PUT', url: '/__admin/snapshots/a' },
]

/** Sends requests under a fault rule. */
const withFault = (fault: object, ...requests: InjectOptions[]): InjectOptions[] => [
  sendJson('POST /__admin/faults', { status: 503, force: true, ...fault }),
  ...requests,
  { method: 'DELETE', url: '/__admin/faults' },
]

const toItems = (route: string, body: unknown) => sendJson(`PUT /__admin/fixtures/${route}`, body)

const SEED_ROUTE = 'POST /__admin/seed'

const complete = (formula: string) => sendJson(SEED_ROUTE, { materials: [{ formula }] })

/** Returns what is sent to the routes that read more than parameters and a body by its schema. */
function createRows(): Row[] {
  const rows: Row[] = []
  const add = (place: string, input: string, ...requests: InjectOptions[]): void =>
    void rows.push({ place, input, send: requests })
  const addLater = (place: string, input: string, make: () => InjectOptions[]): void =>
    void rows.push({
      place,
      input,
      get send() {
        return make()
      },
    })
  const addEach = (
    place: string,
    input: string,
    length: number,
    toRequests: (text: string) => InjectOptions | InjectOptions[],
  ): void => addLater(place, input, () => UNITS.flatMap((unit) => toRequests(repeat(unit, length))))
  const [list, item, notes] = ['materials', 'materials/m1', 'notes'].map((it) => `${BASE}/${it}`)

  for (const name of HEADERS) {
    addEach(LIST, `the header ${name}`, HEAD, (text) => ({
      method: name.startsWith('access-control') ? 'OPTIONS' : 'GET',
      url: list as string,
      headers: { origin: 'http://localhost', [name]: text },
    }))
  }
  addEach(LIST, 'the name of a parameter', 30_000, (text) => get(`${list}`, { [text]: '1' }))
  addEach(LIST, 'a raw URL', HEAD, (text) => get(`${list}?a=${text}&${text}`))
  for (const [name, toList] of Object.entries<(text: string) => object>({
    'a value of a query': (text) => ({ query: { name: text, 'a.b': { $in: [text] } } }),
    'a path of a query': (text) => ({ query: { [text]: 1 } }),
    'a path of fields': (text) => ({ projection: { fields: { [text]: 1 } } }),
    'a path of a sort': (text) => ({ projection: { sort: { [text]: 1 } } }),
  }))
    addEach(LIST, name, 30_000, (text) => get(`${list}`, { ...toList(text) }))
  for (const before of ['', '[[:', 'a{', '(?<']) {
    addEach(LIST, `a pattern ${before}`, 990, (text) =>
      get(`${list}`, { query: { name: { $regex: before + text } } }),
    )
  }
  for (const [name, query] of Object.entries({
    'many paths': Object.fromEntries(many(2500, (index) => [`p${index}`, index])),
    'many paths, all true': Object.fromEntries(many(1500, (index) => [`p${index}`, null])),
    'many conditions': { $and: many(1000, (index) => ({ name: { $ne: `${index}` } })) },
    'a long list': { name: { $in: many(1000, (index) => `n${index}`) } },
    'a long path': { [repeat('a.', 200)]: 1 },
  })) {
    add(LIST, `a query of ${name}`, get(`${notes}`, { query }))
    for (const path of ['notes', 'notes/n1'])
      add('GET /__admin/explain', `${path}, ${name}`, get(`/__admin/explain/${path}`, { query }))
  }
  const toPaths = (count: number) => Object.fromEntries(many(count, (index) => [`p${index}`, 1]))
  add(LIST, 'a sort of many paths', get(`${notes}`, { projection: { sort: toPaths(32) } }))
  add(LIST, 'many fields', get(`${notes}`, { projection: { fields: toPaths(2500) } }))

  for (const operator of Object.keys({ ...TEXTS, ...PATTERNS, ...CONVERSIONS })) {
    const input = '$text'
    const forms = [
      input,
      [input, ' '],
      [input, 0, 100],
      { input },
      { input, regex: '0+ *$' },
      { input, chars: ' 0' },
      { input, find: ' ', replacement: '  ' },
      { input, to: 'double', onError: 0 },
      { input, to: 'int', onError: 0 },
    ]
    const queries = forms.map((form) => ({ $expr: { $eq: [{ [operator]: form }, 1] } }))
    add(LIST, operator, ...queries.map((query) => get(`${BASE}/texts`, { query })))
  }

  for (const [name, body] of Object.entries(JSON_BODIES)) {
    add(`PUT ${BASE}/:resource/create`, name, sendJson(`PUT ${BASE}/materials/create`, body))
    add(FIXTURES_ROUTE, name, toItems('notes2', `[${body}]`))
  }
  const { 'the most keys': mostKeys = '', 'many values': manyValues = '' } = JSON_BODIES
  for (const route of [`PATCH ${item}`, `PUT ${BASE}/jobs/create`, ...JSON_ROUTES])
    add(route.replace('materials/m1', ':resource/:id'), 'many', sendJson(route, mostKeys), sendJson(route, manyValues)) // prettier-ignore
  add(SEED_ROUTE, 'completed', sendJson(SEED_ROUTE, `{"jobs":[${mostKeys}]}`))
  for (const value of [0, [], { $numberInt: '1' }]) {
    const count = Math.floor(LARGEST / `"k00000":${JSON.stringify(value)},`.length)
    const name = `keys of ${JSON.stringify(value)}`
    for (const [length, text] of [[count, `${count}`], [400_000, '400,000']] as const) // prettier-ignore
      addLater(FIXTURES_ROUTE, `${text} ${name}`, () => [toItems('notes2', `[${keys(length, value)}]`)]) // prettier-ignore
    addLater(SEED_ROUTE, `400,000 ${name}`, () => [sendJson(SEED_ROUTE, keys(400_000, value))])
  }
  for (const type of ['oid', 'date', 'numberInt', 'numberLong', 'numberDouble', 'numberDecimal']) {
    addEach(FIXTURES_ROUTE, type, TEXT, (text) =>
      sendJson('PUT /__admin/fixtures/notes2', [{ _id: 'a', x: { [`$${type}`]: text } }]),
    )
  }
  addEach(SEED_ROUTE, 'a formula', TEXT, (text) => complete(`Si${text.slice(0, -1)}`))
  add(SEED_ROUTE, 'a formula of many elements', complete('SiGe'.repeat(20_000)))
  for (const operator of ['$set', '$unset', '$rename', '$push', '$pull', '$inc']) {
    addEach(`PATCH ${BASE}/:resource/:id`, operator, TEXT, (text) =>
      sendJson(`PATCH ${item}`, { [operator]: { [text]: 1, 'a.b': text, x: { [text]: text } } }),
    )
  }

  for (const tag of Object.keys(CIF)) {
    addEach(IMPORT, `${tag} of a CIF`, TEXT / 2, (text) => [
      importFile('cif', toCif({ ...CIF, [tag]: text.slice(0, -1) })),
      importFile('cif', toCif({ ...CIF, [tag]: `\n;${text.slice(0, -1)}\n;` })),
    ])
  }
  addEach(IMPORT, 'a line of a CIF', TEXT, (text) => importFile('cif', `data_x\n${text}`))
  for (const [index] of POSCAR.entries()) {
    addEach(IMPORT, `line ${index + 1} of a POSCAR`, TEXT, (text) =>
      importFile('poscar', POSCAR.with(index, text.slice(0, -1)).join('\n')),
    )
  }
  for (const [name, cell] of Object.entries(CELLS))
    {for (const [sites, operations] of [[190, 100], name === 'a cell' ? [9000, 1] : [150, 1]] as const) // prettier-ignore
      add(IMPORT, `${name}, ${sites} sites × ${operations}`, importFile('cif', toLargeCif(cell, sites, operations)))} // prettier-ignore

  for (const url of [`${BASE}/login`, '/oidc/token', '/oidc/device/auth']) {
    const names = ['username', 'password', 'grant_type', 'client_id', 'scope', 'refresh_token']
    addEach(`POST ${url}`, 'a form', 15_000, (text) =>
      names.map((name) => sendForm(url, `${name}=${text}&${text}`)),
    )
    add(`POST ${url}`, 'many fields', sendForm(url, MANY_FIELDS))
    addEach(`POST ${url}`, 'the type of a body', HEAD, (text) => ({
      ...sendForm(url, 'a=b'),
      headers: { 'content-type': text },
    }))
  }
  addEach('POST /__admin/faults', 'a path', 1000, (text) =>
    withFault(
      { path: `/api/${text}` },
      get(`/api/${text.repeat(HEAD / 1000)}`),
      get(`/api/${'a'.repeat(HEAD)}`),
    ),
  )
  for (const unit of ['*a', '*/', '**a', '/**', '*%41'])
    add('POST /__admin/faults', `a path of many ${unit}`, ...withFault({ path: `/api/${unit.repeat(300)}b` }, ...['a/', 'aa', 'a/b', 'aab'].map((text) => get(`/api/${text.repeat(100_000)}`)))) // prettier-ignore
  add('POST /__admin/faults', 'a query that matches', ...withFault({ query: { 'query.0': { $exists: false } } }, get(`${list}?${MANY_PARAMETERS}`))) // prettier-ignore
  add(
    'GET /__admin/requests/verify',
    'an order of many',
    get('/__admin/requests/verify', { order: many(400, (index) => ({ path: `/${index}` })) }),
  )
  for (const [reader, request] of Object.entries(READERS))
    rows.push({ place: reader, input: 'what was sent', before: RECORDED, send: [request] })
  return rows
}

const LIST = `GET ${BASE}/:resource`
const IMPORT = `POST ${BASE}/:resource/import`
const FIXTURES_ROUTE = 'PUT /__admin/fixtures/:resource'

/** The controls that read a body by a schema of their own. */
const JSON_ROUTES = ['faults', 'mcp', 'seed', 'clock'].map((name) => `POST /__admin/${name}`)

/** The length of the largest item, in characters. */
const LARGEST = 2 * 1024 * 1024 - 100

/** The routes that no document has, and a path of each. */
const UNDOCUMENTED: Readonly<Record<string, (text: string) => string>> = {
  'GET /': (text) => `/?${text}`,
  'GET *': (text) => `/${text}`,
  'PUT *': (text) => `/storage/${text}`,
  'GET /explorer': (text) => `/explorer?${text}`,
  'GET /ui/:file': (text) => `/ui/${text}`,
  'GET /sandboxes/:name': (text) => `/sandboxes/${text}`,
  'GET /oidc/device': (text) => `/oidc/device?user_code=${text}`,
}

interface Schema extends JsonObject {
  readonly $ref: string
  readonly properties: Readonly<Record<string, Schema>>
  readonly anyOf: readonly Schema[]
}

interface Operation {
  readonly parameters?: readonly { readonly in: string; readonly name: string }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { schema: Schema }>> }
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

/** Returns what is sent to each route of the documents: its parameters and the texts of its body. */
async function createDocumentedRows(app: FastifyInstance): Promise<Row[]> {
  const rows: Row[] = []
  const texts = FEW_UNITS.map((unit) => encodeURI(repeat(unit, HEAD / 4)))
  for (const [url, base] of [
    [`${BASE}/swagger.json`, BASE],
    ['/__admin/openapi.json', '/__admin'],
  ] as const) {
    // prettier-ignore
    const { paths, components } = (await app.inject(url)).json<Document>()
    for (const [path, operations] of Object.entries(paths)) {
      if (/^\/(?:texts|notes|samples|(?:raw-|refined-)?properties)/.test(path)) continue // as materials are
      const full = /^\/(?:api|oidc)\//.test(path) ? path : base + path
      for (const [name, { parameters = [], requestBody }] of Object.entries(operations)) {
        const method = name.toUpperCase() as 'GET'
        const place = `${method} ${full.replaceAll(/\{(\w+)\}/g, ':$1')}`
        const toUrl = (text: string) => full.replaceAll(/\{\w+\}/g, () => text)
        const names = parameters.filter((each) => each.in === 'query').map((each) => each.name)
        const urls = texts.flatMap((text) => [
          ...(full.includes('{') ? [toUrl(text)] : []),
          `${toUrl('materials')}?${text}`,
          ...names.map((each) => `${toUrl('materials')}?${each}=${text}`),
        ])
        if (place === 'GET /__admin/events') urls.length = 0 // its answer has no end
        if (/(?:swagger|postman)\.json$/.test(place)) urls.length = 1 // its answer takes 0.1 s, whatever is sent
        rows.push({ place, input: 'the URL', send: urls.map((each) => ({ method, url: each })) })
        const schema = requestBody?.content['application/json']?.schema
        if (schema === undefined) continue
        const bodies = FEW_UNITS.map((unit) =>
          fillTexts(toExample(schema, components.schemas), repeat(unit, TEXT)),
        )
        const route = `${method} ${toUrl('materials')}`
        rows.push({ place, input: 'texts', send: bodies.map((body) => sendJson(route, body)) })
      }
    }
  }
  return rows
}

/** Returns an example of a schema, or else a value with all its properties. */
function toExample(schema: Schema, schemas: Readonly<Record<string, Schema>>): Json {
  const { $ref, examples, example, properties, anyOf } = schema
  const [given = example] = Array.isArray(examples) ? examples : []
  if (given !== undefined) return given as Json
  if ($ref !== undefined) return toExample(schemas[$ref.split('/').at(-1) ?? ''] as Schema, schemas)
  if (anyOf?.[0] !== undefined) return toExample(anyOf[0], schemas)
  const fields = Object.entries(properties ?? {}).map(([key, each]) => [key, toExample(each, schemas)] as const) // prettier-ignore
  return fields.length === 0 ? 'a text' : Object.fromEntries(fields)
}

/** Returns a value with another text in place of each. */
function fillTexts(value: Json, text: string): Json {
  if (typeof value === 'string') return text
  if (Array.isArray(value)) return value.map((each) => fillTexts(each, text))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, fillTexts(each, text)]),
  )
}

/** The commands that read nothing that others write, and what they read. */
const OWN_INPUT: Readonly<Record<string, string>> = {
  init: 'the package.json of the project that it writes to',
}

const toAnswer = (data: string): string => `{"status":"success","data":${data}}`

/** Cookies whose values are secrets, each another one. */
const toCookies = (count: number, name: string): string =>
  many(count, (index) => `c${index}=a-secret-of-${name}-${index}`).join('; ')

/** The operand and the credentials of a command for a deployment. */
const toDeployment = (url: string) => ({
  URL: url + BASE,
  'account-id': 'a',
  token: 'the-token-of-a',
})

const quietly = (run: () => Promise<unknown>) => () => run().catch((error: Error) => error.message)

const run =
  <Options>(command: Command<Options>, flags: Readonly<Record<string, string>>) =>
  async () =>
    command.run(command.parse(flags, {}, undefined))

/** Returns what is read elsewhere: HARs, folders of fixtures, scenarios and the answers of a deployment. */
async function createOtherRows(t: Test): Promise<Row[]> {
  const { 'too many keys': _, ...bodies } = JSON_BODIES // which nothing here refuses
  /** Items, and texts that are none. */
  const contents: Readonly<Record<string, string>> = {
    ...Object.fromEntries(Object.entries(bodies).map(([name, body]) => [name, `[${body}]`])),
    ...Object.fromEntries(FEW_UNITS.map((unit) => [unit, repeat(unit, BODY / 4)])),
    'many items': JSON.stringify(many(5000, (n) => ({ _id: `${n}`, note: 'token' }))),
    'a long item': JSON.stringify([{ _id: 'a', note: repeat('//a@', BODY) }]),
    texts: JSON.stringify(FEW_UNITS.map((unit, n) => ({ _id: `${n}`, note: repeat(unit, TEXT) }))),
  }
  /** Those of which a HAR and a folder have items: what is done with them must not fail. */
  const valid = new Set(['the most keys', 'many items', 'a long item', 'texts'])
  const startedDateTime = '2026-11-29T12:00:00Z'
  const toEntry = (path: string, text: string) => ({
    startedDateTime,
    request: { method: 'GET', url: `http://x${path}`, headers: [{ name: 'Cookie', value: repeat('a=b;', HEAD) }] }, // prettier-ignore
    response: { status: 200, headers: [{ name: 'Set-Cookie', value: repeat('a=b\n', HEAD) }], content: { text } }, // prettier-ignore
  })
  const toHar = (text: string) =>
    JSON.stringify({ log: { version: '1.2', entries: [`${BASE}/login`, `${BASE}/notes`].map((path) => toEntry(path, text)) } }) // prettier-ignore
  const manyRequests = many(300, (n) => ({
    ...toEntry(
      `${BASE}/notes`,
      toAnswer(
        `[{"_id":"${n}","note":"${'a text of some length, and a-secret-of '.repeat(150)}"}]`,
      ),
    ),
    request: { method: 'GET', url: `http://x${BASE}/notes`, headers: [{ name: 'Cookie', value: toCookies(15, `${n}`) }] }, // prettier-ignore
  }))
  const names = Object.keys(contents)
  const folder = t.testdir({
    ...Object.fromEntries(
      names.map((name, index) => [`${index}.har`, toHar(toAnswer(contents[name] ?? ''))]),
    ),
    ...Object.fromEntries(names.map((name, index) => [`${index}`, { 'accounts.json': JSON.stringify(FIXTURES.accounts), 'notes.json': contents[name] ?? '', 'scenarios.json': `{"a":{"seed":{"notes":${contents[name]}}}}` }])), // prettier-ignore
    'many.har': JSON.stringify({ log: { version: '1.2', entries: manyRequests } }),
    structures: { materials: Object.fromEntries(UNITS.map((unit, index) => [`${index}.cif`, `data_x\n${repeat(unit, TEXT)}`])) }, // prettier-ignore
  })
  for (const name of ['log', 'error'] as const) t.intercept(console, name, { value: () => {} })
  replace(t, process.stderr, 'write', () => true) // the progress of a recording
  const deployment = createServer((request, response) => {
    const [, index = ''] = /^\/(\d+)\//.exec(request.url ?? '') ?? []
    response.setHeader('set-cookie', repeat('a=b;', 8000)).setHeader('content-type', 'application/json') // prettier-ignore
    response.end(toAnswer(contents[names[Number(index)] ?? ''] ?? ''))
  })
  await once(deployment.listen(0, '127.0.0.1'), 'listening')
  t.teardown(() => deployment.closeAllConnections())
  t.teardown(() => deployment.close())
  const upstream = `http://127.0.0.1:${(deployment.address() as AddressInfo).port}`
  const load = (name: string) => () => buildApp({ logLevel: 'silent', fixtures: `${folder}/${name}` }).then((app) => app.close()) // prettier-ignore
  const rows = names.flatMap((input, index) => {
    const tryIt = valid.has(input) ? (send: () => Promise<unknown>) => send : quietly
    const out = `${folder}/out-${index}`
    const footprintFile = { used: `${folder}/${index}/notes.json`, out: `${folder}/report` }
    return [
      { place: 'record, of a HAR', input, send: tryIt(run(record, { URL: `${folder}/${index}.har`, out })) }, // prettier-ignore
      { place: 'serve, a folder', input, send: tryIt(load(`${index}`)) },
      // It reads the same answer three times.
      { place: 'record, of a deployment', input, limit: 3 * LIMIT, send: quietly(run(record, { ...toDeployment(`${upstream}/${index}`), out: `${out}-2` })) }, // prettier-ignore
      { place: 'check, a footprint', input, send: quietly(run(check, { ...toDeployment('http://127.0.0.1:9'), ...footprintFile })) }, // prettier-ignore
      { place: 'footprint, of a mock', input, send: quietly(run(footprint, { URL: `${upstream}/${index}/` })) }, // prettier-ignore
    ]
  })
  const passing = await buildApp({ logLevel: 'silent', upstream, upstreamRecord: `${folder}/passed` }) // prettier-ignore
  t.teardown(() => passing.close())
  return [
    ...rows,
    { place: 'check, a deployment', input: 'texts', limit: LIMIT_OF_CHECK, send: quietly(run(check, { ...toDeployment(`${upstream}/${names.indexOf('texts')}`), out: `${folder}/report` })) }, // prettier-ignore
    { place: 'record, of a HAR', input: 'many requests with cookies', send: run(record, { URL: `${folder}/many.har`, out: `${folder}/out-many` }) }, // prettier-ignore
    { place: 'generate, many', input: 'a number', send: run(generate, { count: '1000', out: `${folder}/generated.json` }) }, // prettier-ignore
    { place: 'mutate, of answers', input: 'texts', send: async () => mutate.run(mutate.parse({ fixtures: `${folder}/${names.indexOf('texts')}`, max: '1', minScore: '0', out: `${folder}/report` }, {}, [process.execPath, '-e', ASK]), process.env) }, // prettier-ignore
    { place: 'site, of a folder', input: 'structures', send: quietly(run(site, { OUT: `${folder}/site`, fixtures: `${folder}/structures` })) }, // prettier-ignore
    { place: 'serve, a folder', input: 'structures', send: quietly(load('structures')) },
    ...names.map((input, index) => ({
      place: 'serve, a deployment behind it',
      input,
      send: async () =>
        passing.inject({
          url: `/${index}${BASE}/notes`,
          headers: { cookie: toCookies(150, 'a page') },
        }),
    })),
  ]
}

/** Lists the routes as the router prints them, with all their methods but HEAD. */
function listRoutes(app: FastifyInstance): string[] {
  const parents: string[] = []
  return app
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const [, indent = '', part = '', methods] =
        /^(.*)[├└]── (\S+)(?: \((.*)\))?$/.exec(line) ?? []
      parents.length = indent.length / 4
      parents.push(part)
      const path = parents.join('').replace('/*', '*')
      return (methods?.split(', ') ?? []).filter((each) => each !== 'HEAD').map((each) => `${each} ${path}`) // prettier-ignore
    })
}

const toPattern = (route: string): RegExp =>
  new RegExp(`^${route.replace(/[*.]/g, '\\$&').replaceAll(/:\w+/g, '[^/]+')}$`)

const FIXTURES = {
  accounts: [{ _id: 'ann', username: 'ann', password: 'x', tokens: ['t'] }],
  materials: [{ _id: 'm1' }],
  jobs: [{ _id: 'j1' }],
  notes: many(2000, (index) => ({ _id: `n${index}` })),
  texts: UNITS.map((unit, index) => ({ _id: `${index}`, text: repeat(unit, TEXT) })),
}

const CREDENTIALS = { 'x-account-id': 'ann', 'x-auth-token': 't' }

/** A test that asks for a list. It reads the answer: with one that is not read, its process waits for seconds. */
const ASK = `fetch(process.env.MATERIALS_MOCK_URL + '${BASE}/notes', { headers: ${JSON.stringify(CREDENTIALS)} }).then((response) => response.text())`

t.setTimeout(240_000)
t.test('what is sent takes no more than a second, wherever it is read', async (t) => {
  const app = await buildApp({ logLevel: 'silent', fixtures: FIXTURES, queryBudget: 200 })
  t.teardown(() => app.close())
  const routes = listRoutes(app)
  const rows: Row[] = [
    ...createRows(),
    ...(await createDocumentedRows(app)),
    ...(await createOtherRows(t)),
    ...Object.entries(UNDOCUMENTED).map(([place, toUrl]) => ({
      place,
      input: 'the URL',
      send: UNITS.map((unit) => ({
        method: place.split(' ')[0] as 'GET',
        url: toUrl(encodeURI(repeat(unit, HEAD))),
      })),
    })),
  ]
  await t.test('each route has a row', async (t) => {
    t.ok(routes.length > 60, 'the routes are listed')
    t.same(
      routes.filter((route) => !rows.some(({ place }) => toPattern(route).test(place))),
      [],
    )
  })
  await t.test('each command has a row', async (t) => {
    const commands = Object.keys(COMMANDS).filter((name) => OWN_INPUT[name] === undefined)
    t.same(
      commands.filter((name) => !rows.some(({ place }) => place.startsWith(`${name}, `))),
      [],
    )
  })
  const inject = async (request: InjectOptions) =>
    (await app.inject({ ...request, headers: { ...CREDENTIALS, ...request.headers } })).statusCode
  // The thread that searches symmetry starts once, and in a test it compiles its source then. The first
  // request may take more than the budget on a busy machine.
  const search = importFile('cif', toLargeCif(CELLS['a long cell'] ?? {}, 150, 1))
  for (let status = 0; status !== 200;) status = await inject(search)
  for (const { place, input, before = [], send, limit = LIMIT } of rows) {
    await inject({ method: 'POST', url: '/__admin/reset' })
    for (const request of before) await inject(request)
    const statuses: number[] = []
    const ms = await measure(async () => {
      if (typeof send === 'function') await send()
      else for (const request of send) statuses.push(await inject(request))
    })
    if (ms > limit || statuses.includes(500)) t.fail(`${place}: ${input}: ${ms} ms of CPU`)
  }
})

/** Returns the CPU that a function takes, in ms. */
async function measure(act: () => Promise<unknown>): Promise<number> {
  const start = process.cpuUsage()
  await act()
  const { user, system } = process.cpuUsage(start)
  return Math.round((user + system) / 1000)
}

t.test('what is written takes no more than a second, whatever control writes it', async (t) => {
  const app = await buildApp({ logLevel: 'silent', fixtures: FIXTURES })
  t.teardown(() => app.close())
  for (const request of WRITTEN)
    await app.inject({ ...request, headers: { ...CREDENTIALS, ...request.headers } })
  const routes = listRoutes(app).filter((route) => WRITING_ROUTE.test(route))
  const sizes: Record<string, number> = {}
  for (const route of routes) {
    const url = route.replace('GET ', '').replace(':resource', 'notes2')
    const ms = await measure(async () => {
      const { statusCode, rawPayload } = await app.inject(url)
      t.equal(statusCode, 200, route)
      sizes[route] = rawPayload.length
    })
    t.ok(ms <= LIMIT, `${route}: ${ms} ms of CPU`)
  }
  for (const name of ['scenario', 'faults', 'requests.test', 'fixtures/:resource'])
    t.ok((sizes[`GET /__admin/${name}`] ?? 0) > BODY, `${name} is large`)
})

/** A control that answers with a part of the state, as it is. The events have no end, and runs and explanations are of one item. */
const WRITING_ROUTE = /^GET \/__admin\/(?!events|.*:(?!resource$))/

/** The number of requests that arrive at the same time. */
const CROWD = 200

t.test('what is read before any step holds nobody, when many send it at once', async (t) => {
  const app = await buildApp({ logLevel: 'silent', fixtures: FIXTURES })
  t.teardown(() => app.close())
  for (const path of [BASE, `/sandboxes/a${BASE}`, '/__admin', '/nowhere']) {
    const url = `${path}/materials?${joinParameters(20_000)}`
    const start = process.cpuUsage()
    const responses = await Promise.all(
      many(CROWD, () => app.inject({ url, headers: CREDENTIALS })),
    )
    const { user, system } = process.cpuUsage(start)
    const ms = Math.round((user + system) / 1000)
    t.ok(responses.every(({ statusCode }) => statusCode === 400 || statusCode === 404))
    t.ok(ms <= LIMIT, `${path}: ${ms} ms of CPU`)
  }
})
