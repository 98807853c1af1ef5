import type { FastifyInstance } from 'fastify'
import t from 'tap'

import { MAX_STORED_BYTES } from '../../src/store/files/file-storage.js'
import { build, send } from '../helpers/build.js'

const FIXTURES = {
  accounts: [
    { _id: 'ann', username: 'ann', password: 'x', tokens: ['ann-token'] },
    { _id: 'bob', username: 'bob', password: 'y', tokens: ['bob-token'], slug: 'bobby' },
  ],
  measurements: [
    { _id: 'm1', owner: { _id: 'ann' } },
    { _id: 'm2', owner: { _id: 'bob' } },
    { _id: 'm3' },
  ],
}
const ANN = { 'x-account-id': 'ann', 'x-auth-token': 'ann-token' }
const BOB = { 'x-account-id': 'bob', 'x-auth-token': 'bob-token' }

const post = async (app: FastifyInstance, url: string, payload: object, headers = ANN) =>
  (await send(app, url, { method: 'POST', headers, payload })).json()

const sign = async (app: FastifyInstance, name: string, operation?: string): Promise<string> =>
  (await post(app, '/files/signed-urls', { names: [name], ...(operation && { operation }) }))
    .data[0].signedUrl

/** Sends a request to a signed URL, without credentials. */
const storage = (
  app: FastifyInstance,
  url: string,
  method: 'GET' | 'PUT' = 'GET',
  body?: Buffer,
) => {
  const { pathname, search } = new URL(url)
  return app.inject({ method, url: pathname + search, ...(body && { payload: body }) })
}

t.test('a file is created in the folder of the account, and downloaded', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  const before = Math.floor(Date.now() / 1000)
  const { data } = await post(app, '/files', { name: 'a/b c%ü.json', body: '{"é": 1}' })
  const { lastModified, ...rest } = data
  t.same(rest, {
    name: 'a/b c%ü.json',
    key: 'ann/a/b c%ü.json',
    size: 9,
    bucket: 'materials-mock',
    region: 'us-east-1',
    provider: 'aws',
  })
  t.ok(lastModified >= before)
  const url = await sign(app, 'a/b c%ü.json')
  t.match(url, /^http:\/\/localhost:80\/storage\/ann\/a\/b%20c%25%C3%BC\.json\?operation=getObject/)
  const response = await storage(app, url)
  t.equal(response.statusCode, 200)
  t.equal(response.payload, '{"é": 1}')
  t.match(response.headers, {
    'content-type': 'application/octet-stream',
    'content-disposition': 'attachment',
    'x-content-type-options': 'nosniff',
  })
  const bytes = Buffer.from([0, 255, 10, 13])
  const body = `data:application/octet-stream;base64,${bytes.toString('base64')}`
  t.equal((await post(app, '/files', { name: 'bytes', body, accountId: 'ann' })).data.size, 4)
  t.same((await storage(app, await sign(app, 'bytes', 'getObject'))).rawPayload, bytes)
  const other = await post(app, '/files', { name: 'x', body: '' }, BOB)
  t.equal(other.data.key, 'bobby/x')
})

t.test('a PUT to a signed URL stores the bytes, whatever their type', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  const url = await sign(app, 'loops/site-1.npy', 'putObject')
  const download = await sign(app, 'loops/site-1.npy')
  t.match((await storage(app, download)).json(), { data: { code: 'FILE_NOT_FOUND' } })
  for (const content of [Buffer.from('loop data\0'), Buffer.alloc(2_000_000, 7), Buffer.alloc(0)]) {
    t.equal((await storage(app, url, 'PUT', content)).statusCode, 200)
    t.ok((await storage(app, download)).rawPayload.equals(content))
  }
  const { pathname, search } = new URL(url)
  const headers = { 'content-type': 'application/json' }
  await app.inject({ method: 'PUT', url: pathname + search, headers, payload: '{' })
  t.equal((await storage(app, download)).payload, '{')
  const journal = await app.inject('/__admin/requests')
  t.notMatch(journal.payload, new RegExp(new URL(url).searchParams.get('signature') ?? ''))
  t.match(journal.json().data[1], { method: 'PUT', body: { bytes: 1 }, status: 200 })
  app.controls.reset()
  t.equal((await storage(app, download)).statusCode, 404)
})

t.test('a URL that is not signed for the method and the file is refused', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  const [get, put] = [await sign(app, 'x'), await sign(app, 'x', 'putObject')]
  const other = (await build(t, { fixtures: FIXTURES })) as FastifyInstance
  const cases: [url: string, method: 'GET' | 'PUT'][] = [
    [get, 'PUT'],
    [put, 'GET'],
    [get.replace('getObject', 'putObject'), 'PUT'],
    [get.replace('/ann/x', '/ann/y'), 'GET'],
    [get.replace(/signature=.*/, 'signature='), 'GET'],
    [get.replace(/&signature=.*/, ''), 'GET'],
    [`${get}&signature=x`, 'GET'],
    [await sign(other, 'x'), 'GET'],
  ]
  for (const [url, method] of cases) {
    const response = await storage(app, url, method)
    t.equal(response.statusCode, 403, url)
    t.match(response.json(), { status: 'error', data: { code: 'SIGNATURE_REJECTED' } })
  }
})

t.test('a name leads nowhere outside the own folder, and bodies are validated', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  for (const name of [
    '',
    '.',
    '..',
    '../x',
    'a/../../x',
    '/x',
    'a//b',
    'a/',
    'a\nb',
    '\ud800',
    'a/\udc00b',
    'x'.repeat(1001),
  ])
    t.match(await post(app, '/files', { name, body: '' }), { data: { code: 'BODY_INVALID' } }, name)
  for (const [url, body, code] of [
    ['/files', { name: 'x' }, 'BODY_INVALID'],
    ['/files', { name: 'x', body: '', more: 1 }, 'BODY_INVALID'],
    ['/files', { name: 'x', body: '', accountId: 'bob' }, 'OWNER_FORBIDDEN'],
    ['/files/signed-urls', { names: ['x'], operation: 'delete' }, 'BODY_INVALID'],
    ['/files/signed-urls', { names: ['..'] }, 'BODY_INVALID'],
    ['/files/signed-urls', { names: ['\ud83d'] }, 'BODY_INVALID'],
    ['/files/signed-urls', { names: ['\ud83d\ude00'], accountId: 'bob' }, 'OWNER_FORBIDDEN'],
    ['/files/signed-urls', { names: ['x'], accountId: 'bob' }, 'OWNER_FORBIDDEN'],
  ] as const)
    t.match(await post(app, url, body), { data: { code } }, JSON.stringify(body))
  t.equal((await send(app, '/files', { method: 'POST', payload: {} })).statusCode, 401)
})

t.test('the files of a measurement are those below its name', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  for (const name of ['measurements/m1/b', 'measurements/m1/a', 'measurements/m10/c', 'm1/d'])
    await post(app, '/files', { name, body: name })
  const list = async (id: string) =>
    (await send(app, `/measurements/${id}/files`, { headers: ANN })).json()
  const { data } = await list('m1')
  t.same(
    data.map(({ key }: { key: string }) => key),
    ['ann/measurements/m1/a', 'ann/measurements/m1/b'],
  )
  t.equal((await storage(app, data[0].signedUrl)).payload, 'measurements/m1/a')
  t.same((await list('m3')).data, [])
  t.match(await list('m2'), { data: { code: 'ITEM_NOT_FOUND' } })
})

t.test('all files together have a bound', async (t) => {
  const { files } = (await build(t, { fixtures: FIXTURES })).store
  const half = Buffer.alloc(MAX_STORED_BYTES / 2)
  files.put('a', half)
  files.put('a', half)
  files.put('b', half)
  t.throws(() => files.put('c', Buffer.alloc(1)), { code: 'BOUND_EXCEEDED' })
  files.clear()
  t.equal(files.put('c', Buffer.alloc(1)).content.length, 1)
})

t.test('a read-only server stores no files', async (t) => {
  const app = await build(t, { fixtures: FIXTURES, readOnly: true })
  for (const url of ['/files', '/files/signed-urls']) {
    const response = await send(app, url, { method: 'POST', headers: ANN, payload: {} })
    t.equal(response.statusCode, 405, url)
  }
  const signature = app.store.files.sign('putObject', 'ann/x')
  const url = `http://localhost/storage/ann/x?operation=putObject&signature=${signature}`
  t.equal((await storage(app, url, 'PUT', Buffer.from('x'))).statusCode, 405)
  const withResource = await build(t, { fixtures: { files: [{ _id: 'f' }] }, readOnly: true })
  t.ok(withResource.store.collections.has('files'))
})
