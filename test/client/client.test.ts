import { readFileSync } from 'node:fs'
import { createContext, runInContext } from 'node:vm'
import { gzipSync } from 'node:zlib'

import type { Static, TSchema } from '@sinclair/typebox'
import t from 'tap'
import type { Test } from 'tap'

import type { QueryOperators } from '@materials-mock/client'
import type {
  FIELD_OPERATORS,
  Projection as ProjectionSchema,
  TOP_LEVEL_OPERATORS,
  UPDATE_OPERATORS,
} from '@materials-mock/query'
import { bundleClient } from '../../scripts/bundle-client.js'
import { ApiError, createClient } from '../../src/client.js'
import type {
  Client,
  ClientOptions,
  FieldOperators,
  Job,
  ListOptions,
  Material,
  Projection,
  Query,
  UpdateOperators,
} from '../../src/client.js'
import { startMock } from '../../src/mock/start-mock.js'
import type { Mock } from '../../src/mock/members.js'

const FIXTURES = {
  accounts: [{ _id: 'ann', username: 'ann', password: 'x y&z', tokens: ['ann-token'] }],
  materials: [
    { _id: 'm1', name: 'one', formula: 'Si', tags: ['a'], lattice: { type: 'FCC', a: 3 } },
    { _id: 'm2', name: 'two', formula: 'Ge', tags: ['a', 'b'], lattice: { type: 'FCC', a: 4 } },
    { _id: 'm3', name: 'three', formula: 'Si', tags: [], lattice: { type: 'CUB', a: 5 } },
  ],
  jobs: [{ _id: 'j1', name: 'job', status: 'finished', statusTrack: [{ status: 'finished' }] }],
  projects: [],
  things: Array.from({ length: 1203 }, (_, index) => ({ _id: `t${index}`, n: index })),
}
const CREDENTIALS = { 'X-Account-Id': 'ann', 'X-Auth-Token': 'ann-token' }

const start = async (
  t: Test,
  options: { loginEnvelope?: 'flat' | 'jsend' } = {},
): Promise<Mock> => {
  const mock = await startMock({ fixtures: FIXTURES as never, logLevel: 'silent', ...options })
  t.teardown(() => mock.close())
  return mock
}

/** Starts a mock, and returns a client of it that uses no network. */
async function connect(t: Test, options: ClientOptions = {}): Promise<[Client, Mock]> {
  const mock = await start(t)
  return [createClient({ fetch: mock.fetch, credentials: CREDENTIALS, ...options }), mock]
}

const ids = (items: readonly { readonly _id?: unknown }[]): unknown[] => items.map(({ _id }) => _id)

t.test('a login opens a session in both envelopes, and a logout ends it', async (t) => {
  for (const loginEnvelope of ['flat', 'jsend'] as const) {
    const mock = await start(t, { loginEnvelope })
    const client = createClient({ url: `${mock.url}/` })
    await t.rejects(client.materials.list(), {
      name: 'ApiError',
      status: 401,
      code: 'CREDENTIALS_REJECTED',
    })
    const wrong = client.login('ann', 'wrong')
    await t.rejects(wrong, { name: 'ApiError', status: 401, code: 'LOGIN_REJECTED' })
    const credentials = await client.login('ann', 'x y&z')
    t.same(Object.keys(credentials), ['X-Account-Id', 'X-Auth-Token'])
    t.equal((await client.materials.list()).length, 3)
    const copy = createClient({ fetch: mock.fetch, credentials })
    t.equal((await copy.jobs.get('j1')).status, 'finished')
    await client.logout()
    await t.rejects(client.materials.list(), { name: 'ApiError', status: 401 })
    await t.rejects(copy.materials.list(), { name: 'ApiError', status: 401 })
  }
})

t.test('given credentials and a bearer token need no login', async (t) => {
  const [client, mock] = await connect(t)
  t.equal((await client.materials.get('m1')).name, 'one')
  const bearer = createClient({ fetch: mock.fetch, token: 'ann-token' })
  t.equal((await bearer.materials.get('m1')).name, 'one')
  await t.rejects(createClient({ fetch: mock.fetch, token: 'x' }).jobs.list(), {
    name: 'ApiError',
    status: 401,
  })
})

t.test('a list is filtered, sorted and cut by typed queries and projections', async (t) => {
  const [client] = await connect(t)
  const { materials } = client
  const cases: [query: Query<Material>, projection: Projection<Material>, ids: string[]][] = [
    [{}, {}, ['m1', 'm2', 'm3']],
    [{ formula: 'Si' }, {}, ['m1', 'm3']],
    [{ formula: { $in: ['Ge'] } }, {}, ['m2']],
    [{ tags: 'b' }, {}, ['m2']],
    [{ tags: { $size: 0 } }, {}, ['m3']],
    [{ tags: { $all: ['a', 'b'] } }, {}, ['m2']],
    [{ tags: { $elemMatch: { $gt: 'a' } } }, {}, ['m2']],
    [{ derivedProperties: { $exists: true, $elemMatch: { name: 'volume' } } }, {}, []],
    [{ 'lattice.a': { $gte: 3, $lt: 5 } }, { sort: { 'lattice.a': -1 } }, ['m2', 'm1']],
    [{ 'lattice.a': { $mod: [2, 1], $not: { $gt: 4 } } }, {}, ['m1']],
    [{ $or: [{ name: { $regex: '^t', $options: 'i' } }, { isDefault: true }] }, {}, ['m2', 'm3']],
    [{ $expr: { $gt: ['$lattice.a', 4] } }, {}, ['m3']],
    [{ name: null }, {}, []],
    [{}, { sort: { formula: 1, _id: -1 }, skip: 1, limit: 1 }, ['m3']],
  ]
  for (const [query, projection, expected] of cases)
    t.same(ids(await materials.list(query, projection)), expected, JSON.stringify(query))
  const parts = await client
    .resource<Material & { n: number }>('materials')
    .list({ _id: 'm2' }, { fields: { 'lattice.a': 1, n: { $size: '$tags' } } })
  t.same(parts, [{ _id: 'm2', lattice: { a: 4 }, n: 2 }])
  const [whole] = await materials.list()
  const name: string | undefined = whole?.name
  // @ts-expect-error with fields, the parts of an item can be missing
  const atom: { id: number } | undefined = parts[0]?.basis?.elements?.[0]
  t.same([name, atom], ['one', undefined])
})

t.test('a list has the parameters of the newest lists', async (t) => {
  const [{ materials }] = await connect(t)
  const idsOf = async (options: ListOptions<Material>): Promise<string[]> =>
    (await materials.list(undefined, undefined, options)).map(({ _id }) => _id)
  const all = (await materials.list()).map(({ _id }) => _id)
  t.same(await idsOf({ limit: 1, skip: 1, globalSearch: true }), [all[1]])
  const names = (await materials.list({}, { sort: { name: -1 } })).map(({ _id }) => _id)
  t.same(await idsOf({ sort: '-name' }), names)
  t.same(await idsOf({ advancedSearches: [{ _id: 'm1' }, { name: { $exists: true } }] }), ['m1'])
  t.same(await idsOf({ setId: 'none' }), [])
  const wrong: (() => Promise<unknown>)[] = [
    // @ts-expect-error no such operator
    () => idsOf({ advancedSearches: [{ formula: { $gtx: 1 } }] }),
    // @ts-expect-error a list is expected
    () => idsOf({ advancedSearches: { formula: 'Si' } }),
    // @ts-expect-error a number is expected
    () => idsOf({ limit: 'ten' }),
    // @ts-expect-error true or false is expected
    () => idsOf({ globalSearch: 'yes' }),
  ]
  for (const call of wrong) await t.rejects(call(), { name: 'ApiError', status: 400 }, String(call))
})

t.test("what the types refuse is refused, finds nothing, or is a field of one's own", async (t) => {
  const [{ materials, jobs, projects }] = await connect(t)
  const calls: (() => Promise<unknown>)[] = [
    // @ts-expect-error no such operator
    () => materials.list({ formula: { $gtx: 1 } }),
    // @ts-expect-error no such operator at the end of a path
    () => materials.list({ 'lattice.a': { $gtx: 1 } }),
    // @ts-expect-error no such operator in the place of a field
    () => materials.list({ $xor: [] }),
    // @ts-expect-error a list is expected
    () => materials.list({ formula: { $in: 'Si' } }),
    // @ts-expect-error two numbers are expected
    () => materials.list({ 'lattice.a': { $mod: [2] } }),
    // @ts-expect-error a number is expected
    () => materials.list({ tags: { $size: '1' } }),
    // @ts-expect-error the direction is 1 or -1
    () => materials.list({}, { sort: { name: 2 } }),
    // @ts-expect-error a number is expected
    () => materials.list({}, { limit: '10' }),
    // @ts-expect-error no such part of a projection
    () => materials.list({}, { order: 1 }),
    // @ts-expect-error no such update operator
    () => materials.update('m1', { $put: { name: 'x' } }),
    // @ts-expect-error a number is expected
    () => materials.update('m1', { $inc: { 'metadata.n': 'x' } }),
    // @ts-expect-error JSON has no timestamps
    () => materials.update('m1', { $currentDate: { seenAt: { $type: 'timestamp' } } }),
    // @ts-expect-error a name is a text
    () => materials.create({ name: 1 }),
  ]
  for (const call of calls) await t.rejects(call(), { name: 'ApiError', status: 400 }, String(call))
  // @ts-expect-error materials have no such field: it would match nothing
  t.same(await materials.list({ formulla: 'Si' }), [])
  // @ts-expect-error a lattice has no such field
  t.same(await materials.list({ 'lattice.aa': 3 }), [])
  // @ts-expect-error there is no such lattice
  t.same(await materials.list({ 'lattice.type': 'FCCC' }), [])
  // @ts-expect-error a length is a number
  t.same(await materials.list({ 'lattice.a': '3' }), [])
  // @ts-expect-error no such path to sort by
  t.equal((await materials.list({}, { sort: { naem: 1 } })).length, 3)
  // @ts-expect-error no such field to return
  t.same((await materials.list({}, { fields: { naem: 1 }, limit: 1 }))[0], { _id: 'm1' })
  // @ts-expect-error no such field to return, beside one that there is
  t.match(await materials.list({}, { fields: { name: 1, 'lattice.aa': 1 } }), [{ name: 'one' }])
  // @ts-expect-error no such status
  t.same(await jobs.list({ status: 'finishd' }), [])
  // @ts-expect-error no such array
  t.match(await materials.update('m3', { $push: { tgas: 'x' } }), { tgas: ['x'] })
  // @ts-expect-error no such field
  t.match(await jobs.update('j1', { $set: { 'dataset.n': 1 } }), { dataset: { n: 1 } })
  // @ts-expect-error no such field
  t.match(await projects.create({ naem: 'x' }), { naem: 'x' })
  const [first] = await materials.list()
  // @ts-expect-error no lattice is of this type
  t.equal(first?.lattice?.type === 'FCCC', false)
  // @ts-expect-error a formula is a text
  t.same(await materials.list({ formula: 1 }), [])
})

t.test('a list has the fields that were chosen', async (t) => {
  const [client] = await connect(t)
  const { materials } = client
  const [some] = await materials.list({}, { fields: { name: 1, 'lattice.a': 1 } })
  const values: [string, string, number | undefined] | undefined = some && [
    some._id,
    some.name,
    some.lattice?.a,
  ]
  t.same([some, values], [{ _id: 'm1', name: 'one', lattice: { a: 3 } }, ['m1', 'one', 3]])
  // @ts-expect-error it was not chosen
  t.equal(some?.formula, undefined)
  // @ts-expect-error it was not chosen
  t.equal(some?.lattice?.type, undefined)
  const [nameless] = await materials.list({}, { fields: { _id: 0, formula: 1 } })
  const formula: string | undefined = nameless?.formula
  // @ts-expect-error the identifier was left out
  t.same([formula, nameless?._id], ['Si', undefined])
  const [rest] = await materials.list({}, { fields: { name: 0, 'lattice.a': false } })
  const type: string | undefined = rest?.lattice?.type
  // @ts-expect-error the name was left out
  t.same([type, rest?.name], ['FCC', undefined])
  // @ts-expect-error so was the length
  t.same([rest?._id, rest?.lattice?.a], ['m1', undefined])
  const [sliced] = await materials.list({}, { fields: { tags: { $slice: 1 } } })
  const whole: string | undefined = sliced?.formula
  t.equal(whole, 'Si', 'a slice leaves out no other field')
  const fields: Projection<Material> = { fields: { name: 1 } }
  const [part] = await materials.list({}, fields)
  type Name = NonNullable<typeof part>['name']
  const canBeMissing: undefined extends Name ? true : false = true
  t.same([part?.name, canBeMissing], ['one', true], 'the choice is not known to the types')
  const own = client.resource<Material & { energy?: { value: number } }>('materials')
  t.same(await own.list({ 'energy.value': 1 }, { fields: { 'energy.value': 1 } }), [])
  t.same(await client.resource('things').list({ $or: [{ 'n.x': 1 }, { n: { $lt: 0 } }] }), [])
})

t.test('the bodies of requests have the types that a test gives them', async (t) => {
  const [{ projects }, mock] = await connect(t)
  await projects.create({ name: 'new' })
  const [request] = await mock.requests<{ name: string }, { data: { _id: string } }>({
    method: 'PUT',
  })
  const name: string | undefined = request?.body.name
  const id: string | undefined = request?.response?.body.data._id
  t.same([name, typeof id, request?.status], ['new', 'string', 200])
})

t.test('the types have the operators of the schemas, with operands that fit', async (t) => {
  type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false
  type Operands<Operators extends Record<string, { readonly schema: TSchema }>> = {
    [Name in keyof Operators]: Static<Operators[Name]['schema']>
  }
  /** The names of the types whose values the schemas would not have. */
  type Misfits<Types, Schemas> = {
    [Name in keyof Types & keyof Schemas]: Mutable<Types[Name]> extends Schemas[Name] ? never : Name
  }[keyof Types & keyof Schemas]
  type Mutable<Value> = Value extends readonly (infer Element)[]
    ? Mutable<Element>[]
    : Value extends object
      ? { -readonly [Name in keyof Value]: Mutable<Value[Name]> }
      : Value
  type Fields = Required<FieldOperators<string>>
  type Roots = Required<QueryOperators<object>>
  type Updates = Required<Omit<UpdateOperators<Record<string, unknown>>, 'arrayFilters'>>
  /** The operands for one field. */
  type UpdateOperands = {
    [Name in keyof Updates]: Updates[Name] extends Readonly<Record<string, infer Operand>>
      ? Exclude<Operand, undefined>
      : unknown
  }
  const checks: [
    Same<keyof Fields, keyof typeof FIELD_OPERATORS>,
    Same<keyof Roots, keyof typeof TOP_LEVEL_OPERATORS>,
    Same<Exclude<keyof UpdateOperators<Job>, 'arrayFilters'>, keyof typeof UPDATE_OPERATORS>,
    Same<keyof Projection<Job>, keyof ProjectionSchema>,
    Same<Misfits<Fields, Operands<typeof FIELD_OPERATORS>>, never>,
    Same<Misfits<Roots, Operands<typeof TOP_LEVEL_OPERATORS>>, never>,
    Same<Misfits<UpdateOperands, Operands<typeof UPDATE_OPERATORS>>, never>,
  ] = [true, true, true, true, true, true, true]
  const projection: Projection<Job> = { sort: { name: 1 }, skip: 0, limit: 1, fields: { name: 1 } }
  t.ok(checks.every(Boolean) && projection)
})

t.test('pages follow each other, and all collects them', async (t) => {
  const [client, mock] = await connect(t)
  const things = client.resource<{ _id: string; n: number }>('things')
  const sizes = []
  for await (const page of things.pages({ n: { $lt: 1200 } }, { sort: { n: -1 }, limit: 400 }))
    sizes.push([page.length, page[0]?.n])
  t.same(sizes, [
    [400, 1199],
    [400, 799],
    [400, 399],
  ])
  const all = await things.all({}, { sort: { n: -1 }, skip: 1, fields: { n: 1, _id: 0 } })
  t.same([all.length, all[0], all.at(-1)], [1202, { n: 1201 }, { n: 0 }])
  t.same(await things.all({ n: -1 }), [])
  // @ts-expect-error all items have no limit
  const typeError = (): unknown => things.all({}, { limit: 1 })
  const before = await mock.requests()
  for await (const page of things.pages()) {
    t.equal(page.length, 500)
    break
  }
  t.equal((await mock.requests()).length, before.length + 1, 'no page is read ahead')
  void typeError
})

t.test('pages follow each other however a list reads its parameters', async (t) => {
  for (const lists of ['both', 'documented', 'migrated'] as const) {
    const mock = await startMock({ fixtures: FIXTURES as never, logLevel: 'silent', lists })
    t.teardown(() => mock.close())
    const client = createClient({ fetch: mock.fetch, credentials: CREDENTIALS })
    const things = client.resource<{ _id: string; n: number }>('things')
    const all = await things.all()
    t.equal(new Set(ids(all)).size, 1203, lists)
    const some = await things.all({ n: { $lt: 1200 } }, { sort: { n: -1, _id: 1 }, skip: 1 })
    const [asked] = await mock.requests({}, { sort: { _id: -1 } })
    t.equal(/limit=/.test(String(asked?.url)), lists === 'migrated', 'a limit is sent once')
    t.same([some.length, some[0]?.n, some.at(-1)?.n], [1199, 1198, 0], lists)
    const sizes = []
    for await (const page of things.pages({}, { limit: 401 })) sizes.push(page.length)
    t.same(sizes, [401, 401, 401], lists)
    const wrong = things.all({ n: { $gtx: 1 } } as never)
    await t.rejects(wrong, { name: 'ApiError', status: 400, code: 'QUERY_INVALID' }, lists)
    mock.faults.add({ status: 400, times: 1 })
    await t.rejects(things.all(), { name: 'ApiError', code: 'FAULT_INJECTED' }, lists)
  }
})

t.test('after a login, a page is asked for once, in one form', async (t) => {
  for (const [lists, isOnce] of [
    ['both', true],
    ['documented', true],
    ['migrated', false],
  ] as const) {
    const mock = await startMock({ fixtures: FIXTURES as never, logLevel: 'silent', lists })
    t.teardown(() => mock.close())
    const client = createClient({ fetch: mock.fetch })
    await client.login('ann', 'x y&z')
    await client.materials.page({ formula: 'Si' }, { limit: 1 })
    const asked = await mock.requests({ resource: 'materials' })
    const names = asked.map(({ url }) => [...new URL(url, 'http://mock').searchParams.keys()])
    const newest = ['advancedSearches', 'limit', 'skip', 'globalSearch']
    t.same(names, [['query', 'projection', ...(isOnce ? [] : newest)]], lists)
  }
})

t.test('a page has its items and the number of all, where the server sends it', async (t) => {
  for (const lists of ['both', 'documented', 'migrated'] as const) {
    const mock = await startMock({ fixtures: FIXTURES as never, logLevel: 'silent', lists })
    t.teardown(() => mock.close())
    const { materials, resource } = createClient({ fetch: mock.fetch, credentials: CREDENTIALS })
    const things = resource<{ _id: string; n: number }>('things')
    const { items, total } = await things.page({ n: { $gte: 3 } }, { sort: { n: -1 }, skip: 50 })
    t.same([items.length, items[0]?.n, total], [50, 1152, 1200], lists)
    const last = await things.page({ n: { $lt: 100 } }, { skip: 90, limit: 10 })
    t.same([last.items.length, last.total], [10, 100], `${lists}: a last page that is full`)
    t.same(await things.page({ n: -1 }), { items: [], total: 0 }, lists)
    const { items: parts } = await materials.page({}, { fields: { name: 1 }, limit: 1 })
    const names: string[] = parts.map(({ name }) => name)
    t.same(names, ['one'], lists)
    // @ts-expect-error it was not chosen
    if (lists !== 'migrated') t.equal(parts[0]?.formula, undefined)
  }
  const asked: URLSearchParams[] = []
  const deployment = createClient({
    url: 'https://platform.example.org',
    fetch: async (url) => {
      asked.push(new URL(url).searchParams)
      return Response.json({ status: 'success', data: [{ _id: 'm1' }] })
    },
  })
  const page = await deployment.materials.page({ formula: 'Si' }, { skip: 20, limit: 10 })
  const count: number | undefined = page.total
  t.same([page.items, count], [[{ _id: 'm1' }], undefined])
  t.same(
    asked.map((parameters) => Object.fromEntries(parameters)),
    [
      {
        query: '{"formula":"Si"}',
        projection: '{"skip":20,"limit":10}',
        advancedSearches: '[{"formula":"Si"}]',
        skip: '20',
        limit: '10',
        globalSearch: 'true',
      },
    ],
  )
})

t.test('a job is submitted, and a material imported', async (t) => {
  const [{ jobs, materials, projects }, mock] = await connect(t)
  const workflow = { name: 'w', units: [{ type: 'execution', name: 'pw_scf' }] }
  const job = await jobs.create({ name: 'new', workflow })
  const { status }: Job = await jobs.submit(job._id)
  t.equal(status, 'submitted')
  await mock.clock.advance(60_000)
  t.equal((await jobs.get(job._id)).status, 'finished')
  await t.rejects(jobs.submit(job._id), { name: 'ApiError', code: 'JOB_NOT_SUBMITTABLE' })
  await t.rejects(jobs.submit('..'), new TypeError('an _id must not be ".."'))

  const content = 'silicon\n1\n3.8 0 0\n0 3.8 0\n0 0 3.8\nSi\n1\nDirect\n0 0 0'
  const imported: Material = await materials.import({ content, format: 'poscar', tags: ['x'] })
  t.match(imported, { name: 'silicon', formula: 'Si', tags: ['x'], lattice: { a: 3.8 } })
  const signal = AbortSignal.abort(new Error('enough'))
  await t.rejects(materials.import({ content }, { signal }), { message: 'enough' })
  const wrong: (() => Promise<unknown>)[] = [
    // @ts-expect-error no such format
    () => materials.import({ content, format: 'xyz' }),
    // @ts-expect-error the content is required
    () => materials.import({ name: 'x' }),
    // @ts-expect-error only jobs are submitted
    () => projects.submit('p1'),
    // @ts-expect-error only materials are imported
    () => jobs.import({ content }),
  ]
  for (const call of wrong) await t.rejects(call(), { name: 'ApiError' }, String(call))
})

t.test('items are created, changed, copied, made the default and removed', async (t) => {
  const [{ materials, projects, send, resource }] = await connect(t)
  const created = await projects.create({ name: 'new', metadata: { checked: false } })
  t.match(created, { _id: String, name: 'new', owner: { _id: 'ann' } })
  const { _id: id } = created
  t.match(await projects.update(id, { 'metadata.checked': true }), { metadata: { checked: true } })
  t.match(await projects.update(id, { $push: { tags: 'x' }, $set: { name: 'b' } }), { name: 'b' })
  t.match(await projects.setDefault(id), { isDefault: true })
  const copy = await projects.copy(id)
  t.match(copy, { tags: ['x'], isDefault: false })
  t.equal(await projects.remove(id), undefined)
  await t.rejects(projects.get(id), { name: 'ApiError', status: 404, code: 'ITEM_NOT_FOUND' })
  t.same(ids(await projects.list()), [copy._id])
  const thing = await resource('things').get('t7')
  t.equal(thing.n, 7)
  t.same(await send('GET', '/materials/default').catch(({ code }) => code), 'ITEM_NOT_FOUND')
  t.match(await send('PUT', '/materials/create-set', { body: { name: 'set' } }), { name: 'set' })
  const parameters = { oldSetId: '', newSetId: '' }
  t.match(await send('POST', '/materials/m1/move-to-set', { parameters }), { _id: 'm1' })
  t.equal((await materials.list({ isEntitySet: true })).length, 1)
})

t.test('an error has status, code, message and details', async (t) => {
  const [client, mock] = await connect(t)
  const error: unknown = await client.materials
    .create({ name: 1 as never, tags: 'x' as never })
    .catch((each) => each)
  t.ok(error instanceof ApiError && error instanceof Error)
  t.match(error, { name: 'ApiError', status: 400, code: 'BODY_INVALID', message: /\/?name/ })
  t.same((error as ApiError).details.map(({ path }) => path).toSorted(), ['/name', '/tags'])
  mock.faults.add({ status: 503, times: 1 })
  await t.rejects(client.jobs.get('j1'), {
    name: 'ApiError',
    status: 503,
    code: 'FAULT_INJECTED',
    details: [],
  })
  mock.faults.add({ drop: 'reset', times: 1 })
  await t.rejects(client.jobs.get('j1'), TypeError, 'without a response it is what fetch throws')
  for (const [body, init] of [
    ['<h1>Bad Gateway</h1>', { status: 502 }],
    ['"text"', {}],
    ['{"status": "success", "data": null}', {}],
  ] as const) {
    const fetch = async (): Promise<Response> => new Response(body, init)
    const { status = 200 } = init as { status?: number }
    await t.rejects(createClient({ fetch }).login('ann', 'x'), { name: 'ApiError', status })
  }
  class OtherError extends ApiError {}
  t.ok({ name: 'ApiError' } instanceof ApiError, 'the class of the other kind of module')
  t.equal(ApiError.name, 'ApiError', 'bundlers rename a class that names itself')
  t.notOk(error instanceof OtherError, 'a class of its own')
  for (const id of ['', '.', '..'])
    await t.rejects(client.jobs.remove(id), new TypeError(`an _id must not be "${id}"`))
})

t.test('a response that is not a success of the API is an error that shows it', async (t) => {
  const html = '<h1>Bad Gateway</h1>'
  const cases: [body: string | null, status: number, message: string][] = [
    [html, 502, `unexpected response: 502  ${html}`],
    [null, 204, 'unexpected response: 204  '],
    ['{"items": []}', 200, 'unexpected response: 200  {"items": []}'],
    ['[]', 200, 'unexpected response: 200  []'],
    ['{"status": "error", "message": "no disk"}', 200, 'no disk'],
    ['{"error": "x"}', 500, 'unexpected response: 500  {"error": "x"}'],
    ['{"status": "error", "data": {"message": "no disk"}}', 500, 'no disk'],
    ['{"status": "success", "data": null}', 200, 'the data of /jobs must be a list'],
    ['{"status": "success", "data": {"a": 1}}', 200, 'the data of /jobs must be a list'],
  ]
  for (const [body, status, message] of cases) {
    const fetch = async (): Promise<Response> => new Response(body, { status })
    const { jobs } = createClient({ fetch })
    await t.rejects(jobs.list(), { name: 'ApiError', status, message }, `${body}`)
    await t.rejects(jobs.all(), { name: 'ApiError', status, message }, `all: ${body}`)
  }
})

t.test('what JSON does not have is an error, not left out of a query', async (t) => {
  const [{ materials }, mock] = await connect(t)
  for (const value of [undefined, NaN, /^Si/, new Map(), 1n, () => 'Si', new Date('x')])
    await t.rejects(materials.list({ formula: value as never }), TypeError, String(value))
  t.same(await mock.requests(), [], 'no request is sent')
  const date = new Date(0) as never
  t.same(await materials.list({ createdAt: { $gt: date } }), [])
})

t.test('a signal aborts a request, and the pages', async (t) => {
  const [client] = await connect(t)
  const signal = AbortSignal.abort(new Error('enough'))
  await t.rejects(client.materials.list({}, {}, { signal }), { message: 'enough' })
  await t.rejects(client.login('ann', 'x y&z', { signal }), { message: 'enough' })
  const controller = new AbortController()
  const options = { signal: controller.signal }
  const read = async (): Promise<void> => {
    for await (const page of client.resource('things').pages({}, {}, options))
      controller.abort(new Error(`after ${page.length}`))
  }
  await t.rejects(read(), { message: 'after 500' })
})

t.test('the client is small, and runs where there is no Node', async (t) => {
  const options = { format: 'iife', globalName: 'materialsMock', minify: true } as const
  const code = await bundleClient(options)
  const size = gzipSync(code).length
  t.ok(size <= 2304, `${size} bytes, minified and gzipped`)
  const mock = await start(t)
  const context = createContext({ URLSearchParams, fetch: mock.fetch })
  runInContext(code, context)
  const script = `(async () => {
    const client = materialsMock.createClient()
    await client.login('ann', 'x y&z')
    return (await client.materials.all({ formula: 'Si' })).length
  })()`
  t.equal(await runInContext(script, context), 2)
})

t.test('the example of docs/client.md runs', async (t) => {
  const text = readFileSync(new URL('../../docs/client.md', import.meta.url), 'utf8')
  const [, example = ''] = /```ts\nimport .*?\n(.*?)^```/ms.exec(text) ?? []
  const mock = await startMock({ logLevel: 'silent' })
  t.teardown(() => mock.close())
  const AsyncFunction = Object.getPrototypeOf(async () => undefined).constructor
  const script = `${example.replace('http://127.0.0.1:4000', mock.url)}
    return { silicon, items: items.length, total, names: names.length, jobs: jobs.length, material, code }`
  const run = new AsyncFunction('createClient', 'ApiError', script)
  t.match(await run(createClient, ApiError), {
    silicon: [
      { _id: String, name: /^Si, /, lattice: { a: 3.875909 } },
      { _id: String, name: /^Si, /, lattice: { a: 3.866975 } },
    ],
    items: 10,
    total: 23,
    names: 23,
    jobs: 2,
    material: { name: 'Polonium', formula: 'Po', lattice: { type: 'TRI' } },
    code: 'ITEM_NOT_FOUND',
  })
})
