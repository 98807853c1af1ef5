import type { AddressInfo } from 'node:net'

import t from 'tap'

import { BASE, build, send } from '../helpers/build.js'
import { sendBytes } from '../helpers/send-bytes.js'

const LENGTH = 'Content-Length: 0'
const BOUNDARY = 'Content-Type: multipart/form-data; boundary=xYz'

/** What clients send with an empty body: the header fields, and the bytes. */
const EMPTY_BODIES: readonly [client: string, fields: readonly string[], bytes: string][] = [
  ['no body', [], ''],
  [
    'axios 0.21, 0.27 and 1: post(url)',
    ['Content-Type: application/x-www-form-urlencoded', LENGTH],
    '',
  ],
  ["fetch with body ''", ['Content-Type: text/plain;charset=UTF-8', LENGTH], ''],
  ["curl -d ''", [LENGTH, 'Content-Type: application/x-www-form-urlencoded'], ''],
  ['a type without a length', ['Content-Type: text/plain'], ''],
  ['chunks of no bytes', ['Content-Type: text/plain', 'Transfer-Encoding: chunked'], '0\r\n\r\n'],
  [
    'JSON in chunks of no bytes',
    ['Content-Type: application/json', 'Transfer-Encoding: chunked'],
    '0\r\n\r\n',
  ],
  ['no valid type', ['Content-Type: text', LENGTH], ''],
  ['fetch with a FormData without fields', [BOUNDARY, 'Content-Length: 9'], '--xYz--\r\n'],
  ['axios with a FormData without fields', [BOUNDARY, 'Content-Length: 7'], '--xYz--'],
]

const FIXTURES = {
  accounts: [{ _id: 'ann', username: 'ann', password: 'x', tokens: ['ann-token'] }],
  materials: [
    { _id: 'id' },
    { _id: 'gone' },
    { _id: 'set', isEntitySet: true, entitySetType: 'unordered' },
  ],
  jobs: [{ _id: 'id', status: 'pre-submission' }],
  'bank-materials': [{ _id: 'id' }],
  scenarios: { name: {} },
}
const HEADERS = { 'x-account-id': 'ann', 'x-auth-token': 'ann-token' }
const SESSION = ['X-Account-Id: ann', 'X-Auth-Token: ann-token']

/** The resources whose routes are tried. Those of the others are registered by the same code. */
const RESOURCES = /^\/(?:projects|workflows|properties|samples|measurements|r\w+-properties)\//

/** The parameters of paths, with values for which the operations succeed. */
const toUrl = (path: string): string =>
  path
    .replace('/{id}/move-to-set', '/{id}/move-to-set?newSetId=set')
    .replace('jobs/{id}/move-to-set', 'materials/{id}/move-to-set')
    .replace('/faults/{id}', '/faults/{fault}')
    .replace('{resource}/{id}/restore', 'materials/gone/restore')
    .replace('{id}', 'id')
    .replace('{name}', 'name')

t.test('every operation that needs no body takes an empty one of any type', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const operations: [method: string, url: string][] = []
  for (const [prefix, document] of [
    [BASE, '/api/2018-10-01/swagger.json'],
    ['/__admin', '/__admin/openapi.json'],
  ] as const) {
    const paths: Record<string, object> = (await app.inject(document)).json().paths
    for (const [path, described] of Object.entries(paths)) {
      for (const [method, { requestBody }] of Object.entries(described)) {
        if (!/get|head/.test(method) && requestBody?.required !== true && !RESOURCES.test(path))
          operations.push([method.toUpperCase(), prefix + toUrl(path)])
      }
    }
  }
  t.ok(operations.length > 20, `${operations.length} operations`)

  /** Returns the id of a fault. */
  async function prepare(): Promise<string> {
    await app.inject({ method: 'POST', url: '/__admin/reset' })
    for (const name of ['snapshots', 'sandboxes'])
      await app.inject({ method: 'PUT', url: `/__admin/${name}/name` })
    const { _id } = app.controls.faults.add({ path: '/api/*/projects', status: 500, force: true })
    await send(app, '/materials/gone', { method: 'DELETE', headers: HEADERS })
    return _id
  }

  for (const [method, url] of operations) {
    for (const [client, fields, bytes] of EMPTY_BODIES) {
      const fault = await prepare()
      const head = [
        `${method} ${url.replace('{fault}', fault)} HTTP/1.1`,
        'Host: localhost',
        'Connection: close',
      ]
      const lines = [...head, ...SESSION, ...fields, '', '']
      const answer = await sendBytes(port, lines.join('\r\n') + bytes)
      const status = url === '/__admin/reload' ? 400 : 200 // it has no folder
      t.match(answer, new RegExp(`^HTTP/1\\.1 ${status} `), `${method} ${url}: ${client}`)
    }
  }
})

t.test('an empty body is no JSON, and a body with bytes has a type', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  const cases: [url: string, type: string, payload: string, status: number][] = [
    [`${BASE}/materials/create`, 'text/plain', '', 400],
    [`${BASE}/materials/create`, 'text/plain', 'x', 415],
    [`${BASE}/materials/create`, 'multipart/form-data; boundary=x', '--x--', 400],
    [`${BASE}/materials/create`, 'multipart/form-data; boundary=x', '--x\r\n\r\na\r\n--x--', 415],
  ]
  for (const [url, type, payload, status] of cases) {
    const request = { method: 'PUT', url, headers: { ...HEADERS, 'content-type': type }, payload }
    t.equal((await app.inject(request as never)).statusCode, status, `${type}: ${payload}`)
  }
})
