import { execFile } from 'node:child_process'
import { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { get, request } from 'node:https'
import type { RequestOptions } from 'node:https'
import { connect } from 'node:net'
import { join } from 'node:path'

import t from 'tap'
import type { Test } from 'tap'

import { startMock } from '../../src/mock/start-mock.js'
import { BASE } from '../helpers/build.js'
import { makeCertificate } from '../helpers/certificate.js'
import { COMMAND } from '../helpers/command.js'

const ANN = { 'x-account-id': 'ann', 'x-auth-token': 'ann-token' }
const FIXTURES = {
  accounts: [{ _id: 'ann', username: 'ann', password: 'x', tokens: ['ann-token'] }],
  materials: [{ _id: 'm1' }],
}

async function start(t: Test) {
  const { cert, key } = makeCertificate(t, 'localhost')
  const options = { fixtures: FIXTURES, tlsCert: cert, tlsKey: key, logLevel: 'silent' } as const
  const mock = await startMock(options)
  t.teardown(() => mock.close())
  const ca = readFileSync(cert)
  const ask = async (path: string, init: RequestOptions = {}, body?: string) => {
    const sent = request(mock.url + path, { ca, headers: ANN, ...init })
    sent.end(body)
    const [response] = await once(sent, 'response')
    let text = ''
    for await (const chunk of response) text += chunk
    return { status: response.statusCode as number, text }
  }
  return { mock, ask, cert, key, ca }
}

t.test('a mock with a certificate is a server of https, with its addresses', async (t) => {
  const { mock, ask } = await start(t)
  t.match(mock.url, /^https:\/\/127\.0\.0\.1:\d+$/)
  t.match(await ask(`${BASE}/materials`), { status: 200, text: '"m1"' })
  t.match(await ask('/explorer'), { status: 200 })
  const document = JSON.parse((await ask(`${BASE}/swagger.json`)).text)
  t.equal(document.servers[0].url, mock.url + BASE)
  const headers = { ...ANN, 'content-type': 'application/json' }
  const body = JSON.stringify({ names: ['one.txt'], operation: 'putObject' })
  const signed = await ask(`${BASE}/files/signed-urls`, { method: 'POST', headers }, body)
  t.match(signed.text, `${mock.url}/storage/`)
  const inProcess = await mock.fetch(`${BASE}/swagger.json`)
  t.match(await inProcess.json(), { servers: [{ url: mock.url + BASE }] })
  const made = await ask('/__admin/sandboxes/one', { method: 'PUT' })
  t.match(made.text, `${mock.url}/sandboxes/one`)
  const { status } = await ask('/__admin/health', { headers: { origin: mock.url } })
  t.equal(status, 200)
})

/** Closes a mock with a client that does not shake hands. It takes seconds, beside the tests that follow. */
async function closeSilent(t: Test): Promise<void> {
  const { mock } = await start(t)
  const silent = connect(Number(new URL(mock.url).port), '127.0.0.1')
  t.teardown(() => silent.destroy())
  await once(silent, 'connect')
  await mock.close()
}

const closing = closeSilent(t)

t.test('live events come over https', async (t) => {
  const { mock, ask, ca } = await start(t)
  const stream = get(`${mock.url}/__admin/events`, { ca })
  const [response] = await once(stream, 'response')
  response.setEncoding('utf8')
  t.match(String(await once(response, 'data')), 'event: start')
  const next = once(response, 'data')
  await ask(`${BASE}/materials`)
  t.match(String(await next), 'event: request')
  stream.destroy()
})

const run = (
  argv: readonly string[],
  environment: Record<string, string> = {},
): Promise<{ code: unknown; output: string }> =>
  new Promise((resolve) => {
    const env = { PATH: process.env.PATH, ...environment }
    execFile(process.execPath, [COMMAND, ...argv], { env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : error.code, output: stdout + stderr }),
    )
  })

t.test('faults of connections end those of https', async (t) => {
  const { mock, ask } = await start(t)
  const cases: [drop: 'reset' | 'truncate', code: string][] = [
    ['reset', 'ECONNRESET'],
    ['truncate', 'ECONNRESET'],
  ]
  for (const [drop, code] of cases) {
    await mock.faults.add({ path: `${BASE}/materials`, times: 1, drop })
    await t.rejects(ask(`${BASE}/materials`), { code }, drop)
    t.match(await ask(`${BASE}/materials`), { status: 200 })
  }
})

t.test('what asks a mock, and what mutate starts, uses https', async (t) => {
  const { mock, cert, key } = await start(t)
  const trust = { NODE_EXTRA_CA_CERTS: cert }
  t.match(await run(['footprint', mock.url], trust), { code: 0, output: '"requests"' })
  t.match(await run(['footprint', mock.url]), { code: 1, output: 'set NODE_EXTRA_CA_CERTS' })
  const script = `
    const url = process.env.MATERIALS_MOCK_URL
    const response = await fetch(url + '${BASE}/materials', { headers: ${JSON.stringify(ANN)} })
    process.exit(url.startsWith('https:') && (await response.json()).data?.[0]?._id === 'm1' ? 0 : 1)`
  const folder = t.testdir({ 'test.mjs': script, fixtures: {} })
  for (const [name, items] of Object.entries(FIXTURES))
    writeFileSync(join(folder, 'fixtures', `${name}.json`), JSON.stringify(items))
  const tls = ['--tls-cert', cert, '--tls-key', key]
  const flags = ['--fixtures', join(folder, 'fixtures'), ...tls, '--max', '1']
  const argv = ['mutate', ...flags, '--', process.execPath, join(folder, 'test.mjs')]
  const mutated = await run(argv, trust)
  t.equal(mutated.code, 0, mutated.output)
})

t.test('files that are no pair end the start, with their names', async (t) => {
  const { cert, key } = makeCertificate(t, 'localhost')
  const other = makeCertificate(t, 'localhost')
  const otherKind = join(t.testdir(), 'other.pem')
  const isEc = createPrivateKey(readFileSync(key)).asymmetricKeyType === 'ec'
  const { privateKey } = isEc
    ? generateKeyPairSync('rsa', { modulusLength: 2048 })
    : generateKeyPairSync('ec', { namedCurve: 'P-256' })
  writeFileSync(otherKind, privateKey.export({ type: 'pkcs8', format: 'pem' }))
  const cases: [options: { tlsCert?: string; tlsKey?: string }, message: string | RegExp][] = [
    [{ tlsCert: cert }, 'give both of --tls-cert and --tls-key, or none'],
    [
      { tlsCert: '/nowhere.pem', tlsKey: key },
      "--tls-cert /nowhere.pem can't be read: it does not exist",
    ],
    [{ tlsCert: cert, tlsKey: cert }, /--tls-key .* must be a certificate and its key in PEM/],
    [{ tlsCert: cert, tlsKey: other.key }, /key values mismatch/],
    [{ tlsCert: cert, tlsKey: otherKind }, /the key is not that of the certificate$/],
  ]
  for (const [options, message] of cases) {
    const starting = startMock({ ...options, logLevel: 'silent' })
    await t.rejects(starting, { code: 'OPTIONS_INVALID', message })
  }
})

t.test('a close waits for no handshake', () => closing)
