import type { FastifyInstance, InjectOptions } from 'fastify'
import t from 'tap'

import type { JsonObject } from '@materials-mock/json'
import { build, listUrl, send } from '../helpers/build.js'

const SILICON = {
  name: 'Silicon FCC',
  basis: {
    elements: [
      { id: 1, value: 'Si' },
      { id: 2, value: 'Si' },
    ],
    coordinates: [
      { id: 1, value: [0, 0, 0] },
      { id: 2, value: [0.25, 0.25, 0.25] },
    ],
    units: 'crystal',
    name: 'basis',
  },
  lattice: { type: 'FCC', a: 3.867, b: 3.867, c: 3.867, alpha: 60, beta: 60, gamma: 60 },
}

const FAR = [
  { id: 1, value: [0, 0, 0] },
  { id: 2, value: [0, 1e300, 0] },
]

const FIXTURES = {
  accounts: [
    { _id: 'ann', username: 'ann', password: 'x', tokens: ['ann-token'] },
    { _id: 'bob', username: 'bob', password: 'y', tokens: ['bob-token'], slug: 'bobby' },
  ],
  materials: [
    { _id: 'm1', name: 'one', formula: 'Si', owner: { _id: 'ann' }, isDefault: true },
    { _id: 'm2', name: 'two', formula: 'Ge', owner: { _id: 'bob' }, isDefault: true },
    { _id: 'm3', name: 'three', tags: ['a'], owner: { _id: 'curators' } },
    { _id: 'm4', name: 'four', owner: { _id: 'ann', slug: 'ann', cls: 'Account' } },
  ],
  jobs: [
    { _id: 'j1', name: 'new', status: 'pre-submission', owner: { _id: 'ann' } },
    {
      _id: 'j2',
      name: 'old',
      status: 'submitted',
      statusTrack: [{ trackedAt: 1_700_000_000_000, status: 'submitted' }],
    },
  ],
  notes: [{ _id: 'n1', inSet: null, owner: null, tags: 'not an array' }],
}

const ANN = { 'x-account-id': 'ann', 'x-auth-token': 'ann-token' }
const BOB = { 'x-account-id': 'bob', 'x-auth-token': 'bob-token' }

type Method = NonNullable<InjectOptions['method']>

/** Returns the data of a success, or the status and the data of a failure. */
async function request(
  app: FastifyInstance,
  method: Method,
  url: string,
  body?: unknown,
  headers: Record<string, string> = ANN,
): Promise<JsonObject> {
  const response = await send(app, url, {
    method,
    headers: { ...headers, 'content-type': 'application/json' },
    payload: typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body),
  })
  const { status, data } = response.json()
  return status === 'success' ? data : { ...data, status: response.statusCode }
}

/** Returns the text of the lists of all resources. */
async function listAll(app: FastifyInstance, headers = ANN): Promise<string> {
  const texts = await Promise.all(
    Object.keys(FIXTURES)
      .slice(1)
      .map(async (resource) => (await send(app, `/${resource}`, { headers })).payload),
  )
  return texts.join('\n')
}

t.test('the server assigns the owner, the creator and the times', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  const item = await request(app, 'PUT', '/notes/create', {
    name: 'n',
    owner: { _id: null },
    creator: { _id: 'bob' },
    createdAt: 'long ago',
  })
  t.match(item, {
    owner: { _id: 'ann', slug: 'ann', cls: 'Account' },
    creator: { _id: 'ann', slug: 'ann', cls: 'User' },
    createdAt: new Date().toISOString().slice(0, 10),
    tags: [],
    isDefault: false,
  })
  t.match(await request(app, 'PUT', '/notes/create', {}, BOB), {
    owner: { _id: 'bob', slug: 'bobby' },
  })
  const cases: [owner: unknown, expected: object][] = [
    [null, { _id: 'ann' }],
    [{}, { _id: 'ann' }],
    [
      { _id: 'ann', slug: 'x' },
      { _id: 'ann', slug: 'ann' },
    ],
    [
      { _id: 'curators', slug: 'c' },
      { _id: 'curators', slug: 'c' },
    ],
  ]
  for (const [owner, expected] of cases)
    t.match(await request(app, 'PUT', '/notes/create', { owner }), { owner: expected })
})

t.test('a new item has the schemaVersion of the fixtures', async (t) => {
  const versioned = [
    { _id: 'i1' },
    { _id: 'i2', schemaVersion: '7.1' },
    { _id: 'i3', schemaVersion: '8' },
  ]
  const { accounts } = FIXTURES
  const fixtures = {
    accounts,
    materials: versioned,
    jobs: versioned,
    notes: versioned,
    projects: [],
  }
  const app = await build(t, { fixtures, jobDuration: 0 })
  for (const resource of ['materials', 'jobs', 'notes']) {
    t.match(await request(app, 'PUT', `/${resource}/create`, {}), { schemaVersion: '7.1' })
    t.match(await request(app, 'PUT', `/${resource}/create-set`, { name: 's' }), {
      schemaVersion: '7.1',
    })
    t.match(await request(app, 'PUT', `/${resource}/create`, { schemaVersion: '9' }), {
      schemaVersion: '9',
    })
  }
  t.match(await request(app, 'PUT', '/projects/create', {}), { schemaVersion: '0.2.0' })
  const without = await build(t, { fixtures: FIXTURES })
  t.match(await request(without, 'PUT', '/materials/create', {}), { schemaVersion: '0.2.0' })
})

t.test('the computed fields of a material follow from its structure', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  const symmetry = { name: 'symmetry', spaceGroupSymbol: 'Fd-3m' }
  const created = await request(app, 'PUT', '/materials/create', {
    ...SILICON,
    formula: 'wrong',
    hash: 'wrong',
    derivedProperties: [symmetry],
  })
  t.match(created, {
    formula: 'Si',
    unitCellFormula: 'Si2',
    basis: {
      ...SILICON.basis,
      elements: [
        { id: 0, value: 'Si' },
        { id: 1, value: 'Si' },
      ],
      coordinates: [
        { id: 0, value: [0, 0, 0] },
        { id: 1, value: [0.25, 0.25, 0.25] },
      ],
      cell: [
        [3.348920236, 0, 1.9335],
        [1.116306745, 3.157392278, 1.9335],
        [0, 0, 3.867],
      ],
    },
    hash: 'a665723ef7429caef6ca89385fe25bae',
    scaledHash: '87e416358789a7c435eaaba0344af51d',
    exabyteId: /^[2-9A-HJ-NP-TW-Za-km-z]{17}$/,
    lattice: { ...SILICON.lattice, vectors: { c: [0, 0, 3.867], alat: 1 } },
    derivedProperties: [
      { name: 'volume', units: 'angstrom^3' },
      { name: 'density' },
      { ...symmetry, tolerance: { value: 0.3, units: 'angstrom' } },
    ],
  })
  const url = `/materials/${String(created._id)}`
  const germanium = await request(app, 'PATCH', url, {
    'basis.elements.0.value': 'Ge',
    'basis.elements.1.value': 'Ge',
    formula: 'Si',
  })
  t.match(germanium, { formula: 'Ge', unitCellFormula: 'Ge2' })
  for (const name of ['hash', 'scaledHash', 'exabyteId']) t.not(germanium[name], created[name])
  const computed = { ...symmetry, pointGroupSymbol: 'm-3m' }
  t.match(germanium.derivedProperties, [{}, {}, computed], 'the former one had no point group')
  const restored = await request(app, 'PATCH', url, {
    basis: SILICON.basis,
    derivedProperties: [symmetry],
  })
  t.same({ ...restored, updatedAt: 0 }, { ...created, updatedAt: 0 })
  const tilted = await request(app, 'PATCH', url, { 'lattice.type': 'TRI' })
  t.match(tilted, { hash: created.hash, lattice: { type: 'TRI' } })
  t.match(JSON.stringify(tilted.derivedProperties), 'Fd-3m', 'the structure is the same')
  t.equal(
    (await request(app, 'PATCH', url, { formula: 'Si2' })).formula,
    'Si2',
    'a patched formula is stored',
  )
  const withoutStructure = await request(app, 'PUT', '/materials/create', {
    name: 'no structure',
    formula: 'SiO2',
    hash: 'of another structure',
  })
  t.match(withoutStructure, {
    name: 'no structure',
    formula: 'SiO2',
    lattice: { type: /^[A-Z]+$/ },
  })
  t.match(withoutStructure.hash, /^[0-9a-f]{32}$/, 'a structure is made up')
})

t.test('the fields that follow from a structure are right after every kind of write', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  const created = await request(app, 'PUT', '/materials/create', SILICON)
  const url = `/materials/${String(created._id)}`
  const copy = await request(app, 'POST', `${url}/copy`, undefined, BOB)
  t.equal(copy.status, 404, 'bob does not see it')
  for (const name of ['hash', 'scaledHash', 'exabyteId', 'basis'])
    t.same((await request(app, 'POST', `${url}/copy`))[name], created[name])

  const expanded = await request(app, 'PATCH', url, {
    'lattice.a': 4,
    'lattice.b': 4,
    'lattice.c': 4,
  })
  t.equal(expanded.scaledHash, created.scaledHash, 'the shape is the same')
  t.not(expanded.hash, created.hash)
  t.not(expanded.exabyteId, created.exabyteId)
  t.match(expanded.basis, { cell: [[3.464101615, 0, 2], {}, [0, 0, 4]] })

  const added = await request(app, 'PATCH', url, {
    $push: {
      'basis.elements': { id: 9, value: 'Ge' },
      'basis.coordinates': { id: 9, value: [0.5, 0.5, 0.5] },
    },
  })
  t.match(added, {
    unitCellFormula: 'Si2 Ge',
    basis: { elements: [{}, {}, { id: 2 }], coordinates: [{}, {}, { id: 2 }] },
  })
  const restored = await request(app, 'PATCH', url, created)
  t.same({ ...restored, updatedAt: 0 }, { ...created, updatedAt: 0 })

  const inchi = { name: 'inchi', value: '1S/Si' }
  const known = { derivedProperties: [inchi, { name: 'volume', value: 1 }] }
  const named = await request(app, 'PUT', '/materials/create', { ...SILICON, ...known })
  const properties = named.derivedProperties as JsonObject[]
  t.strictSame(
    properties.filter(({ name }) => name === 'inchi' || name === 'volume'),
    [{ name: 'volume', value: 40.889097, units: 'angstrom^3' }, inchi],
    'what is not computed is kept',
  )
})

t.test('updatedBy is the account of the last write', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  const created = await request(app, 'PUT', '/materials/create', { owner: { _id: 'curators' } })
  t.match(created, { createdBy: 'ann', updatedBy: 'ann' })
  const url = `/materials/${String(created._id)}`
  const bySomeone = { createdBy: 'ann', updatedBy: 'bob' }
  t.match(await request(app, 'PATCH', url, { name: 'x' }, BOB), bySomeone)
  t.match(await request(app, 'PATCH', url, { updatedBy: 'eve' }, BOB), bySomeone)
  t.match(await request(app, 'POST', `${url}/set-default`), { ...bySomeone, updatedBy: 'ann' })
  t.match(await request(app, 'PATCH', url, { createdBy: 'bob' }), {
    status: 400,
    message: 'createdBy is assigned by the server; leave it out',
  })
  const set = await request(app, 'PUT', '/materials/create-set', { name: 'set' }, BOB)
  t.match(set, { isEntitySet: true, createdBy: 'bob' })
  const move = `${url}/move-to-set?newSetId=${String(set._id)}`
  t.match(await request(app, 'POST', move, undefined, BOB), bySomeone)
  t.match(await request(app, 'POST', `${url}/copy`), { createdBy: 'ann', updatedBy: 'ann' })
})

t.test('a header and the journal name the fields that were completed', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  const create = (payload: JsonObject) =>
    send(app, '/materials/create', { method: 'PUT', headers: ANN, payload })
  const bare = await create({ name: 'bare' })
  t.equal(bare.headers['x-mock-completed'], 'lattice, basis')
  const { lattice, basis } = bare.json().data
  const whole = await create({ name: 'whole', lattice, basis })
  t.equal(whole.headers['x-mock-completed'], undefined)
  const query = JSON.stringify({ 'response.headers.x-mock-completed': { $regex: 'basis' } })
  const url = `/__admin/requests?${new URLSearchParams({ query })}`
  const found = (await app.inject({ url })).json().data
  t.same(
    found.map(({ body }: JsonObject) => body),
    [{ name: 'bare' }],
  )
})

t.test('a rejected write has a message, and changes nothing', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  const before = await listAll(app)
  const version = app.store.collections.get('materials')?.version
  const deep = `{"a":${'['.repeat(60)}${']'.repeat(60)}}`
  const cases: [method: Method, url: string, body: unknown, status: number, message: string][] = [
    ['PUT', '/materials/create', { _id: 7 }, 400, '_id must be a string or null, not 7'],
    ['PUT', '/jobs/create-set', { name: 's', _id: [] }, 400, '_id must be a string or null'],
    ['PUT', '/materials/create', [], 400, 'the body must be an object, not []'],
    ['PUT', '/materials/create', { isEntitySet: true }, 400, 'name must not be missing: every set'],
    ['PUT', '/materials/create', undefined, 400, 'the body must be an object'],
    [
      'PUT',
      '/materials/create',
      '{"name":',
      400,
      'body is not JSON: line 1, column 9: a value is expected',
    ],
    ['PUT', '/materials/create', { name: 5 }, 400, 'name must be a string, not 5'],
    ['PUT', '/materials/create', { tags: 'a' }, 400, 'tags must be an array, not "a"'],
    ['PUT', '/materials/create', { tags: null }, 400, 'tags must be an array, not null'],
    ['PUT', '/materials/create', { isDefault: 1 }, 400, 'isDefault must be true or false, not 1'],
    [
      'PUT',
      '/materials/create',
      { lattice: { a: '3' } },
      400,
      'lattice.a must be a number, not "3"',
    ],
    ['PUT', '/materials/create', { basis: SILICON.basis }, 400, 'lattice must be there'],
    [
      'PUT',
      '/materials/create',
      { ...SILICON, lattice: { ...SILICON.lattice, alpha: 200 } },
      400,
      'lattice.alpha must be an angle between 0 and 180 degrees, not 200',
    ],
    ['PUT', '/notes/create', { name: {} }, 400, 'name must be a string, not {}'],
    ['PUT', '/notes/create', { owner: 'ann' }, 400, 'owner must be null or an object, not "ann"'],
    ['PUT', '/notes/create', { owner: { _id: 'bob' } }, 403, 'not the other account "bob"'],
    [
      'PUT',
      '/notes/create',
      '{"__proto__": {"x": 1}}',
      400,
      'body must not have "__proto__" in a key',
    ],
    [
      'PUT',
      '/notes/create',
      { a: { constructor: 1 } },
      400,
      'body.a must not have the key "constructor"',
    ],
    ['PUT', '/notes/create', { $set: { a: 1 } }, 400, 'body must not have the key "$set"'],
    ['PUT', '/notes/create', { 'a.b': 1 }, 400, 'body must not have the key "a.b"'],
    ['PUT', '/notes/create', '{"n": 1e999}', 400, 'body.n must be a number that a double can hold'],
    ['PUT', '/notes/create', deep, 400, 'must have at most 50 levels'],
    ['PUT', '/materials/create-set', {}, 400, 'name is missing'],
    [
      'PUT',
      '/materials/create-set',
      { name: 's', isEntitySet: false },
      400,
      'isEntitySet must be true, not false',
    ],
    ['PUT', '/materials/create-set', { name: '' }, 400, 'name must be a string that is not empty'],
    [
      'PUT',
      '/materials/create-set',
      { name: 's', basis: 5 },
      400,
      'basis must be an object, not 5',
    ],
    ['PATCH', '/materials/m1', undefined, 400, 'the body must be an object'],
    ['PATCH', '/materials/m1', { _id: 'm9' }, 400, '_id is assigned by the server; leave it out'],
    [
      'PATCH',
      '/materials/m1',
      { $unset: { _id: '' } },
      400,
      "_id is assigned by the server, and can't be removed",
    ],
    ['PATCH', '/materials/m1', { 'creator._id': 'bob' }, 400, 'creator is assigned by the server'],
    [
      'PUT',
      '/materials/create',
      { ...SILICON, basis: { ...SILICON.basis, coordinates: FAR } },
      400,
      'basis.coordinates.1.value must be at most 1000000 cells away, not [0,1e+300,0]',
    ],
    [
      'PATCH',
      '/materials/m1',
      { ...SILICON, basis: { ...SILICON.basis, coordinates: FAR } },
      400,
      'basis.coordinates.1.value must be at most 1000000 cells away, not [0,1e+300,0]',
    ],
    ['PATCH', '/materials/m1', { createdAt: 'x' }, 400, 'createdAt is assigned by the server'],
    ['PATCH', '/materials/m1', { 'owner._id': 'bob' }, 403, 'not the other account "bob"'],
    ['PATCH', '/materials/m3', { 'tags.0': 5 }, 400, 'tags.0 must be a string, not 5'],
    [
      'PATCH',
      '/materials/m3',
      { $unset: { 'tags.0': 1 } },
      400,
      'body.$unset.tags.0 must not be unset: tags.0 must be a string, not null',
    ],
    ...['owner', 'owner._id', 'owner.cls'].map((path): (typeof cases)[number] => [
      'PATCH',
      '/materials/m4',
      { $unset: { [path]: 1 } },
      400,
      `body.$unset.${path} must not be unset; set owner to null to make the item your own`,
    ]),
    [
      'PATCH',
      '/materials/m4',
      { $rename: { owner: 'former' } },
      400,
      'body.$rename.owner must not be unset; set owner to null to make the item your own',
    ],
    [
      'PATCH',
      '/materials/m1',
      { $rename: { _id: 'id' } },
      400,
      "_id is assigned by the server, and can't be removed",
    ],
    ['PATCH', '/materials/m1', { 'owner.slug': 'x' }, 400, 'owner.slug must be "ann", the slug of'],
    ['PATCH', '/materials/m1', { 'owner.slug': 5 }, 400, 'owner.slug must be a string, not 5'],
    ['PATCH', '/materials/m1', { 'owner.cls': 'User' }, 400, 'owner.cls must be "Account", not'],
    ['PATCH', '/materials/m1', { 'owner._id': '' }, 400, 'owner._id must be a string that is not'],
    ['PATCH', '/materials/m1', { owner: 'ann' }, 400, 'owner must be null or an object, not "ann"'],
    ['PATCH', '/materials/m1', { owner: { _id: 'bob' } }, 403, 'not the other account "bob"'],
    [
      'PATCH',
      '/materials/m3',
      { owner: { slug: 'x' } },
      400,
      'owner.slug must be "ann", the slug of',
    ],
    ['PUT', '/notes/create', { owner: { _id: 5 } }, 400, 'owner._id must be a string that is not'],
    [
      'PUT',
      '/notes/create',
      { owner: { _id: 'team', slug: [] } },
      400,
      'owner.slug must be a string, not []',
    ],
    ['PUT', '/notes/create', { owner: { cls: 'User' } }, 400, 'owner.cls must be "Account", not'],
    ['PATCH', '/materials/m1', { name: 'x', $inc: { n: 1 } }, 400, 'operators or fields, not both'],
    [
      'PATCH',
      '/materials/m3',
      { $set: { a: 1 }, $inc: { name: 1 } },
      400,
      'body.$inc.name must apply to a number, not "three"',
    ],
    ['PATCH', '/materials/m1', { lattice: SILICON.lattice }, 400, 'basis must be there'],
    ['PATCH', '/materials/m1', { 'lattice.a': 'x' }, 400, 'lattice.a must be a number, not "x"'],
    [
      'POST',
      '/materials/m1/move-to-set?newSetId=m3',
      undefined,
      400,
      'newSetId must be the _id of',
    ],
    [
      'POST',
      '/materials/m1/move-to-set?newSetID=m3',
      undefined,
      400,
      'which has oldSetId, newSetId; the closest one is newSetId',
    ],
    ['POST', '/materials/m1/move-to-set?newSetId=m2', undefined, 404, '_id "m2"'],
    ['POST', '/materials/m1/move-to-set?oldSetId=m9', undefined, 404, '_id "m9"'],
    ['POST', '/materials/m1/move-to-set?newSetId=a&newSetId=b', undefined, 400, 'newSetId must be'],
    ['POST', '/jobs/j2/submit', undefined, 400, 'must have the status "pre-submission"'],
    ['DELETE', '/materials/', undefined, 405, 'DELETE is not allowed at'],
    ['DELETE', '/materials//', undefined, 404, '_id ""'],
    ['POST', '/materials//copy', undefined, 404, '_id ""'],
    ['GET', '/materials/create', undefined, 404, '_id "create"'],
    ['GET', '/materials/import', undefined, 404, '_id "import"'],
    ['PUT', '/materials/m1', {}, 405, 'use DELETE, GET, HEAD, PATCH'],
    ['POST', '/materials/m1/submit', undefined, 404, 'there is nothing at'],
    ['POST', '/notes/import', {}, 405, 'POST is not allowed at'],
  ]
  for (const [method, url, body, status, message] of cases) {
    const name = `${method} ${url} ${JSON.stringify(body)?.slice(0, 80)}`
    const result = await request(app, method, url, body)
    t.match(result, { status, message }, name)
    t.equal(await listAll(app), before, `${name} changes nothing`)
  }
  const otherOwner = { owner: { _id: 'bob' } }
  t.match(await request(app, 'PUT', '/notes/create', otherOwner), { code: 'OWNER_FORBIDDEN' })
  t.equal(app.store.collections.get('materials')?.version, version, 'nothing was written')
})

t.test('a patch leaves an item whole, and a set a set', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  const { _id } = await request(app, 'PUT', '/materials/create', { ...SILICON, name: 'a' })
  const set = await request(app, 'PUT', '/materials/create-set', { name: 'set' })
  const cases = [
    [
      _id,
      { $unset: { basis: 1, lattice: 1 } },
      'lattice must not be removed: every item of /materials has it',
    ],
    [_id, { $unset: { name: 1 } }, 'name must not be removed: every item of /materials has it'],
    [_id, { isEntitySet: true }, 'isEntitySet must remain false'],
    [set._id, { isEntitySet: false }, 'isEntitySet must remain true'],
  ] as const
  for (const [id, body, message] of cases) {
    const response = await app.inject({
      method: 'PATCH',
      url: `/api/2018-10-01/materials/${String(id)}`,
      headers: ANN,
      payload: body,
    })
    t.equal(response.statusCode, 400, JSON.stringify(body))
    t.equal(response.json().message, message)
  }
})

t.test('a patch that changes nothing does not change updatedAt', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  const before = await listAll(app)
  for (const body of [{}, { name: 'one' }, { $set: {} }, { $unset: { x: 1 } }, { _id: 'm1' }])
    t.same(await request(app, 'PATCH', '/materials/m1', body), FIXTURES.materials[0])
  t.equal(await listAll(app), before)
})

t.test('a patch accepts wrong values of the fixtures in other fields', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  t.match(await request(app, 'PATCH', '/notes/n1', { name: 'x' }), {
    name: 'x',
    tags: 'not an array',
  })
  const set = await request(app, 'PUT', '/notes/create-set', { name: 's' })
  const url = `/notes/n1/move-to-set?newSetId=${String(set._id)}`
  t.match(await request(app, 'POST', url), { inSet: [{ _id: set._id, type: 'unordered' }] })
  t.match(await request(app, 'POST', '/notes/n1/copy'), { owner: { _id: 'ann' } })
})

t.test('an item of the fixtures whose inSet is one set, not an array, is in the set', async (t) => {
  const [a, b] = ['a', 'b'].map((_id) => ({ _id, isEntitySet: true, entitySetType: 'ordered' }))
  const inSet = { _id: 'a', type: 'ordered', index: 4 }
  const fixtures = { ...FIXTURES, notes: [{ _id: 'n1', inSet }, { _id: 'n2' }, a, b] }
  const app = await build(t, { fixtures })
  const added = { _id: 'a', type: 'ordered', index: 5 }
  t.match(await request(app, 'POST', '/notes/n2/move-to-set?newSetId=a'), { inSet: [added] })
  const moved = [inSet, { _id: 'b', type: 'ordered', index: 0 }]
  t.match(await request(app, 'POST', '/notes/n1/move-to-set?newSetId=b'), { inSet: moved })
})

t.test('each account has its own default item', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  const defaults = async (headers: Record<string, string>): Promise<unknown[]> => {
    const url = listUrl('materials', { isDefault: true }, { fields: { _id: 1 } })
    return (await send(app, url, { headers })).json().data.map(({ _id }: JsonObject) => _id)
  }
  const check = async (ann: unknown[], bob: unknown[], name: string): Promise<void> => {
    t.same(await defaults(ANN), ann, `${name}: ann`)
    t.same(await defaults(BOB), bob, `${name}: bob`)
  }
  await check(['m1'], ['m2'], 'the fixtures')
  await request(app, 'POST', '/materials/m3/set-default')
  await check(['m3'], ['m3'], 'a shared item')
  await request(app, 'PATCH', '/materials/m1', { isDefault: true })
  await check(['m1'], [], "an account's own item")
  await request(app, 'POST', '/materials/m2/set-default', undefined, BOB)
  await check(['m1'], ['m2'], "another account's own item")
  const shared = await request(app, 'PUT', '/materials/create', {
    owner: { _id: 'nobody' },
    isDefault: true,
  })
  await check([shared._id], [shared._id], 'a new item of nobody')
  await request(app, 'POST', '/materials/m2/set-default', undefined, BOB)
  await request(app, 'POST', '/materials/m1/set-default')
  await request(app, 'PATCH', '/materials/m1', { 'owner._id': 'nobody' })
  await check(['m1'], ['m1'], 'an item that is shared by a new owner')
  await request(app, 'PATCH', '/materials/m1', { owner: null }, BOB)
  await check([], ['m1'], 'a shared item that becomes another account’s')
  await request(app, 'PATCH', '/materials/m1', { isDefault: false }, BOB)
  await check([], [], 'no default')
})

t.test('the owner of a patched item stays a reference to an account', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  const ann = { _id: 'ann', slug: 'ann', cls: 'Account' }
  const team = { _id: 'team', slug: 'team', cls: 'Account' }
  const cases: [owner: JsonObject | null, body: JsonObject, expected: object][] = [
    [{ _id: 'curators', slug: 'c', cls: 'Account' }, { owner: null }, ann],
    [{ _id: 'curators', slug: 'c', cls: 'Account' }, { owner: {} }, ann],
    [{ _id: 'curators', slug: 'c', cls: 'Account' }, { 'owner._id': null }, ann],
    [{ _id: 'curators', slug: 'c', cls: 'Account' }, { 'owner._id': 'ann' }, ann],
    [{ _id: 'curators', slug: 'c' }, { owner: { _id: null, slug: 'ann' } }, ann],
    [{ _id: 'curators', slug: 'c' }, { 'owner._id': 'team' }, team],
    [{ _id: 'curators' }, { owner: { _id: 'team', slug: 't' } }, { ...team, slug: 't' }],
    [
      { _id: 'curators', slug: 'c' },
      { 'owner.slug': 'd' },
      { ...team, _id: 'curators', slug: 'd' },
    ],
    [null, { 'owner._id': 'team' }, team],
    [null, { owner: { _id: 'ann' } }, ann],
    [null, { owner: null }, ann],
    [null, { 'owner.slug': 'ann' }, ann],
  ]
  for (const [owner, body, expected] of cases) {
    const { _id } = await request(app, 'PUT', '/materials/create', { owner })
    const name = `${JSON.stringify(owner)} ${JSON.stringify(body)}`
    const patched = await request(app, 'PATCH', `/materials/${String(_id)}`, body)
    t.same(patched.owner, expected, name)
  }
  const { _id, ...item } = await request(app, 'PUT', '/notes/create', { owner: null })
  for (const body of [{ owner: null }, { owner: {} }, { owner: { _id: 'ann' } }])
    t.same(await request(app, 'PATCH', `/notes/${String(_id)}`, body), { _id, ...item })
})

t.test('an $unset of an entry that is null is no write', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  const { _id } = await request(app, 'PUT', '/notes/create', { l: [null, 1], d: { l: [null] } })
  const url = `/notes/${String(_id)}`
  const before = await request(app, 'PATCH', url, { updatedAt: 'long ago' })
  const version = app.store.collections.get('notes')?.version
  for (const path of ['l.0', 'd.l.0', 'l.7', 'x'])
    t.same(await request(app, 'PATCH', url, { $unset: { [path]: 1 } }), before, path)
  t.equal(app.store.collections.get('notes')?.version, version)
  t.match(await request(app, 'PATCH', url, { $unset: { 'l.1': 1 } }), { l: [null, null] })
})

t.test('a job changes its status with time', async (t) => {
  const app = await build(t, { fixtures: FIXTURES, jobDuration: 60_000 })
  t.match(await request(app, 'GET', '/jobs/j2'), {
    status: 'finished',
    statusTrack: [
      { trackedAt: 1_700_000_000_000, status: 'submitted' },
      { trackedAt: 1_700_000_060_000, status: 'active' },
      { trackedAt: 1_700_000_120_000, status: 'finished' },
    ],
    updatedAt: '2023-11-14T22:15:20.000Z',
  })
  const job = await request(app, 'PUT', '/jobs/create', { name: 'made' })
  t.equal(job.status, 'pre-submission')
  const start = Date.now()
  const submitted = await request(app, 'POST', `/jobs/${String(job._id)}/submit`)
  const [first, second] = submitted.statusTrack as unknown as { trackedAt: number }[]
  t.match(submitted, { status: 'submitted' })
  t.match([first, second], [{ status: 'pre-submission' }, { status: 'submitted' }])
  const { trackedAt = 0 } = second ?? {}
  t.ok(trackedAt >= start && trackedAt <= Date.now())
  const repeated = await request(app, 'POST', `/jobs/${String(job._id)}/submit`)
  t.match(repeated, { status: 400, code: 'JOB_NOT_SUBMITTABLE', message: /, not "submitted"$/ })
  const copy = await request(app, 'POST', `/jobs/${String(job._id)}/copy`)
  t.equal(copy.status, 'pre-submission')
  t.match(copy.statusTrack, [{ status: 'pre-submission' }])
  t.equal((copy.statusTrack as unknown[]).length, 1)
  const set = await request(app, 'PUT', '/jobs/create-set', { name: 'jobs' })
  t.notOk('status' in set)
  t.match(await request(app, 'POST', `/jobs/${String(set._id)}/submit`), { message: /, not null$/ })
})

t.test('lists and cached responses have the current status of a job', async (t) => {
  const app = await build(t, { fixtures: FIXTURES, jobDuration: 0 })
  const url = listUrl('jobs', { status: 'finished' }, { fields: { _id: 1 } })
  const finished = async () => (await send(app, url, { headers: ANN })).json().data
  t.same(await finished(), [{ _id: 'j2' }])
  t.match(await request(app, 'POST', '/jobs/j1/submit'), { status: 'submitted' })
  t.same(await finished(), [{ _id: 'j1' }, { _id: 'j2' }])
})

t.test('the files of a job are the inputs of its workflow', async (t) => {
  const unit = { input: [{ name: 'pw.in', content: 'Å' }, { name: 'kpoints' }] }
  const workflow = { subworkflows: [{ units: [unit, { input: null }, 5] }] }
  const jobs = [
    { _id: 'j', workflow },
    { _id: 'k', workflow: null },
    { _id: 'l', owner: { _id: 'bob' } },
  ]
  const app = await build(t, { fixtures: { accounts: FIXTURES.accounts, jobs }, readOnly: true })
  t.match(await request(app, 'GET', '/jobs/j/files'), [
    { key: '/cluster-001-home/nobody/data/default/j/pw.in', name: 'pw.in', size: 2 },
  ])
  t.same(await request(app, 'GET', '/jobs/k/files'), [])
  t.match(await request(app, 'GET', '/jobs/l/files'), { status: 404 })
})

t.test('--read-only responds to every write with 405', async (t) => {
  const app = await build(t, { fixtures: FIXTURES, readOnly: true })
  const cases: [method: Method, url: string][] = [
    ['PUT', '/materials/create'],
    ['PUT', '/materials/create-set'],
    ['POST', '/materials/import'],
    ['PATCH', '/materials/m1'],
    ['DELETE', '/materials/m1'],
    ['POST', '/materials/m1/copy'],
    ['POST', '/materials/m1/set-default'],
    ['POST', '/materials/m1/move-to-set'],
    ['POST', '/jobs/j1/submit'],
  ]
  for (const [method, url] of cases) {
    const response = await send(app, url, { method, headers: ANN })
    t.equal(response.statusCode, 405, `${method} ${url}`)
    t.equal(response.headers.allow, 'GET, HEAD')
  }
  t.equal((await send(app, '/materials/m1/copy', { headers: ANN })).statusCode, 404)
  for (const readOnly of [true, false]) {
    const each = await build(t, { fixtures: FIXTURES, readOnly })
    const submit = await request(each, 'POST', '/materials/m1/submit')
    t.match(submit, { status: 404, code: 'ROUTE_NOT_FOUND' }, 'only a job can be submitted')
  }
})
