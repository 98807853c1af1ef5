import fc from 'fast-check'
import t from 'tap'

import type { JsonObject } from '@materials-mock/json'
import { BASE } from '../helpers/build.js'
import type { Mock } from '../../src/mock/members.js'
import { checkMock, startDataSet } from './check-mock.js'

const SHIPPED = { resource: 'materials' } as Parameters<typeof checkMock>[1]

/** Resources whose items have a schema. */
const RESOURCES = [
  'materials',
  'workflows',
  'projects',
  'jobs',
  'properties',
  'raw-properties',
  'refined-properties',
]

const SILICON: JsonObject = {
  basis: { elements: [{ id: 0, value: 'Si' }], coordinates: [{ id: 0, value: [0, 0, 0] }] },
  lattice: { type: 'CUB', a: 3, b: 3, c: 3, alpha: 90, beta: 90, gamma: 90 },
}

/** The bodies of new items, from none of the fields to some of them. */
const BODIES: readonly JsonObject[] = [
  {},
  { name: 'x' },
  { owner: { _id: 'nobody' } },
  { name: 'x', formula: 'SiO2', hash: 'of another structure' },
  { isNonPeriodic: true, ...SILICON },
  { status: 'finished' },
  { status: 'submitted' },
  { data: { name: 'band_gaps' } },
  { data: {}, slug: 'pressure' },
  { subworkflows: [{ properties: ['pressure'] }] },
  { isEntitySet: true, name: 'a set' },
]

/** The changes of items. Some are refused. */
const CHANGES: readonly JsonObject[] = [
  ...BODIES,
  ...['name', 'basis', 'lattice', 'units', 'slug', 'statusTrack', 'data', 'source'].map(
    (field) => ({
      $unset: { [field]: 1 },
    }),
  ),
  { $unset: { 'basis.units': 1 } },
  { $unset: { 'lattice.vectors': 1 } },
  { $unset: { 'owner.slug': 1, schemaVersion: 1 } },
  { $rename: { name: 'title', createdAt: 'since' } },
  { $push: { statusTrack: { status: 'active' } } },
  { _project: { _id: 'p', slug: 5 } },
  { isEntitySet: false, inSet: [{ index: 1 }] },
]

const WRITES = [
  'create',
  'create-set',
  'patch',
  'copy',
  'submit',
  'move-to-set',
  'set-default',
  'import',
  'bank-copy',
]

/** Structure files of new materials. */
const FILES = [
  'silicon\n1\n3 0 0\n0 3 0\n0 0 3\nSi\n1\ndirect\n0 0 0\n',
  'data_x\n_cell_length_a 4\n_cell_length_b 4\n_cell_length_c 4\n_cell_angle_alpha 90\n' +
    '_cell_angle_beta 90\n_cell_angle_gamma 90\nloop_\n_atom_site_label\n_atom_site_fract_x\n' +
    '_atom_site_fract_y\n_atom_site_fract_z\nNa1 0 0 0\nCl1 0.5 0.5 0.5\n',
]

const write = fc.record({
  kind: fc.constantFrom(...WRITES),
  resource: fc.constantFrom(...RESOURCES),
  body: fc.constantFrom(...BODIES),
  change: fc.constantFrom(...CHANGES),
  item: fc.nat(20),
  set: fc.nat(20),
})

/** Returns the resource that has the new item: only materials are imported, and a bank has two resources. */
const toWritten = (kind: string, resource: string): string =>
  kind === 'import' || (kind === 'bank-copy' && resource !== 'workflows') ? 'materials' : resource

interface OrdinaryWrite {
  readonly kind: string
  readonly resource: string
  readonly body: JsonObject
  readonly change: JsonObject
  readonly item: number
  readonly set: number
}

async function logIn(mock: Mock): Promise<Record<string, string>> {
  const body = new URLSearchParams({ username: 'demo', password: 'demo' })
  const response = await mock.fetch(`${BASE}/login`, { method: 'POST', body })
  return (await response.json()) as Record<string, string>
}

/** Returns the statements that a mock does not keep, and what they found. */
async function findFailed(mock: Mock): Promise<string[]> {
  const { statements } = await checkMock(mock, SHIPPED)
  return statements
    .filter(({ outcome }) => outcome === 'failed')
    .map(({ id, actual }) => `${id}: ${actual}`)
}

t.test('after any ordinary writes, check finds nothing', async (t) => {
  const mock = await startDataSet(t, SHIPPED, { jobDuration: 0 })
  const login = await logIn(mock)
  const headers = { ...login, 'content-type': 'application/json' }
  const ask = async (method: string, path: string, body?: JsonObject) => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const response = await mock.fetch(`${BASE}${path}`, { method, headers, ...sent })
    return {
      status: response.status,
      data: ((await response.json()) as { data?: JsonObject }).data,
    }
  }
  const written = new Map<string, string[]>(RESOURCES.map((resource) => [resource, []]))
  const banks = new Map<string, string[]>()
  for (const resource of ['materials', 'workflows']) {
    const { data } = await ask('GET', `/bank-${resource}`)
    banks.set(
      resource,
      (data as unknown as { _id: string }[]).map(({ _id }) => _id),
    )
  }
  const accepted = new Map<string, number>()
  const run = async ({ kind, resource, body, change, item, set }: OrdinaryWrite) => {
    const ids = written.get(resource) ?? []
    const id = ids[item % ids.length]
    const setId = ids[set % ids.length]
    const path = `/${resource}/${kind.startsWith('create') || id === undefined ? kind : id}`
    if (kind === 'create') return ask('PUT', `/${resource}/create`, body)
    if (kind === 'create-set') return ask('PUT', path, { ...body, name: 'a set' })
    if (kind === 'import')
      return ask('POST', '/materials/import', { content: FILES[item % FILES.length] ?? '' })
    if (kind === 'bank-copy') {
      const name = toWritten(kind, resource)
      const bank = banks.get(name) ?? []
      const original = String(bank[item % bank.length])
      const account = String(login['X-Account-Id'])
      return ask('POST', `/bank-${name}/${original}/copy?accountId=${account}`)
    }
    if (id === undefined) return undefined
    if (kind === 'patch') return ask('PATCH', path, change)
    if (kind === 'move-to-set') return ask('POST', `${path}/${kind}?newSetId=${setId}`)
    return ask('POST', `${path}/${kind}`)
  }
  await fc.assert(
    fc.asyncProperty(fc.array(write, { minLength: 40, maxLength: 60 }), async (writes) => {
      for (const each of writes) {
        const { status, data } = (await run(each)) ?? {}
        if (status === undefined) continue
        if (status >= 500) throw new Error(`${status} of ${JSON.stringify(each)}`)
        if (status !== 200) continue
        accepted.set(each.kind, (accepted.get(each.kind) ?? 0) + 1)
        if (typeof data?._id === 'string')
          written.get(toWritten(each.kind, each.resource))?.push(data._id)
      }
      const failed = await findFailed(mock)
      if (failed.length > 0) throw new Error(failed.join('\n'))
    }),
    { numRuns: 5, endOnFailure: true },
  )
  const counts = JSON.stringify([...accepted])
  for (const kind of ['create', 'patch', 'copy', 'import', 'bank-copy'])
    t.ok(accepted.get(kind), `${kind}: ${counts}`)
  t.ok([...accepted.values()].reduce((sum, each) => sum + each) > 60, counts)
})

t.test('what would be stored with a wrong type is refused', async (t) => {
  const mock = await startDataSet(t, SHIPPED)
  const headers = { ...(await logIn(mock)), 'content-type': 'application/json' }
  const ask = async (method: string, path: string, sent: JsonObject) => {
    const response = await mock.fetch(`${BASE}${path}`, {
      method,
      headers,
      body: JSON.stringify(sent),
    })
    return (await response.json()) as { message?: string; data: JsonObject }
  }
  const { data } = await ask('PUT', '/jobs/create', { name: 'x' })
  const path = `/jobs/${String(data._id)}`
  for (const slug of [5, null, {}]) {
    const project = { _project: { _id: 'p', slug } }
    t.match(await ask('PATCH', path, project), { status: 'error', message: /^_project/ })
    t.match(await ask('PATCH', path, { $set: project }), { message: /^_project/ })
  }
  t.match(await ask('PATCH', path, { '_project.slug': 'other' }), { status: 'success' })
})

t.test('after seeds of {}, check finds nothing', async (t) => {
  const mock = await startDataSet(t, SHIPPED)
  await mock.seed(Object.fromEntries(RESOURCES.map((resource) => [resource, [{}]])))
  const { statements } = await checkMock(mock, SHIPPED, { id: /^schema\./ })
  t.same(
    statements.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id),
    [],
  )
})

t.test('a strict server keeps its contract, and refuses what is not whole', async (t) => {
  const mock = await startDataSet(t, SHIPPED, { strict: true })
  const { 'X-Auth-Token': token, ...others } = await logIn(mock)
  const headers = { ...others, 'X-Auth-Token': String(token), 'content-type': 'application/json' }
  const statuses = []
  for (const [method, path, sent] of [
    ['GET', '/materials?query={}&projection={}', headers],
    ['GET', '/materials?name=x', headers],
    ['GET', '/materials?query={}&limit=2', headers],
    ['GET', '/materials', { authorization: `Bearer ${token}` }],
    ['POST', '/logout', headers],
  ] as const) {
    const response = await mock.fetch(`${BASE}${path}`, { method, headers: sent })
    statuses.push(response.status)
  }
  t.same(statuses, [200, 400, 400, 401, 405])
  const body = JSON.stringify({ name: 'x' })
  const response = await mock.fetch(`${BASE}/materials/create`, { method: 'PUT', headers, body })
  t.equal(response.status, 400)
  t.match(
    ((await response.json()) as { message: string }).message,
    /^lattice, basis must not be missing/,
  )
  t.same(await findFailed(mock), [], 'nothing failed, also of what is assumed')
})
