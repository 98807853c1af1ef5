import { isDeepStrictEqual } from 'node:util'

import fc from 'fast-check'
import type { FastifyInstance, InjectOptions } from 'fastify'
import t from 'tap'

import type { JsonObject } from '@materials-mock/json'
import { BASE, build, listUrl, send } from '../helpers/build.js'

const NAMES = ['ann', 'bob', 'eve']

const SILICON = {
  basis: {
    elements: [{ id: 0, value: 'Si' }],
    coordinates: [{ id: 0, value: [0, 0, 0] }],
  },
  lattice: { a: 3, b: 3, c: 3, alpha: 90, beta: 90, gamma: 90 },
}

const POSCAR = 'rock\n5.64\n0 .5 .5\n.5 0 .5\n.5 .5 0\nNa Cl\n1 1\nDirect\n0 0 0\n.5 .5 .5\n'

const FIXTURES = {
  accounts: NAMES.map((name) => ({
    _id: name,
    username: name,
    password: 'x',
    tokens: [`${name}-token`],
    ...(name === 'bob' && { slug: 'bobby' }),
  })),
  materials: [
    { _id: 'a', name: 'a', isDefault: true, owner: { _id: 'ann' }, tags: ['t', 'u'] },
    { _id: 'b', isDefault: true, owner: { _id: 'bob', slug: 'bobby', cls: 'Account' } },
    { _id: 'c', owner: { _id: 'curators', slug: 'c' }, inSet: [{ _id: 's' }], ...SILICON },
    { _id: 'd', metadata: { list: [null, 1] } },
  ],
  notes: [
    { _id: 'a', isDefault: true, owner: null, list: [null, { x: 1 }], tags: 'none' },
    { _id: 'b', owner: 'ann' },
    { _id: 'c', owner: { _id: 'ann' } },
  ],
  jobs: [{ _id: 'a', isDefault: true, status: 'pre-submission' }, { _id: 'b' }],
}
const RESOURCES = ['materials', 'notes', 'jobs'] as const

const oneOf = <T>(...values: T[]) => fc.constantFrom(...values)

const owner = oneOf<unknown>(
  null,
  {},
  'ann',
  5,
  [],
  { _id: null },
  { _id: '' },
  { _id: 5 },
  { _id: 'ann' },
  { _id: 'bob' },
  { _id: 'bob', slug: 'bobby' },
  { _id: 'eve', slug: 'x' },
  { _id: 'eve' },
  { _id: 'ann', slug: 'x' },
  { _id: 'nobody' },
  { _id: 'nobody', slug: 5 },
  { _id: 'curators', slug: 'c', cls: 'Account', more: [1] },
  { slug: 'ann', cls: 'User' },
)
const isDefault = oneOf<unknown>(true, true, false, null, 1)
const tags = oneOf<unknown>([], ['t'], ['t', null], 't', null)
const structure = oneOf<object>({}, SILICON, { basis: null }, { lattice: { a: '3' } })

/** Bodies of new items, most of which are valid. */
const newItem = fc
  .record({ owner, isDefault, tags, name: oneOf<unknown>('x', '', 5) }, { requiredKeys: [] })
  .chain((fields) => structure.map((more) => ({ ...fields, ...more })))

const FIELDS: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  owner,
  'owner._id': oneOf<unknown>('ann', 'bob', 'nobody', null, 5, ''),
  'owner.slug': oneOf<unknown>('ann', 'bobby', 'x', null, 5),
  'owner.cls': oneOf<unknown>('Account', 'User', 5),
  'owner.more': oneOf<unknown>(1, null),
  isDefault,
  tags,
  'tags.0': oneOf<unknown>('v', null, 5),
  'tags.3': oneOf<unknown>('v'),
  name: oneOf<unknown>('x', null),
  inSet: oneOf<unknown>([], [{ _id: 's', type: 'unordered' }], [{ _id: 5 }], {}),
  creator: oneOf<unknown>(null, { _id: 'bob' }),
  metadata: oneOf<unknown>({ list: [null] }, 5),
  'metadata.list.0': oneOf<unknown>(null, 1),
  'list.0': oneOf<unknown>(null, 1),
  basis: oneOf<unknown>(SILICON.basis, null),
  'basis.elements.0.value': oneOf<unknown>('Ge', 'Xx', 5),
  'basis.coordinates.0.value.1': oneOf<unknown>(1e300, null, 0.5),
  'lattice.a': oneOf<unknown>(4, -1, 1e300),
  derivedProperties: oneOf<unknown>([{ name: 'volume', value: 1e308 }], [{}], 5),
  hash: oneOf<unknown>('x', 5),
  status: oneOf<unknown>('pre-submission', 'submitted', 5),
  statusTrack: oneOf<unknown>([{ status: 'submitted', trackedAt: 1e300 }], [{ trackedAt: -1 }], 5),
}
const path = oneOf(...Object.keys(FIELDS))

/** One to three fields with values. */
const fields = fc
  .uniqueArray(path, { minLength: 1, maxLength: 3 })
  .chain((paths) =>
    fc
      .tuple(...paths.map((each) => FIELDS[each] as fc.Arbitrary<unknown>))
      .map((values) => Object.fromEntries(values.map((value, index) => [paths[index], value]))),
  )

/** Bodies of a PATCH, with each of the operators. */
const update = fc.oneof(
  { arbitrary: fields, weight: 4 },
  fields.map(($set) => ({ $set })),
  fc.uniqueArray(path, { minLength: 1, maxLength: 2 }).map((paths) => ({
    $unset: Object.fromEntries(paths.map((each) => [each, 1])),
  })),
  oneOf<object>(
    { $push: { tags: 'v' } },
    { $push: { tags: 5 } },
    { $push: { inSet: { _id: 's' } } },
    { $addToSet: { tags: 't' } },
    { $pull: { tags: 't' } },
    { $pull: { 'metadata.list': null } },
    { $inc: { 'lattice.a': 1 } },
    { $inc: { 'owner._id': 1 } },
    { $mul: { 'lattice.a': 2 }, $max: { name: 'M' } },
    { $rename: { 'metadata.n': 'metadata.m', owner: 'former' } },
    { $rename: { name: 'metadata.name' } },
    { $pop: { tags: -1 }, $pullAll: { 'metadata.list': [null] } },
    { $set: { 'inSet.$[].type': 'ordered' } },
    { $set: { 'tags.$[t]': 'u' }, arrayFilters: [{ t: 't' }] },
    { $currentDate: { 'metadata.at': true }, $bit: { 'metadata.n': { or: 1 } } },
    { $inc: { 'metadata.n': 1e308 }, $unset: { owner: 1 } },
  ),
)

interface Write {
  readonly method: NonNullable<InjectOptions['method']>
  /** The path below the resource. `{id}` stands for the id of an item. */
  readonly path: string
  readonly body?: unknown
}

const write: fc.Arbitrary<Write> = fc.oneof(
  {
    weight: 3,
    arbitrary: newItem.map((body) => ({ method: 'PUT', path: '/create', body }) as const),
  },
  newItem.map(
    (body) => ({ method: 'PUT', path: '/create-set', body: { name: 's', ...body } }) as const,
  ),
  {
    weight: 6,
    arbitrary: update.map((body) => ({ method: 'PATCH', path: '/{id}', body }) as const),
  },
  {
    weight: 3,
    arbitrary: oneOf<Write>({ method: 'POST', path: '/{id}/set-default' }),
  },
  oneOf<Write>(
    { method: 'DELETE', path: '/{id}' },
    { method: 'POST', path: '/{id}/copy' },
    { method: 'POST', path: '/{id}/submit' },
    { method: 'POST', path: '/{id}/move-to-set?newSetId={id}' },
    { method: 'POST', path: '/{id}/move-to-set?oldSetId={id}&newSetId=' },
  ),
  owner.map((each) => ({
    method: 'POST' as const,
    path: '/import',
    body: {
      content: POSCAR,
      ...(typeof each === 'object' && each !== null && '_id' in each && { 'owner._id': each._id }),
    },
  })),
)

const step = fc.record({
  account: oneOf(...NAMES),
  resource: oneOf(...RESOURCES),
  write,
  /** Chooses an item of the resource. */
  position: fc.nat(11),
})

const credentials = (name: string) => ({ 'x-account-id': name, 'x-auth-token': `${name}-token` })

/** Returns the `_id`s of the default items that an account sees. */
async function listDefaults(
  app: FastifyInstance,
  resource: string,
  name: string,
): Promise<string[]> {
  const url = listUrl(resource, { isDefault: true }, { fields: { _id: 1 } })
  const response = await send(app, url, { headers: credentials(name) })
  return response.json().data.map(({ _id }: { _id: string }) => _id)
}

t.test(
  'after any writes, each response is as documented, and each account has one default',
  async (t) => {
    // `build` checks every response against the OpenAPI document.
    const app = await build(t, { fixtures: FIXTURES, jobDuration: 0 })
    const statuses = new Map<number, number>()
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        app.controls.reset()
        for (const {
          account,
          resource,
          write: { method, path: template, body },
          position,
        } of steps) {
          const items = app.store.collections.get(resource)?.entries ?? []
          const { _id = 'none' } = items[position % (items.length + 1)]?.item ?? {}
          const response = await send(
            app,
            `/${resource}${template.replaceAll('{id}', String(_id))}`,
            {
              method,
              headers: { ...credentials(account), 'content-type': 'application/json' },
              payload: body === undefined ? '' : JSON.stringify(body),
            },
          )
          const { statusCode } = response
          statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1)
          if (statusCode >= 500) throw new Error(response.payload)
          if (statusCode === 200 && method !== 'DELETE')
            await checkItem(resource, account, response.json().data)
          for (const name of NAMES) {
            const defaults = await listDefaults(app, resource, name)
            if (defaults.length > 1) throw new Error(`${name} sees the defaults ${defaults.join()}`)
          }
        }
      }),
      { numRuns: 150 },
    )
    for (const status of [200, 400, 403, 404])
      t.ok(statuses.has(status), `some responses have ${status}`)

    /** Checks that an item that was written has an owner, and is what a read returns. */
    async function checkItem(resource: string, account: string, item: JsonObject): Promise<void> {
      const response = await send(app, `/${resource}/${String(item._id)}`, {
        headers: credentials(account),
      })
      if (response.statusCode === 404)
        throw new Error(`${account} does not see ${String(item._id)}`)
      // A job that was submitted may have changed since.
      if (resource !== 'jobs' && !isDeepStrictEqual(response.json().data, item))
        throw new Error(`a read returns ${response.payload} after ${JSON.stringify(item)}`)
      const { owner: reference } = item as { owner?: JsonObject | string | null }
      const isFixture = String(item._id).length === 1
      if (!isFixture && typeof (reference as JsonObject | null)?._id !== 'string')
        throw new Error(`the owner of a new item is ${JSON.stringify(reference)}`)
    }
  },
)

const CIF = `data_x
_cell_length_a 3
_cell_length_b 3
_cell_length_c 3
_cell_angle_alpha 90
_cell_angle_beta 90
_cell_angle_gamma 90
loop_
_atom_site_label
_atom_site_fract_x
_atom_site_fract_y
_atom_site_fract_z
Si 0 0 0
`

/** A text with one character replaced. */
const damaged = (text: string) =>
  fc
    .tuple(fc.nat(text.length), oneOf('', '\n', '9', 'e', '-', "'", ';', '\0'))
    .map(([at, piece]) => text.slice(0, at) + piece + text.slice(at + 1))

const name = oneOf('x', 'a/b.txt', '..', '__proto__', '')
const formula = oneOf<unknown>('Si', 'NaCl', 'SiO2', 'GaAs', 'Xx', 'Si0', 5)

/** Writes of the newer routes, of the platform and of the controls, most of which are valid. */
const otherWrite: fc.Arbitrary<{ method: 'PUT' | 'POST' | 'DELETE'; url: string; body?: unknown }> =
  fc.oneof(
    fc
      .tuple(damaged(POSCAR), damaged(CIF), oneOf<unknown>('poscar', 'cif', 'xyz', undefined))
      .map(([poscar, cif, format]) => ({
        method: 'POST' as const,
        url: `${BASE}/materials/import`,
        body: { name: 'x', content: format === 'cif' ? cif : poscar, format },
      })),
    fc.record({ name, body: oneOf<unknown>('x', 'data:x;base64,QUJD', 5) }).map((body) => ({
      method: 'POST' as const,
      url: `${BASE}/files`,
      body,
    })),
    fc
      .record({
        names: fc.array(name, { maxLength: 2 }),
        operation: oneOf<unknown>('getObject', 'putObject', 'x'),
      })
      .map((body) => ({ method: 'POST' as const, url: `${BASE}/files/signed-urls`, body })),
    oneOf('presigned-urls', 'output-files').chain((route) =>
      fc.array(name, { maxLength: 2 }).map((files) => ({
        method: 'POST' as const,
        url: `${BASE}/jobs/${files.length === 1 ? 'none' : 'a'}/${route}`,
        body: { files },
      })),
    ),
    fc
      .tuple(
        fc.array(fc.record({ formula, tags }, { requiredKeys: [] }), { maxLength: 3 }),
        oneOf('', '?', '?seed=1', '?seed=2'),
        oneOf('materials', 'materials', 'notes', 'jobs', 'nothing'),
      )
      .map(([body, search, resource]) =>
        search === ''
          ? { method: 'PUT' as const, url: `/__admin/fixtures/${resource}`, body }
          : { method: 'POST' as const, url: `/__admin/seed${search}`, body: { [resource]: body } },
      ),
    fc
      .record(
        {
          status: oneOf<unknown>(418, 200, 5),
          times: oneOf<unknown>(1, 0),
          match: oneOf<unknown>({ method: 'GET' }, { $where: 1 }),
          patch: oneOf<unknown>({ x: 1 }, { $set: { __proto__x: 1 } }, { $bad: 1 }),
          headers: oneOf<unknown>({ 'x-a': 'b' }, { trailer: 'x' }, { 'a b': 'c' }),
          ttl: oneOf<unknown>(1000, -1),
        },
        { requiredKeys: [] },
      )
      // No rule applies: a response that a fault changes is not as documented.
      .map((body) => ({
        method: 'POST' as const,
        url: '/__admin/faults',
        body: { path: '/api/nothing', force: true, ...body },
      })),
    oneOf(
      { method: 'PUT' as const, url: '/__admin/sandboxes/one' },
      { method: 'DELETE' as const, url: '/__admin/sandboxes/one' },
      { method: 'PUT' as const, url: '/__admin/sandboxes/.x' },
      { method: 'PUT' as const, url: '/__admin/snapshots/one' },
      { method: 'POST' as const, url: '/__admin/snapshots/one/restore' },
      { method: 'DELETE' as const, url: '/__admin/snapshots/one' },
      { method: 'DELETE' as const, url: '/__admin/faults' },
      { method: 'DELETE' as const, url: '/__admin/requests' },
      { method: 'POST' as const, url: '/__admin/reset' },
    ),
    fc
      .record({ username: oneOf<unknown>('ann', 'nobody', 5) }, { requiredKeys: [] })
      .map((body) => ({ method: 'POST' as const, url: '/__admin/sessions', body })),
  )

/** Writes that 60 random runs need not draw. */
const VALID_WRITES = [
  {
    method: 'POST' as const,
    url: `${BASE}/materials/import`,
    body: { name: 'x', content: POSCAR },
  },
  { method: 'POST' as const, url: `${BASE}/files`, body: { name: 'x', body: 'x' } },
]

t.test('after any writes of other routes, each response is as documented', async (t) => {
  const app = await build(t, { fixtures: FIXTURES, jobDuration: 0 })
  const statuses = new Set<string>()
  await fc.assert(
    fc.asyncProperty(fc.array(otherWrite, { minLength: 1, maxLength: 6 }), async (writes) => {
      app.controls.reset()
      for (const { method, url, body } of writes) {
        const { statusCode, payload } = await app.inject({
          method,
          url,
          headers: { ...credentials('ann'), 'content-type': 'application/json' },
          payload: body === undefined ? '' : JSON.stringify(body),
        })
        if (statusCode >= 500) throw new Error(payload)
        statuses.add(`${url.split('?')[0]} ${statusCode}`)
      }
    }),
    { numRuns: 60, examples: [[VALID_WRITES]] },
  )
  for (const route of ['materials/import', 'files']) {
    const isWritten = [...statuses].some((each) => each.endsWith(`${route} 200`))
    t.ok(isWritten, `${route} succeeds`)
  }
})
