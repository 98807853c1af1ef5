import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, request as httpRequest } from 'node:http'
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { connect } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { join } from 'node:path'
import { Writable } from 'node:stream'

import t from 'tap'
import type { Test } from 'tap'

import { findProxy } from '@materials-mock/network'
import type { Command } from '../../src/cli/command.js'
import { COMMANDS, parseCommand } from '../../src/cli/commands.js'
import { connectMock } from '../../src/mock/connect-mock.js'
import { startMock } from '../../src/mock/start-mock.js'
import { makeCertificate } from '../helpers/certificate.js'
import { COMMAND } from '../helpers/command.js'
import { replace } from '../helpers/replace.js'

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

/** Sets the standard streams of this process. */
function setStreams(streams: object): void {
  for (const [name, value] of Object.entries(streams))
    Object.defineProperty(process, name, { configurable: true, get: () => value })
}

/**
 * Runs a command in this process, with an environment of its own.
 * @throws the error of the command
 */
async function run(
  t: Test,
  argv: readonly string[],
  environment: Record<string, string>,
): Promise<boolean> {
  const sink = new Writable({ write: (_chunk, _encoding, done) => done() })
  const restores = [
    replace(t, process, 'env', environment),
    ...(['log', 'error'] as const).map((name) => replace(t, console, name, () => undefined)),
  ]
  const { stdout, stderr } = process
  setStreams({ stdout: sink, stderr: sink })
  try {
    const { kind, options } = parseCommand(argv, environment)
    return await (COMMANDS[kind] as Command).run(options, environment)
  } finally {
    setStreams({ stdout, stderr })
    for (const restore of restores) restore()
  }
}

/** Runs the command in a process of its own, in an environment, and returns its code and output. */
const start = (
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
    ['check', api, '--resource', 'materials', ...CREDENTIALS],
    ['footprint', url],
  ]
  for (const variable of ['HTTP_PROXY', 'http_proxy']) {
    for (const argv of commands) {
      const { counts, proxy } = await startProxy(t, port)
      const failure = await run(t, argv, { [variable]: proxy }).catch(String)
      t.ok(counts.absolute > 0, `${variable}: ${argv[0]} (${counts.absolute}) ${failure}`)
      const past = await startProxy(t, port)
      await t.rejects(run(t, argv, { [variable]: past.proxy, no_proxy: '.example' }))
      t.equal(past.counts.absolute, 0, `NO_PROXY: ${argv[0]}`)
    }
  }
})

t.test('NO_PROXY has subdomains, and a proxy without a scheme is one of http', async (t) => {
  for (const [noProxy, proxy] of [
    ['', 'http://proxy.example:3128'],
    ['other.example', 'http://proxy.example:3128'],
    ['form.example', 'http://proxy.example:3128'],
    ['example', undefined],
    ['platform.example', undefined],
    ['*', undefined],
  ] as const) {
    const restore = replace(t, process, 'env', {
      https_proxy: 'proxy.example:3128',
      NO_PROXY: noProxy,
    })
    t.equal(findProxy(new URL(`https://${HOST}`))?.name, proxy, `NO_PROXY=${noProxy}`)
    restore()
  }
})

t.test('requests to this computer go past the proxy', async (t) => {
  const { mock } = await startDeployment(t)
  const { counts, proxy } = await startProxy(t, 9)
  t.equal(await run(t, ['footprint', mock.url], { HTTP_PROXY: proxy }), true)
  t.equal(counts.absolute, 0)
})

t.test('connectMock goes through the proxy', async (t) => {
  const { port } = await startDeployment(t)
  const { counts, proxy } = await startProxy(t, port)
  replace(t, process, 'env', { HTTP_PROXY: proxy })
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
    const restore = replace(t, process, 'env', { HTTP_PROXY: proxy, HTTPS_PROXY: proxy })
    const mock = await startMock({ fixtures: folder, upstream, logLevel: 'silent' })
    t.teardown(() => mock.close())
    const headers = { 'x-account-id': 'ann', 'x-auth-token': 'ann-token' }
    const response = await fetch(`${mock.url}/api/2018-10-01/materials`, { headers })
    t.equal(response.status, status)
    t.match(await response.text(), message)
    t.equal(scheme === 'http' ? counts.absolute : counts.tunnels, 1)
    restore()
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
    const https_proxy = proxy.replace('http://', '')
    const trusted = await start(argv, { https_proxy, NODE_EXTRA_CA_CERTS: cert })
    t.match(trusted, { code: 0, output: '"requests"' })
    t.equal(counts.tunnels, 1)
    const untrusted = await start(argv, { HTTPS_PROXY: proxy })
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
    const error = await run(t, ['footprint', url], { HTTP_PROXY: proxy, HTTPS_PROXY: proxy }).catch(
      String,
    )
    t.match(error, `through the proxy ${proxy}: `)
    t.match(error, message)
  }
  const error = await run(t, ['footprint', `http://${HOST}`], {
    HTTP_PROXY: 'http://user:secret@127.0.0.1:9',
  }).catch(String)
  t.match(error, 'through the proxy http://127.0.0.1:9: nothing listens there (ECONNREFUSED)')
  t.notMatch(error, 'secret')
})

t.test(
  'a proxy that can not be used ends the command with one line, without its password',
  async (t) => {
    const message = /^.*HTTP_PROXY must be the URL of a proxy, such as .*$/
    const upstream = `http://${HOST}`
    const check = ['check', `${upstream}/api/2018-10-01`, ...CREDENTIALS]
    for (const proxy of [
      'http://user:se7ret@127.0.0.1:99999',
      'http://user:se7%ret@127.0.0.1:9',
      'socks5://user:se7ret@127.0.0.1:9',
    ]) {
      const environment = { HTTP_PROXY: proxy }
      for (const [name, use] of Object.entries({
        footprint: () => run(t, ['footprint', upstream], environment),
        check: () => run(t, check, environment),
        upstream: () => {
          replace(t, process, 'env', environment)
          return startMock({ upstream, logLevel: 'silent' })
        },
      })) {
        const error = await use().catch(({ message: text }: Error) => text)
        t.match(error, message, `${name} through ${proxy}`)
        t.notMatch(error, 'se7')
      }
      for (const [argv, expected] of [
        [['-p', '0', '--upstream', upstream], 1],
        [check, 2], // as check has 1 for a deployment that differs
      ] as const) {
        if (!proxy.includes('%')) continue
        const { code, output } = await start(argv, environment)
        t.equal(code, expected)
        t.match(output, /^materials-mock: .*HTTP_PROXY must be the URL of a proxy, such as .*\n$/)
        t.notMatch(output, 'se7')
      }
    }
  },
)
