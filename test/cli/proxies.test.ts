import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, request as httpRequest } from 'node:http'
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { connect } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { join } from 'node:path'

import t from 'tap'
import type { Test } from 'tap'

import { connectMock } from '../../src/mock/connect-mock.js'
import { startMock } from '../../src/mock/start-mock.js'
import { makeCertificate } from '../certificate.js'
import { COMMAND } from '../command.js'

/** The name of a deployment on another computer, which only the proxy of a test knows. */
const HOST = 'platform.example'

const FIXTURES = {
  accounts: [{ _id: 'ann', username: 'ann', password: 'x', tokens: ['ann-token'] }],
  materials: [{ _id: 'm1', formula: 'Si' }],
}
const CREDENTIALS = ['--account-id', 'ann', '--token', 'ann-token']

const portOf = (server: Server): number => (server.address() as AddressInfo).port

async function listen(t: Test, server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return portOf(server)
}

/**
 * Starts a forward proxy that leads every host to a port of this computer. It counts requests in absolute
 * form and tunnels (RFC 9110, sections 7.1 and 9.3.6).
 */
async function startProxy(t: Test, port: number, refusal?: number) {
  const counts = { absolute: 0, tunnels: 0 }
  const forward = (request: IncomingMessage, response: ServerResponse): void => {
    counts.absolute += 1
    if (refusal !== undefined) return void response.writeHead(refusal).end()
    const { pathname, search } = new URL(request.url ?? '')
    const { method, headers } = request
    const onward = httpRequest({ port, method, headers, path: pathname + search }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(response)
    })
    request.pipe(onward)
  }
  const server = createServer(forward)
  server.on('connect', (_request: IncomingMessage, socket: Socket) => {
    counts.tunnels += 1
    if (refusal !== undefined) return void socket.end(`HTTP/1.1 ${refusal} No\r\n\r\n`)
    const onward = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      onward.pipe(socket).pipe(onward)
    })
    for (const each of [socket, onward]) each.on('error', () => each.destroy())
    socket.on('close', () => onward.destroy())
  })
  const proxy = `http://127.0.0.1:${await listen(t, server)}`
  return { counts, proxy }
}

/** Runs the command in an environment, and returns its code and output. */
const run = (
  argv: readonly string[],
  environment: Record<string, string>,
): Promise<{ code: unknown; output: string }> =>
  new Promise((resolve) => {
    const env = { PATH: process.env.PATH, ...environment }
    execFile(process.execPath, [COMMAND, ...argv], { env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : error.code, output: stdout + stderr }),
    )
  })

/** Starts a deployment, and returns a mock and what handles its requests under any name. */
async function startDeployment(t: Test) {
  const mock = await startMock({ fixtures: FIXTURES, logLevel: 'silent' })
  t.teardown(() => mock.close())
  const handle: RequestListener = (request, response) => {
    request.headers.host = 'localhost'
    mock.app.routing(request, response)
  }
  return { mock, handle, port: await listen(t, createServer(handle)) }
}

t.test('the commands that ask a deployment go through the proxy of the environment', async (t) => {
  const { port } = await startDeployment(t)
  const url = `http://${HOST}:8080`
  const api = `${url}/api/2018-10-01`
  const commands = [
    ['record', api, '--out', join(t.testdir({}), 'out'), '--resource', 'materials', ...CREDENTIALS],
    ['diff', t.testdir({ 'materials.json': '[]' }), api, '--resource', 'materials', ...CREDENTIALS],
    ['check', api, '--resource', 'materials', ...CREDENTIALS],
    ['footprint', url],
  ]
  for (const variable of ['HTTP_PROXY', 'http_proxy']) {
    for (const argv of commands) {
      const { counts, proxy } = await startProxy(t, port)
      const { output } = await run(argv, { [variable]: proxy })
      t.ok(
        counts.absolute > 0,
        `${variable}: ${argv[0]} (${counts.absolute}) ${output.slice(0, 200)}`,
      )
      const past = await startProxy(t, port)
      await run(argv, { [variable]: past.proxy, no_proxy: '.example' })
      t.equal(past.counts.absolute, 0, `NO_PROXY: ${argv[0]}`)
    }
  }
})

t.test('NO_PROXY has subdomains, and a proxy without a scheme is one of http', async (t) => {
  const { handle } = await startDeployment(t)
  const { key, cert } = makeCertificate(t, HOST)
  const files = { key: readFileSync(key), cert: readFileSync(cert) }
  const port = await listen(t, createHttpsServer(files, handle) as unknown as Server)
  for (const [noProxy, tunnels] of [
    ['', 1],
    ['other.example', 1],
    ['form.example', 1],
    ['example', 0],
    ['platform.example', 0],
    ['*', 0],
  ] as const) {
    const { counts, proxy } = await startProxy(t, port)
    const https_proxy = proxy.replace('http://', '')
    const env = { https_proxy, NO_PROXY: noProxy, NODE_EXTRA_CA_CERTS: cert }
    const { code } = await run(['footprint', `https://${HOST}`], env)
    t.equal(counts.tunnels, tunnels, `NO_PROXY=${noProxy}`)
    t.equal(code, tunnels === 1 ? 0 : 1)
  }
})

t.test('requests to this computer go past the proxy', async (t) => {
  const { mock } = await startDeployment(t)
  const { counts, proxy } = await startProxy(t, 9)
  const { code } = await run(['footprint', mock.url], { HTTP_PROXY: proxy })
  t.equal(code, 0)
  t.equal(counts.absolute, 0)
})

t.test('connectMock goes through the proxy', async (t) => {
  const { port } = await startDeployment(t)
  const { counts, proxy } = await startProxy(t, port)
  process.env.HTTP_PROXY = proxy
  t.teardown(() => delete process.env.HTTP_PROXY)
  const mock = await connectMock(`http://${HOST}`)
  await mock.reset()
  t.equal(counts.absolute, 2)
})

t.test('--upstream goes through the proxy, and names one that fails', async (t) => {
  const { port } = await startDeployment(t)
  const named = String.raw`through the proxy http://127\.0\.0\.1:\d+: `
  const cases: [scheme: string, refusal: number | undefined, status: number, message: RegExp][] = [
    ['http', undefined, 200, /"m1"/],
    ['http', 407, 502, new RegExp(String.raw`${named}it asks for credentials \(407\)`)],
    ['https', 407, 502, new RegExp(`${named}it refuses CONNECT with 407`)],
    ['https', 403, 502, new RegExp(`${named}it refuses CONNECT with 403`)],
  ]
  for (const [scheme, refusal, status, message] of cases) {
    const { counts, proxy } = await startProxy(t, port, refusal)
    const folder = t.testdir({ 'projects.json': '[]' })
    const upstream = `${scheme}://${HOST}:8080`
    const argv = ['-p', '0', '--fixtures', folder, '--upstream', upstream]
    const env = { PATH: process.env.PATH, HTTP_PROXY: proxy, HTTPS_PROXY: proxy }
    const child = spawn(process.execPath, [COMMAND, ...argv], { env })
    t.teardown(() => child.kill('SIGKILL'))
    let output = ''
    for await (const chunk of child.stdout) if ((output += chunk).includes('Ctrl+C')) break
    const api = /API +(\S+)/.exec(output)?.[1]
    const headers = { 'x-account-id': 'ann', 'x-auth-token': 'ann-token' }
    const response = await fetch(`${api}/materials`, { headers })
    t.equal(response.status, status)
    t.match(await response.text(), message)
    t.equal(scheme === 'http' ? counts.absolute : counts.tunnels, 1)
  }
})

t.test(
  'a deployment of https is reached by a tunnel; an error of its certificate says what to do',
  async (t) => {
    const { handle } = await startDeployment(t)
    const { key, cert } = makeCertificate(t, HOST)
    const files = { key: readFileSync(key), cert: readFileSync(cert) }
    const port = await listen(t, createHttpsServer(files, handle) as unknown as Server)
    const { counts, proxy } = await startProxy(t, port)
    const argv = ['footprint', `https://${HOST}`]
    const trusted = await run(argv, { https_proxy: proxy, NODE_EXTRA_CA_CERTS: cert })
    t.match(trusted, { code: 0, output: '"requests"' })
    t.equal(counts.tunnels, 1)
    const untrusted = await run(argv, { HTTPS_PROXY: proxy })
    t.equal(untrusted.code, 1)
    t.match(untrusted.output, /through the proxy http.*SELF_SIGNED_CERT\); set NODE_EXTRA_CA_CERTS/)
  },
)

t.test('a proxy that refuses, or is not there, is named', async (t) => {
  for (const [url, refusal, message] of [
    [`http://${HOST}`, 407, 'Proxy Authentication Required (407)'],
    [`https://${HOST}`, 403, '403'],
  ] as const) {
    const { proxy } = await startProxy(t, 9, refusal)
    const { code, output } = await run(['footprint', url], {
      HTTP_PROXY: proxy,
      HTTPS_PROXY: proxy,
    })
    t.equal(code, 1)
    t.match(output, `through the proxy ${proxy}: `)
    t.match(output, message)
  }
  const { output } = await run(['footprint', `http://${HOST}`], {
    HTTP_PROXY: 'http://user:secret@127.0.0.1:9',
  })
  t.match(output, 'through the proxy http://127.0.0.1:9: nothing listens there (ECONNREFUSED)')
  t.notMatch(output, 'secret')
})

t.test(
  'a proxy that can not be used ends the command with one line, without its password',
  async (t) => {
    const line = /^materials-mock: .*HTTP_PROXY must be the URL of a proxy, such as .*\n$/
    for (const proxy of [
      'http://user:se7ret@127.0.0.1:99999',
      'http://user:se7%ret@127.0.0.1:9',
      'socks5://user:se7ret@127.0.0.1:9',
    ]) {
      for (const argv of [
        ['footprint', `http://${HOST}`],
        ['check', `http://${HOST}/api/2018-10-01`, '--account-id', 'ann', '--token', 'ann-token'],
        ['-p', '0', '--upstream', `http://${HOST}`],
      ]) {
        const { code, output } = await run(argv, { HTTP_PROXY: proxy })
        t.equal(code, argv[0] === 'check' ? 2 : 1, 'check has 1 for a deployment that differs')
        t.match(output, line, `${argv[0]} through ${proxy}`)
        t.notMatch(output, 'se7')
      }
    }
  },
)
