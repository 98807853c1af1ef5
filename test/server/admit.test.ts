import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

import t from 'tap'

import { packagePath } from '../../src/package.js'
import { BASE, build } from '../helpers/build.js'
import { replace } from '../helpers/replace.js'
import { sendBytes } from '../helpers/send-bytes.js'

const FIXTURES = {
  accounts: [{ _id: 'ann', username: 'ann', password: 'x', tokens: ['ann-token'] }],
  materials: [{ _id: 'm1' }],
}
const ANN = { 'x-account-id': 'ann', 'x-auth-token': 'ann-token' }
const PAGE = { origin: 'http://localhost:3000' }
const PREFLIGHT = { ...PAGE, 'access-control-request-method': 'GET' }

t.test('a request passes the steps in order, and the first that answers ends it', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  const { journal, faults } = app.controls
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
  const noHost = `GET ${BASE}/materials HTTP/1.1\r\nConnection: close\r\n\r\n`
  t.match(await sendBytes(Number(port), noHost), /^HTTP\/1\.1 400 /)
  t.equal(journal.size, 1, 'the journal has what is then refused')

  faults.add({ status: 503, message: 'broken' })
  const cases: [method: 'GET' | 'OPTIONS', url: string, headers: object, status: number][] = [
    ['OPTIONS', `${BASE}/materials`, PREFLIGHT, 204],
    ['GET', '/sandboxes/eve/api', PAGE, 404],
    ['GET', `${BASE}/materials`, { ...PAGE, 'x-mock-sandbox': 'eve' }, 404],
    ['GET', `${BASE}/materials`, PAGE, 503],
    ['GET', `${BASE}/nowhere`, PAGE, 503],
    ['OPTIONS', `${BASE}/materials`, PAGE, 503],
  ]
  for (const [method, url, headers, status] of cases) {
    const response = await app.inject({ method, url, headers: { ...headers } })
    t.equal(response.statusCode, status, `${method} ${url}`)
    if (url.startsWith(BASE))
      t.equal(response.headers['access-control-allow-origin'], PAGE.origin, url)
  }
  t.equal(faults.list()[0]?.matchCount, 3, 'no fault applies to what is answered before')
  t.equal(journal.size, 5, 'no journal has what names an unknown sandbox')

  faults.clear()
  t.equal((await app.inject({ url: `${BASE}/nowhere` })).statusCode, 404, 'before credentials')
  t.equal((await app.inject({ url: `${BASE}/materials`, method: 'POST' })).statusCode, 405)
  t.equal((await app.inject({ url: `${BASE}/materials` })).statusCode, 401)
})

t.test('the session of a request is looked up once', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  app.controls.faults.add({ status: 503, match: { accountId: 'bob' } })
  let count = 0
  const { sessions } = app.store
  const findAccountId = sessions.findAccountId.bind(sessions)
  replace(t, sessions, 'findAccountId', (token: string) => {
    count += 1
    return findAccountId(token)
  })
  for (const headers of [ANN, { authorization: 'Bearer ann-token' }]) {
    count = 0
    t.equal((await app.inject({ url: `${BASE}/materials`, headers })).statusCode, 200)
    t.equal(count, 1)
    t.equal(app.controls.journal.findRecord(app.controls.journal.count)?.accountId, 'ann')
  }
})

t.test('the order of the hooks stands in one place', async (t) => {
  const src = packagePath('src')
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  )
  const findHooks = (name: string): string[] =>
    files.filter((file) => readFileSync(join(src, file), 'utf8').includes(`addHook('${name}'`))
  t.same(findHooks('onRequest').toSorted(), [
    'controls/fixtures/fixture-routes.ts',
    'platform/auth.ts',
    'server/admit.ts',
  ])
  t.same(findHooks('onSend'), ['server/conclude.ts'])
})
