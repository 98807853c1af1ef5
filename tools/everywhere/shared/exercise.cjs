const assert = require('node:assert/strict')

const ACCOUNTS = [{ _id: 'ann', username: 'ann', password: 'secret', tokens: ['ann-token'] }]
const MATERIALS = [
  { _id: 'm1', formula: 'Si', lattice: { type: 'FCC', a: 3.87 }, tags: ['a', 'b'] },
  { _id: 'm2', formula: 'SiO2', lattice: { type: 'HEX', a: 4.91 }, tags: [] },
]
const HEADERS = { 'X-Account-Id': 'ann', 'X-Auth-Token': 'ann-token' }
const PATH = '/api/2018-10-01/materials'
const POSCAR = 'Si\n1.0\n3 0 0\n0 3 0\n0 0 3\nSi\n1\ndirect\n0 0 0\n'

/**
 * Uses what a test uses of the package, with the globals of whoever calls it.
 * @param materialsMock the exports of the package
 * @throws AssertionError for what is not as documented
 */
async function exercise({ startMock, connectMock, buildApp, SnapshotNotFound, FixturesInvalid }) {
  const mock = await startMock({ fixtures: { accounts: ACCOUNTS, materials: MATERIALS } })
  try {
    await exerciseHttp(mock)
    await exerciseFetch(mock)
    await exerciseControls(mock, SnapshotNotFound)
    assert.throws(() => mock.restore('none'), SnapshotNotFound) // in process, at once
    await exerciseControls(await connectMock(mock.url), SnapshotNotFound)
  } finally {
    await mock.close()
  }
  await assert.rejects(
    startMock({ fixtures: { materials: [{ _id: new Date() }] } }),
    FixturesInvalid,
  )
  await exerciseShippedFixtures(buildApp)
}

/** Sends requests over the network by node:http, which every runner has. */
async function exerciseHttp(mock) {
  const form = 'username=ann&password=secret'
  const type = { 'Content-Type': 'application/x-www-form-urlencoded' }
  const login = await send(mock, 'POST', '/api/2018-10-01/login', type, form)
  assert.deepEqual(login.body, { ...HEADERS, 'X-Auth-Token': login.body['X-Auth-Token'] })
  const list = await send(mock, 'GET', toList({ 'lattice.a': { $gt: 3, $lt: 4 } }), login.body)
  assert.deepEqual(list, { status: 200, body: { status: 'success', data: [MATERIALS[0]] } })
  assert.equal((await send(mock, 'GET', PATH, {})).status, 401)
  for (const page of ['/', '/explorer', '/api/2018-10-01/swagger.json'])
    assert.equal((await send(mock, 'GET', page, {})).status, 200, page)
}

/** Sends requests without a port. */
async function exerciseFetch(mock) {
  const find = async (query, projection = {}) => {
    const response = await mock.fetch(toList(query, projection), { headers: HEADERS })
    assert.equal(response.status, 200, await response.clone().text())
    return (await response.json()).data.map(({ _id }) => _id).join()
  }
  const form = new URLSearchParams({ username: 'ann', password: 'secret' })
  const login = await mock.fetch('/api/2018-10-01/login', { method: 'POST', body: form })
  assert.equal(login.status, 200)
  assert.equal(await find({ formula: { $regex: '^si', $options: 'i' } }), 'm1,m2')
  assert.equal(await find({}, { sort: { 'lattice.a': -1 }, limit: 1 }), 'm2')
  assert.equal(await find({ $expr: { $gt: [{ $size: '$tags' }, 1] } }), 'm1')
  assert.equal(await find({ $jsonSchema: { required: ['formula'] } }), 'm1,m2')
  const write = (method, path, body) =>
    mock.fetch(PATH + path, {
      method,
      headers: { ...HEADERS, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
  const patched = await write('PATCH', '/m1', { $push: { tags: 'c' } })
  assert.equal((await patched.json()).data.tags.join(), 'a,b,c')
  const imported = await write('POST', '/import', { name: 'Si', format: 'poscar', content: POSCAR })
  const { data } = await imported.json()
  const symmetry = data.derivedProperties.find(({ name }) => name === 'symmetry')
  assert.equal(symmetry.spaceGroupSymbol, 'Pm-3m')
  const refused = await mock.fetch(toList({ a: { $foo: 1 } }), { headers: HEADERS })
  assert.equal((await refused.json()).data.code, 'QUERY_INVALID')
}

async function exerciseControls(mock, SnapshotNotFound) {
  await mock.snapshot('one')
  await mock.fetch(`${PATH}/m2`, { method: 'DELETE', headers: HEADERS })
  await mock.restore('one')
  assert.equal((await mock.fetch(`${PATH}/m2`, { headers: HEADERS })).status, 200)
  await assert.rejects(async () => mock.restore('none'), SnapshotNotFound)
  const { _id } = await mock.faults.add({ status: 503, delay: 5, times: 1 })
  const [rule] = await mock.faults.list()
  assert.deepEqual(rule, { _id, status: 503, delay: 5, times: 1, matchCount: 0 })
  await mock.faults.add({ drop: 'reset' }) // also what Bun repeats
  assert.equal((await mock.fetch(PATH)).status, 503)
  await assert.rejects(mock.fetch(PATH))
  const [request] = await mock.requests({ status: 503 }, { limit: 1 })
  assert.equal(request.path, PATH)
  await mock.reset()
  assert.deepEqual(await mock.requests(), [])
}

async function exerciseShippedFixtures(buildApp) {
  const app = await buildApp({ logLevel: 'silent' })
  const headers = { 'x-account-id': 'oEb32zJWy27miFESb', 'x-auth-token': 'demo-preferences-token' }
  const response = await app.inject({ url: PATH, headers })
  assert.ok(response.json().data.length > 0)
  await app.close()
}

const toList = (query, projection = {}) =>
  `${PATH}?${new URLSearchParams({ query: JSON.stringify(query), projection: JSON.stringify(projection) })}`

/** Sends a request over the network. @returns the status, and the body: JSON, or undefined */
const send = (mock, method, path, headers, body) =>
  new Promise((resolve, reject) => {
    const request = require('node:http').request(mock.url + path, { method, headers })
    request.on('error', reject)
    request.on('response', (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk) => (text += chunk))
      response.on('end', () => {
        const isJson = /json/.test(response.headers['content-type'] ?? '')
        resolve({ status: response.statusCode, body: isJson ? JSON.parse(text) : undefined })
      })
    })
    request.end(body)
  })

module.exports = { exercise }
