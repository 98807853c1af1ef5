import { once } from 'node:events'
import { readFileSync, readdirSync, statSync } from 'node:fs'
import { createServer, request as sendRequest } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

import t from 'tap'
import type { Test } from 'tap'

import { buildApp } from '../../src/server/app.js'
import type { BuildOptions } from '../../src/server/app.js'
import { listen } from '../../src/server/listen.js'
import { BASE, waitFor } from '../helpers/build.js'
import { skipReason, visit } from '../helpers/browser.js'
import { makeCertificate } from '../helpers/certificate.js'

const skip = skipReason()

const FIXTURES = {
  accounts: [{ _id: 'ann', username: 'ann', password: 'x', tokens: ['ann-token'] }],
  materials: [{ _id: 'm1', name: 'Silicon' }],
}
const ANN = { 'X-Account-Id': 'ann', 'X-Auth-Token': 'ann-token' }

/** What a page can send without asking, and what it must ask for. Each is a function of a URL, in the page. */
const ATTACKS = {
  'fetch GET': `(url) => fetch(url, { mode: 'no-cors', credentials: 'include' })`,
  'fetch POST': `(url) => fetch(url, { mode: 'no-cors', method: 'POST', body: '{}' })`,
  'fetch without Referer': `(url) => fetch(url, { mode: 'no-cors', method: 'POST', referrerPolicy: 'no-referrer' })`,
  'fetch that reads': `(url) => fetch(url, { credentials: 'include' })`,
  'fetch that asks': `(url) => fetch(url, { method: 'PUT', headers: { 'content-type': 'application/json' }, body: '{}' })`,
  'fetch through a redirect': `(url) => fetch('/to?' + encodeURIComponent(url), { mode: 'no-cors', method: 'POST' })`,
  'fetch of a worker': `(url) => new Worker(URL.createObjectURL(new Blob(['fetch(' + JSON.stringify(url) + ', { mode: "no-cors", method: "POST" })'])))`,
  beacon: `(url) => navigator.sendBeacon(url, 'x')`,
  image: `(url) => add('img', { src: url })`,
  'image without Referer': `(url) => add('img', { referrerPolicy: 'no-referrer', src: url })`,
  'image through a redirect': `(url) => add('img', { src: '/to?' + encodeURIComponent(url) })`,
  script: `(url) => add('script', { src: url })`,
  style: `(url) => add('link', { rel: 'stylesheet', href: url })`,
  video: `(url) => add('video', { preload: 'auto', src: url })`,
  events: `(url) => new EventSource(url)`,
  ping: `(url) => add('a', { ping: url, href: '#' }).click()`,
  frame: `(url) => add('iframe', { src: url })`,
  'form POST': `(url) => submit(url, 'POST', 'application/x-www-form-urlencoded')`,
  'form of text': `(url) => submit(url, 'POST', 'text/plain')`,
  'form GET': `(url) => submit(url, 'GET', '')`,
  'form through a redirect': `(url) => submit('/to?' + encodeURIComponent(url), 'POST', 'text/plain')`,
  'sandboxed frame': `(url) => add('iframe', { sandbox: 'allow-scripts', srcdoc: inFrame(url) })`,
  'frame of data': `(url) => add('iframe', { src: 'data:text/html,' + encodeURIComponent(inFrame(url)) })`,
}

type Attack = keyof typeof ATTACKS

const SCRIPT = `
  const add = (name, properties) => {
    const element = Object.assign(document.createElement(name), properties)
    document.body.append(element)
    return element
  }
  const submit = (url, method, enctype) => {
    const target = 'frame' + document.forms.length
    add('iframe', { name: target })
    const form = add('form', { action: url, method, enctype, target })
    for (const [name, value] of new URL(url, location.href).searchParams)
      form.append(Object.assign(document.createElement('input'), { name, value }))
    form.submit()
  }
  const inFrame = (url) =>
    '<script>fetch(' + JSON.stringify(url) + ', { mode: "no-cors", method: "POST" })</' + 'script>'
  const attacks = { ${Object.entries(ATTACKS).map(([name, code]) => `'${name}': ${code}`)} }
  const start = (name, url) => void Promise.resolve(attacks[name](url)).catch(() => undefined)
`

const PAGE = `<!doctype html><meta charset="utf-8"><title>a page</title><body><script>${SCRIPT}</script>`

/** Lets a server listen until the end of the test, and returns its port. */
async function open(t: Test, server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.teardown(() => server.closeAllConnections())
  t.teardown(() => server.close())
  return (server.address() as AddressInfo).port
}

/** Serves pages to any host, and redirects `/to?URL` there. */
const openSite = (t: Test): Promise<number> =>
  open(
    t,
    createServer(({ url = '' }, response) => {
      const [, location] = /^\/to\?(.*)$/.exec(url) ?? []
      if (location === undefined) response.setHeader('content-type', 'text/html').end(PAGE)
      else response.writeHead(307, { location: decodeURIComponent(location) }).end()
    }),
  )

const answerJson = (_request: IncomingMessage, response: ServerResponse) =>
  response.setHeader('content-type', 'application/json').end('{"status":"success","data":[]}')

/** A deployment that keeps the URLs of what reaches it. */
async function openDeployment(t: Test, answer = answerJson) {
  const received: string[] = []
  const server = createServer((request, response) => {
    received.push(request.url ?? '')
    answer(request, response)
  })
  return { received, url: `http://127.0.0.1:${await open(t, server)}` }
}

/** A mock that listens, and the status of each of its answers by the URL. */
async function openMock(t: Test, options: BuildOptions) {
  const app = await buildApp({ fixtures: FIXTURES, port: 0, logLevel: 'silent', ...options })
  t.teardown(() => app.close())
  const statuses = new Map<string, number>()
  // Before Fastify, which rewrites the URL.
  app.server.prependListener('request', ({ url = '' }, response: ServerResponse) =>
    response.on('close', () => statuses.set(url, response.statusCode)),
  )
  return { statuses, url: await listen(app), app }
}

const PATHS = [
  `${BASE}/charts`,
  '/elsewhere',
  `${BASE}/login`,
  '/__admin/reset',
  '/%5F_admin/reset',
  '/oidc/token',
]

const toTarget = (name: string, path: string): string =>
  `${path}?attack=${encodeURIComponent(name)}`

/** Returns the targets that a server has got no request for. A form writes a space as "+". */
function findMissing(urls: Iterable<string>, targets: readonly string[]): string[] {
  const got = new Set(Array.from(urls, (url) => url.replaceAll('+', '%20')))
  return targets.filter((target) => !got.has(target))
}

/** Returns the files of a folder that have something, but for locks. */
const listContent = (folder: string): string[] =>
  readdirSync(folder).filter(
    (name) => !name.endsWith('.lock') && statSync(join(folder, name)).size > 0,
  )

t.test('a page of another site changes nothing, and reaches no deployment', { skip }, async (t) => {
  const site = await openSite(t)
  const folder = t.testdir({ 'page.html': PAGE })
  const file = `file://${folder}/page.html`
  const all = Object.keys(ATTACKS) as Attack[]
  const some: Attack[] = ['fetch POST', 'fetch that reads', 'beacon', 'image', 'form POST']
  const cases: [page: string, options: BuildOptions, attacks: Attack[]][] = [
    [`http://front.example:${site}/`, {}, all],
    [file, {}, some],
    [`http://front.example:${site}/`, { corsOrigin: 'http://localhost:3000' }, some],
    [`http://front.example:${site}/`, { cors: false }, some],
    [`http://front.example:${site}/`, { corsOrigin: '*' }, all],
    [`http://front.example:${site}/`, { allowedHosts: 'pages.example' }, some],
  ]
  for (const [index, [from, options, attacks]] of cases.entries()) {
    const label = `${new URL(from).protocol} ${JSON.stringify(options)}`
    const deployment = await openDeployment(t)
    const upstreamRecord = join(folder, String(index))
    const mock = await openMock(t, { ...options, upstream: deployment.url, upstreamRecord })
    const { page } = await visit(t)
    await page.goto(from)
    const direct = attacks.map((name) => toTarget(name, '/direct'))
    const sent = attacks.flatMap((name) => PATHS.map((path) => toTarget(name, path)))
    const calls = attacks.flatMap((name) => [
      ...PATHS.map((path) => [name, mock.url + toTarget(name, path)]),
      [name, deployment.url + toTarget(name, '/direct')],
    ])
    await page.evaluate(`for (const call of ${JSON.stringify(calls)}) start(...call)`)
    const findLate = () => [
      ...findMissing(deployment.received, direct),
      ...findMissing(mock.statuses.keys(), sent),
    ]
    await waitFor(() => findLate().length === 0).catch(() => undefined)
    t.same(findLate(), [], `${label}: every attack arrives`)
    const isOpen = (url: string) => options.corsOrigin === '*' && url.startsWith('/api/')
    t.same(
      [...mock.statuses].filter(([url, status]) => status !== 403 && !isOpen(url)),
      [],
      `${label}: all are refused`,
    )
    t.same(
      deployment.received.filter((url) => !url.startsWith('/direct')),
      [],
      `${label}: none is passed on`,
    )
    t.same(listContent(upstreamRecord), [], `${label}: none is recorded`)
    await page.close()
  }
})

t.test('by an address, a page that hides reaches no deployment', { skip }, async (t) => {
  const site = await openSite(t)
  const deployment = await openDeployment(t)
  const mock = await openMock(t, { upstream: deployment.url })
  const { port } = new URL(mock.url)
  const { page } = await visit(t)
  await page.goto(`http://front.example:${site}/`)
  // A browser sends Sec-Fetch-Site to none of these.
  for (const host of ['0.0.0.0', '[::ffff:127.0.0.1]', '192.0.2.7']) {
    const path = `/elsewhere?${new URLSearchParams({ host })}`
    await page.evaluate(`start('image without Referer', 'http://${host}:${port}${path}')`)
    await waitFor(() => mock.statuses.has(path))
    t.equal(mock.statuses.get(path), 404, host)
  }
  t.same(deployment.received, [])
})

t.test('a name that is bound to this computer anew gets nothing', { skip }, async (t) => {
  const deployment = await openDeployment(t)
  const mock = await openMock(t, { upstream: deployment.url, corsOrigin: '*' })
  const { page } = await visit(t)
  const response = await page.goto(`http://front.example:${new URL(mock.url).port}/`)
  t.equal(response?.status(), 403)
  // This page has the origin of its requests now, so the browser lets it read all answers.
  for (const path of [...PATHS, `${BASE}/materials`, '/', '/explorer', '/storage/f']) {
    for (const method of ['GET', 'POST', 'PUT']) {
      const init = JSON.stringify({ method, headers: ANN })
      const answer = page.evaluate(`fetch('${path}', ${init}).then(({ status }) => status)`)
      t.equal(await answer, 403, `${method} ${path}`)
    }
  }
  t.same(deployment.received, [])
})

/** A script of a deployment's document that tries to use the mock, and shows what it gets. */
const INTRUDER = `
  const attempt = (url, method) => fetch(url, { method }).then(({ status }) => status, () => 'blocked')
  const isStored = () => {
    try {
      return localStorage.length &gt;= 0
    } catch {
      return 'blocked'
    }
  }
  Promise.all([
    attempt('/__admin/sessions', 'POST'),
    attempt('/__admin/health', 'GET'),
    attempt('${BASE}/materials', 'GET'),
    isStored(),
  ]).then((results) => document.documentElement.setAttribute('class', [origin, ...results]))
`

t.test("a document of the deployment is none of the mock's pages", { skip }, async (t) => {
  const documents: Readonly<Record<string, [type: string | undefined, text: string]>> = {
    '/page.html': ['text/html', `<!doctype html><script>${INTRUDER.replace('&gt;', '>')}</script>`],
    '/page.svg': [
      'image/svg+xml',
      `<svg xmlns="http://www.w3.org/2000/svg"><script>${INTRUDER}</script></svg>`,
    ],
    '/page.xml': [
      'text/xml',
      `<html xmlns="http://www.w3.org/1999/xhtml"><script>${INTRUDER}</script></html>`,
    ],
  }
  const deployment = await openDeployment(t, ({ url = '' }, response) => {
    const [type, text] = documents[url] ?? ['text/plain', '']
    if (type !== undefined) response.setHeader('content-type', type)
    return response
      .setHeader('clear-site-data', '"*"')
      .setHeader('strict-transport-security', 'max-age=1000')
      .setHeader('content-security-policy', "default-src * 'unsafe-inline' 'unsafe-eval'")
      .end(text)
  })
  const mock = await openMock(t, { upstream: deployment.url })
  const { page } = await visit(t)
  for (const path of Object.keys(documents)) {
    await page.goto(mock.url + path)
    await page.waitForFunction('document.documentElement.getAttribute("class")')
    t.equal(
      await page.evaluate('document.documentElement.getAttribute("class")'),
      'null,blocked,blocked,blocked,blocked',
      path,
    )
    const { headers } = await fetch(mock.url + path)
    t.equal(headers.get('x-content-type-options'), 'nosniff')
    for (const name of ['clear-site-data', 'strict-transport-security'])
      t.equal(headers.get(name), null, name)
  }
  t.equal(mock.statuses.get('/__admin/sessions'), 403)
  t.equal(mock.statuses.get(`${BASE}/materials`), 403)
})

/** What a front end sends, as a function of the URL of the mock, in its page. It returns the statuses. */
const FRONT_END = `async (url) => {
  const headers = { ...${JSON.stringify(ANN)}, 'content-type': 'application/json' }
  const send = (path, init) =>
    fetch(url + path, { credentials: 'include', headers, ...init }).then(
      async (response) => (await response.text(), response.status),
      String,
    )
  navigator.sendBeacon(url + '/beacon', 'x')
  return [
    await send('${BASE}/materials'),
    await send('${BASE}/materials/m1', { method: 'PATCH', body: '{"name":"Si"}' }),
    await send('${BASE}/login', { method: 'POST', headers: {}, body: new URLSearchParams({ username: 'ann', password: 'x' }) }),
    await send('${BASE}/charts'),
    await send('/__admin/reset', { method: 'POST' }),
    await new Promise((resolve) => {
      const image = Object.assign(new Image(), { onload: () => resolve('image'), onerror: () => resolve('none') })
      image.src = url + '/image.svg'
    }),
  ]
}`

t.test('front ends of this computer, and on a phone, need no option', { skip }, async (t) => {
  const site = await openSite(t)
  const deployment = await openDeployment(t, (request, response) =>
    request.url === '/image.svg'
      ? response
          .setHeader('content-type', 'image/svg+xml')
          .end('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>')
      : answerJson(request, response),
  )
  const mock = await openMock(t, { host: '0.0.0.0', admin: true, upstream: deployment.url })
  const { port } = new URL(mock.url)
  const { page } = await visit(t)
  const good = [200, 200, 200, 200, 200, 'image']
  const cases: [page: string, mock: string, frame?: string][] = [
    ['localhost', 'localhost'],
    ['localhost', '127.0.0.1'],
    ['127.0.0.1', 'localhost'],
    ['storybook.localhost', '127.0.0.1'],
    ['192.0.2.7', '192.0.2.7'], // the address of this computer on a phone
    ['localhost', 'localhost', 'localhost'],
    ['localhost', '127.0.0.1', '127.0.0.1'],
  ]
  for (const [from, to, frame] of cases) {
    await page.goto(`http://${from}:${site}/`)
    if (frame !== undefined)
      await page.evaluate(`add('iframe', { src: 'http://${frame}:${await openSite(t)}/' })`)
    const label = `${from} calls ${to}${frame === undefined ? '' : ` in a frame of ${frame}`}`
    if (frame !== undefined)
      await waitFor(() => page.frames()[1]?.url().startsWith('http') === true)
    const caller = frame === undefined ? page : page.frames()[1]
    await caller?.waitForFunction('typeof attacks === "object"')
    const sent = caller?.evaluate(`(${FRONT_END})('http://${to}:${port}')`)
    t.same(await sent, good, label)
    await waitFor(() => deployment.received.includes('/beacon'))
    deployment.received.length = 0
  }
  const ofPlaywright = await page.request.get(`${mock.url}${BASE}/materials`, { headers: ANN })
  t.equal(ofPlaywright.status(), 200)
  await page.goto(`http://front.example:${site}/`)
  for (const [path, status] of [
    ['/', 200],
    ['/explorer', 200],
    ['/elsewhere', 403],
  ] as const) {
    const target = `http://localhost:${port}${path}`
    const answer = page.waitForResponse(target)
    await page.evaluate(`add('a', { href: '${target}' }).click()`)
    t.equal((await answer).status(), status, `a link to ${path}`)
    await page.waitForURL(target)
    await page.goto(`http://front.example:${site}/`)
  }
})

t.test('behind a proxy that ends TLS, all is https and works', { skip }, async (t) => {
  const mock = await openMock(t, { allowedHosts: 'pages.example' })
  const { key, cert } = makeCertificate(t, 'pages.example')
  // A proxy such as that of Codespaces: it names the server by its own address, and says what the browser asked for.
  const proxy = createTlsServer(
    { key: readFileSync(key), cert: readFileSync(cert) },
    (request, response) => {
      const forwarded = {
        'x-forwarded-host': request.headers.host,
        'x-forwarded-proto': 'https',
        host: new URL(mock.url).host,
      }
      const headers = { ...request.headers, ...forwarded }
      const { method = '', url = '' } = request
      const sent = sendRequest(mock.url + url, { method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 0, answer.headers)
        answer.pipe(response)
      })
      request.pipe(sent)
    },
  )
  const url = `https://pages.example:${await open(t, proxy)}`
  const { page, errors } = await visit(t)
  await page.goto(`${url}/`)
  await page.getByText('Silicon').first().waitFor()
  t.same(errors, [])
  const send = (method: string, path: string, body?: object) =>
    page.evaluate(
      `fetch('${BASE}${path}', ${JSON.stringify({
        method,
        headers: { ...ANN, ...(body && { 'content-type': 'application/json' }) },
        body: body && JSON.stringify(body),
      })}).then((response) => response.json())`,
    ) as Promise<{ readonly data: unknown }>
  t.match(await send('GET', '/swagger.json'), { servers: [{ url: url + BASE }] })
  await send('POST', '/files', { name: 'a.txt', body: 'text' })
  const { data } = await send('POST', '/files/signed-urls', { names: ['a.txt'] })
  const [{ signedUrl }] = data as [{ signedUrl: string }]
  t.ok(signedUrl.startsWith(`${url}/storage/`), signedUrl)
  const read = page.evaluate(`fetch(${JSON.stringify(signedUrl)}).then((answer) => answer.text())`)
  t.equal(await read, 'text')
})
