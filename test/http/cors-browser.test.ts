import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import t from 'tap'
import type { Test } from 'tap'

import { startMock } from '../../src/mock/start-mock.js'
import { BASE } from '../helpers/build.js'
import { makeCertificate } from '../helpers/certificate.js'
import { skipReason, visit } from '../helpers/browser.js'

const FIXTURES = {
  accounts: [{ _id: 'ann', username: 'ann', password: 'x', tokens: ['ann-token'] }],
  materials: [{ _id: 'm1' }],
}
const ANN = { 'X-Account-Id': 'ann', 'X-Auth-Token': 'ann-token' }

/** The headers that libraries of front ends add to requests. */
const LIBRARIES: Readonly<Record<string, Record<string, string>>> = {
  Sentry: {
    'sentry-trace': '771a43a4192642f0b136d5159a501700-7a1a4a1b1c1d1e1f-1',
    baggage: 'sentry-environment=production,sentry-release=1',
  },
  OpenTelemetry: {
    traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    tracestate: 'vendor=x',
  },
  axios: { 'X-Requested-With': 'XMLHttpRequest', 'X-XSRF-TOKEN': 'x', 'Cache-Control': 'no-cache' },
  jQuery: { 'X-Requested-With': 'XMLHttpRequest', 'Content-Type': 'application/json' },
}

/** The part of the page's XMLHttpRequest that is used. */
interface Xhr {
  withCredentials: boolean
  readonly status: number
  readonly responseText: string
  open(method: string, url: string): void
  setRequestHeader(name: string, value: string): void
  addEventListener(type: string, listener: (event: unknown) => void): void
  send(): void
}

declare const XMLHttpRequest: new () => Xhr

interface Sent {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly withCredentials: boolean
  readonly byXhr: boolean
}

/** Serves and opens a page of a host. Returns a function that lets it send a request and read the status. */
async function openPage(t: Test, host: string) {
  const server = createServer((_request, response) => response.end('<title>a front end</title>'))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.teardown(() => server.close())
  const { page } = await visit(t)
  await page.goto(`http://${host}:${(server.address() as AddressInfo).port}/`)
  return (sent: Sent): Promise<string> =>
    page.evaluate(async ({ url, headers, withCredentials, byXhr }) => {
      if (!byXhr) {
        const credentials = withCredentials ? 'include' : 'same-origin'
        try {
          const response = await fetch(url, { headers, credentials })
          return `${response.status} ${(await response.text()).length > 0}`
        } catch (error) {
          return String(error)
        }
      }
      const request = new XMLHttpRequest()
      request.open('GET', url)
      request.withCredentials = withCredentials
      for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
      const ended = new Promise((resolve) => request.addEventListener('loadend', resolve))
      request.send()
      await ended
      return `${request.status} ${request.responseText.length > 0}`
    }, sent)
}

t.test(
  'a front end of another origin reads every kind of answer, with the headers of its libraries',
  { skip: skipReason() },
  async (t) => {
    const upstream = await startMock({
      fixtures: { ...FIXTURES, others: [{ _id: 'o1' }] },
      allowedHosts: 'front.example', // it gets the Origin of the page
    })
    t.teardown(() => upstream.close())
    const mock = await startMock({
      fixtures: FIXTURES,
      upstream: upstream.url,
      allowedHosts: 'front.example',
      logLevel: 'silent',
    })
    t.teardown(() => mock.close())
    mock.faults.add({ path: '/api/*/materials/m503', status: 503, force: true })
    mock.faults.add({ path: '/api/*/materials/m429', status: 429, body: { a: 1 }, force: true })
    const cases: [path: string, headers: Record<string, string>, status: number][] = [
      ['/materials', ANN, 200],
      ['/materials/m1', ANN, 200],
      ['/materials', {}, 401],
      ['/materials?query={', ANN, 400],
      ['/materials/none', ANN, 404],
      ['/login', ANN, 405],
      ['/materials/m503', ANN, 503],
      ['/materials/m429', ANN, 429],
      ['/others', ANN, 200],
    ]
    for (const host of ['localhost', 'front.example']) {
      const send = await openPage(t, host)
      for (const [library, added] of Object.entries(LIBRARIES)) {
        for (const withCredentials of [false, true]) {
          for (const [path, headers, status] of cases) {
            const url = mock.url + BASE + path
            const byXhr = library === 'axios' || library === 'jQuery'
            const sent = { url, headers: { ...headers, ...added }, withCredentials, byXhr }
            const name = `${library} of ${host}, ${withCredentials ? 'with' : 'without'} credentials: ${path}`
            t.equal(await send(sent), `${status} true`, name)
          }
        }
      }
    }
  },
)

t.test(
  'a page of another computer reaches no control, with or without credentials',
  { skip: skipReason() },
  async (t) => {
    const mock = await startMock({ fixtures: FIXTURES, logLevel: 'silent' })
    t.teardown(() => mock.close())
    const send = await openPage(t, 'front.example')
    for (const path of ['/__admin/health', '/__admin/fixtures/materials', '/oidc/auth']) {
      for (const withCredentials of [false, true]) {
        for (const headers of [{}, LIBRARIES.Sentry ?? {}]) {
          const sent = { url: mock.url + path, headers, withCredentials, byXhr: false }
          t.match(await send(sent), 'TypeError: Failed to fetch', path)
        }
      }
    }
  },
)

t.test('a reset reaches a page, once and again', { skip: skipReason() }, async (t) => {
  const { cert, key } = makeCertificate(t, 'localhost')
  for (const tls of [{}, { tlsCert: cert, tlsKey: key }]) {
    const mock = await startMock({ fixtures: FIXTURES, ...tls, logLevel: 'silent' })
    t.teardown(() => mock.close())
    const { page } = await visit(t)
    await page.goto(`${mock.url}/__admin/health`)
    const send = (method: string): Promise<string> =>
      page.evaluate(
        ({ url, ...init }) =>
          fetch(url, init).then(
            ({ status }) => String(status),
            () => 'no answer',
          ),
        { url: `${mock.url}${BASE}/materials`, method, headers: ANN },
      )
    for (const method of ['GET', 'PUT', 'POST']) {
      t.equal(await send('GET'), '200', 'the connection is used before')
      await mock.faults.add({ drop: 'reset', times: 1 })
      t.equal(await send(method), 'no answer', `${method} ${mock.url}`)
      t.equal(await send('GET'), '200')
      await mock.faults.add({ drop: 'reset', times: 2 })
      t.same([await send(method), await send(method)], ['no answer', 'no answer'])
    }
    t.equal(mock.faults.list().length, 0)
  }
})

t.test('a browser keeps no file of a signed URL', { skip: skipReason() }, async (t) => {
  const mock = await startMock({ fixtures: FIXTURES, logLevel: 'silent' })
  t.teardown(() => mock.close())
  mock.clock.set('2020-01-01T00:00:00Z') // a browser would keep a file of that time for months
  const sign = async (operation: string): Promise<string> => {
    const response = await fetch(`${mock.url}${BASE}/files/signed-urls`, {
      method: 'POST',
      headers: { ...ANN, 'content-type': 'application/json' },
      body: JSON.stringify({ names: ['a.txt'], operation }),
    })
    return ((await response.json()) as { data: [{ signedUrl: string }] }).data[0].signedUrl
  }
  const [download, upload] = [await sign('getObject'), await sign('putObject')]
  await fetch(upload, { method: 'PUT', body: 'first' })
  const { page } = await visit(t)
  await page.goto(mock.url)
  const read = await page.evaluate(
    async ([from, to]) => {
      const first = await (await fetch(from)).text()
      await fetch(to, { method: 'PUT', body: 'second' })
      return [first, await (await fetch(from)).text()]
    },
    [download, upload] as const,
  )
  t.same(read, ['first', 'second'])
})
