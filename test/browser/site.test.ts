import { EventEmitter, once } from 'node:events'
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

import type { Page } from 'playwright-core'
import t from 'tap'
import type { Test } from 'tap'

import { bundleSite } from '../../scripts/bundle-browser.js'
import { parseCommand } from '../../src/cli/commands.js'
import { site } from '../../src/cli/site.js'
import { SHIPPED_FIXTURES } from '../../src/server/app.js'
import { findBlock } from '../docs/blocks.js'
import { skipReason, visit } from '../helpers/browser.js'
import type { Visit } from '../helpers/browser.js'
import { makeCertificate } from '../helpers/certificate.js'
import { replace } from '../helpers/replace.js'

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  css: 'text/css',
  html: 'text/html',
  js: 'text/javascript',
  json: 'application/json',
  wasm: 'application/wasm',
}

/** Serves the files of a folder below a URL without its port, such as `http://127.0.0.1/some/where/`, and nothing else. */
async function serveFiles(
  t: Test,
  folder: string,
  address: string,
  wait: (path: string) => Promise<unknown> | undefined = () => undefined,
): Promise<string> {
  const url = new URL(address)
  const serve: RequestListener = async (request, response) => {
    const { pathname } = new URL(request.url ?? '', url)
    const path = join(folder, pathname.slice(url.pathname.length).replace(/^$/, 'index.html'))
    const type = CONTENT_TYPES[path.split('.').at(-1) ?? ''] ?? 'text/plain'
    await wait(path)
    try {
      if (!pathname.startsWith(url.pathname)) throw new Error('not below it')
      const content = readFileSync(path)
      return response.writeHead(200, { 'content-type': type }).end(content)
    } catch {
      return response.writeHead(404).end() // also of a folder that the end of a test has removed
    }
  }
  const server = url.protocol === 'https:' ? serveTls(t, url.hostname, serve) : createServer(serve)
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  url.port = `${(server.address() as AddressInfo).port}`
  return url.href
}

function serveTls(t: Test, host: string, serve: RequestListener) {
  const { key, cert } = makeCertificate(t, host)
  return createTlsServer({ key: readFileSync(key), cert: readFileSync(cert) }, serve)
}

/** The shipped fixtures with fewer materials, so that each mock starts in half of the time. */
function writeFixtures(): string {
  const folder = join(FOLDER, 'fixtures')
  cpSync(SHIPPED_FIXTURES, folder, { recursive: true })
  for (const name of ['materials', 'bank-materials']) {
    const file = join(folder, `${name}.json`)
    const items = JSON.parse(readFileSync(file, 'utf8')) as { readonly formula: string }[]
    const few = items.filter(({ formula }) => FORMULAS.has(formula))
    writeFileSync(file, JSON.stringify(few))
  }
  return folder
}

/** The formulas of the materials: gold, and those of the jobs. */
const FORMULAS = new Set(['Au', 'Al', 'C', 'Cu', 'GaAs', 'Si', 'SiGe'])

/** The sites of these fixtures that are written already, by their scenarios. */
const WRITTEN = new Map<string | undefined, string>()

let fixturesFolder: string | undefined

/** Returns the folder of these fixtures, which is written once. */
const getFixtures = (): string => (fixturesFolder ??= writeFixtures())

/** Copies a site of these fixtures, which is written once, and serves it below a URL without its port. */
async function openSite(
  t: Test,
  scenario?: string,
  address = 'http://127.0.0.1/some/where/',
  wait?: (path: string) => Promise<unknown> | undefined,
) {
  const written = WRITTEN.get(scenario) ?? join(FOLDER, String(WRITTEN.size))
  if (!WRITTEN.has(scenario))
    await site.run({ out: written, fixtures: getFixtures(), ...(scenario && { scenario }) })

  WRITTEN.set(scenario, written)
  const out = join(t.testdir(), 'site')
  cpSync(written, out, { recursive: true })
  return { out, url: await serveFiles(t, out, address, wait) }
}

/** Opens a page of a site, and waits for its first list. */
async function open(t: Test, url: string): Promise<Visit> {
  const visited = await visit(t)
  await visited.page.goto(url)
  await visited.page.locator('tbody tr').first().waitFor()
  return visited
}

interface Answer {
  readonly status: number
  readonly body: { readonly data: { readonly _id: string; readonly status?: string }[] }
}

/** Sends a request of a page, as the code of a front end does. */
const ask = (page: Page, path: string, init: object = {}): Promise<Answer> =>
  page.evaluate(`fetch(${JSON.stringify(path)}, ${JSON.stringify(init)}).then(
    async (response) => ({ status: response.status, body: await response.json() }))`)

const JSON_HEADERS: Readonly<Record<string, string>> = { 'content-type': 'application/json' }

const MATERIALS = 'api/2018-10-01/materials'

const login = async (page: Page): Promise<Record<string, string>> => {
  const { body } = await ask(page, 'api/2018-10-01/login', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'username=demo&password=demo',
  })
  return { ...(body as object), ...JSON_HEADERS }
}

const rename = async (page: Page, name: string): Promise<void> => {
  const headers = await login(page)
  const query = new URLSearchParams({ query: '{"formula":"Au"}' })
  const [gold] = (await ask(page, `${MATERIALS}?${query}`, { headers })).body.data
  const init = { method: 'PATCH', headers, body: JSON.stringify({ name }) }
  const answer = await ask(page, `${MATERIALS}/${gold?._id}`, init)
  if (answer.status !== 200) throw new Error(JSON.stringify(answer))
}

const row = (page: Page, name: string) => page.locator('tbody tr', { hasText: name })

/** A name that means something in HTML and in a replacement. */
const NAME = `$' $& "x" <b> $1`

const SKIP = { skip: skipReason() }

const FOLDER = t.testdir()

t.before(() => bundleSite())

t.test('all tabs of a site have one state, which outlives them', SKIP, async (t) => {
  const { url } = await openSite(t)
  const first = await open(t, url)
  t.match(await first.page.locator('body').textContent(), /The server is in this browser/)
  const second = await open(t, url)
  await rename(first.page, 'Renamed')
  await row(second.page, 'Renamed').waitFor()
  await first.page.close()
  await second.page.reload()
  await row(second.page, 'Renamed').waitFor()
  await second.page.close()
  const third = await open(t, url)
  await row(third.page, 'Renamed').waitFor()
  await third.page.getByRole('button', { name: 'Reset' }).click()
  await row(third.page, 'Au, Gold').waitFor()
  for (const { requests, errors } of [first, second, third]) {
    t.same(
      requests.filter((each) => !each.startsWith(url)),
      [],
      'nothing is asked from elsewhere',
    )
    t.same(errors, [])
  }
})

t.test('a site on a host of pages has its controls, and nobody logs in', SKIP, async (t) => {
  const { url } = await openSite(t, undefined, 'https://pages.example/repo/')
  const { page, errors } = await open(t, url)
  // What somebody types into the console of the browser.
  const { code } = findBlock('docs/without-a-server.md', 'await')
  t.match(await page.evaluate(`(async () => ${code})()`), { 'X-Auth-Token': String })
  await rename(page, 'Renamed')
  await page.getByRole('link', { name: 'Requests' }).click()
  await row(page, 'PATCH').waitFor()
  await page.getByRole('link', { name: 'Controls' }).click()
  await page.getByText('Clock').first().waitFor()
  t.equal(await page.getByLabel('Seen as account').inputValue(), 'demo')
  await page.getByLabel('Name of the sandbox').fill('mine')
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await page.getByTitle('Sandbox mine').waitFor()
  await page.goto(`${url}?sandbox=mine`)
  await row(page, 'Au, Gold').waitFor()
  const inSandbox = {
    method: 'POST',
    headers: JSON_HEADERS,
    body: '{"materials": [{"name": "Of mine"}]}',
  }
  t.equal((await ask(page, `${url}sandboxes/mine/__admin/seed`, inSandbox)).status, 200)
  await page.goto('about:blank')
  await page.goto(`${url}sandboxes/mine`)
  await row(page, 'Of mine').waitFor()
  const { body } = await ask(page, `${url}sandboxes/mine/api/2018-10-01/swagger.json`)
  t.match(body, { servers: [{ url: `${url}sandboxes/mine/api/2018-10-01` }] })
  await page.goto(url)
  await row(page, 'Renamed').waitFor()
  await page.getByRole('button', { name: 'Reset' }).click()
  await row(page, 'Au, Gold').waitFor()
  t.same(errors, [])
})

t.test('a visitor has one sandbox for a scenario, and starts anew in it', SKIP, async (t) => {
  const { url } = await openSite(t, 'demo')
  const { page, errors } = await open(t, url)
  await rename(page, 'Renamed')
  const listSandboxes = async () => (await ask(page, '__admin/sandboxes')).body.data
  const jobs = `${url}?resource=jobs&scenario=busy%20queue`
  for (const each of ['first', 'second']) {
    await page.goto(jobs)
    await row(page, 'In the queue').waitFor()
    t.equal((await listSandboxes()).length, 1, each)
  }
  await page.getByRole('button', { name: 'Reset' }).click()
  await row(page, 'Submit me').waitFor()
  t.equal(page.url(), url, 'it begins where its scenario says')
  t.same(await listSandboxes(), [])
  await page.goto(`${url}?resource=materials`)
  await row(page, 'Au, Gold').waitFor()
  t.same(errors, [])
})

t.test('the clock, the jobs and the faults of a site outlive its last tab', SKIP, async (t) => {
  const { url } = await openSite(t, 'demo')
  let { page } = await open(t, url)
  const post = (path: string, body: object, headers = JSON_HEADERS) =>
    ask(page, path, { method: 'POST', headers, body: JSON.stringify(body) })
  const read = async () => {
    const headers = await login(page)
    const list = async (resource: string) =>
      (await ask(page, `api/2018-10-01/${resource}`, { headers })).body.data
    const { frozen } = (await ask(page, '__admin/clock')).body as unknown as { frozen: boolean }
    const jobs = new Map((await list('jobs')).map(({ _id, status }) => [_id, status]))
    return { frozen, jobs, properties: (await list('properties')).map(({ _id }) => _id) }
  }
  // The page for an address of the API starts the mock of the site as its page does, and shows less.
  const reopen = async () => {
    await page.close()
    ;({ page } = await visit(t))
    await page.goto(`${url}__admin/health`)
    await page.getByText('"status":').waitFor()
  }
  await post('__admin/clock', { freeze: true })
  await post('__admin/faults', { status: 418, path: '/api/*/projects' })
  const id = 'WcTtK8e6rPQPWSEm9'
  const { status } = await post(`api/2018-10-01/jobs/${id}/submit`, {}, await login(page))
  t.equal(status, 200)
  for (const [change, shown] of [
    [{ advance: 1000 }, 'submitted'],
    [{ advance: 2000 }, 'active'],
    [{ advance: 60_000 }, 'finished'],
    [{ set: new Date(Date.now() - 60_000) }, 'submitted'],
    [{ rewind: '2024-10-13T00:00:00Z' }, 'pre-submission'],
    [{ freeze: false }, 'pre-submission'],
  ] as const) {
    await post('__admin/clock', change)
    const before = await read()
    t.equal(before.jobs.get(id), shown)
    await reopen()
    t.same(await read(), before, JSON.stringify(change))
  }
  t.equal((await ask(page, 'api/2018-10-01/projects')).status, 418)
  await ask(page, '__admin/clock', { method: 'DELETE' })
  await page.goto(url)
  const loading = page.waitForEvent('load')
  await page.getByRole('button', { name: 'Reset' }).click()
  await loading
  t.equal((await ask(page, 'api/2018-10-01/projects')).status, 401)
})

t.test('a site keeps whole jobs while its clock is rewound', SKIP, async (t) => {
  const { url } = await openSite(t)
  const job = `${url}?resource=jobs&item=9gyhfncWDhnSyzALv`
  const { page } = await open(t, job)
  const step = (name: string) => page.locator('[aria-current=step]', { hasText: name }).waitFor()
  await step('finished')
  await page.getByRole('slider').press('Home')
  await step('pre-submission')
  await page.close()
  const { page: later } = await open(t, job)
  const laterStep = (hasText: string) => later.locator('[aria-current=step]', { hasText }).waitFor()
  await laterStep('pre-submission')
  await ask(later, '__admin/clock', { method: 'DELETE' })
  await laterStep('finished')
})

t.test('the page follows the requests and the jobs, and undoes', SKIP, async (t) => {
  const { url } = await openSite(t, 'busy queue')
  const { page, errors } = await open(t, `${url}?resource=jobs`)
  await page.getByText('In the queue').first().waitFor()
  await rename(page, 'Renamed')
  await page.getByRole('link', { name: 'Requests' }).click()
  await row(page, 'PATCH').waitFor()
  await page.getByRole('link', { name: 'Controls' }).click()
  await page.getByText('Clock').first().waitFor()
  await page.goto(`${url}?resource=materials`)
  await page.locator('tbody tr input').first().check()
  await page.getByRole('button', { name: 'Delete selected' }).click()
  await page.locator('.pager .numbers', { hasText: 'of 10' }).waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.locator('.pager .numbers', { hasText: 'of 11' }).waitFor()
  t.same(errors, [])
})

t.test('without shared workers, one tab leads, and the others ask it', SKIP, async (t) => {
  const { url } = await openSite(t)
  const openTab = async (): Promise<Visit> => {
    const visited = await visit(t)
    await visited.page.addInitScript('delete globalThis.SharedWorker')
    await visited.page.goto(url)
    await row(visited.page, 'Au').waitFor()
    return visited
  }
  const [leader, other] = [await openTab(), await openTab()]
  const countWorkers = () => [leader, other].map(({ page }) => page.workers().length)
  t.same(countWorkers(), [1, 0])
  await rename(other.page, 'Renamed')
  await row(leader.page, 'Renamed').waitFor()
  const rule = { delay: 60_000, path: '/api/*/projects' }
  const init = { method: 'POST', headers: JSON_HEADERS, body: JSON.stringify(rule) }
  await ask(other.page, '__admin/faults', init)
  const pending = other.page.evaluate(`fetch('api/2018-10-01/projects').catch(() => 'dropped')`)
  await leader.page.getByRole('link', { name: 'Requests' }).click()
  await row(leader.page, '/projects').waitFor()
  await leader.page.close()
  t.equal(await pending, 'dropped', 'a request that the leader has is no longer waited for')
  await rename(other.page, 'Renamed by the next')
  await row(other.page, 'Renamed by the next').waitFor()
  t.same(countWorkers(), [0, 1])
  await other.page.reload()
  await row(other.page, 'Renamed by the next').waitFor()
  t.same(leader.errors, [])
})

t.test('a page takes requests while its worker still loads', SKIP, async (t) => {
  const network = new EventEmitter()
  const loaded = once(network, 'load')
  const { url } = await openSite(t, undefined, undefined, (path) =>
    path.endsWith('/worker.js') && !path.endsWith('/service-worker.js') ? loaded : undefined,
  )
  const { page, errors } = await visit(t)
  await page.goto(url)
  await page.waitForFunction('navigator.serviceWorker.controller')
  const answer = await page.evaluate(`new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = ({ data }) => resolve(data)
    const found = new MessageEvent('message', { data: 'find', ports: [port2] })
    navigator.serviceWorker.dispatchEvent(found)
  })`)
  t.equal(answer, 'here')
  network.emit('load')
  await row(page, 'Au').waitFor()
  t.same(errors, [])
})

t.test('a page that the service worker does not take is loaded again, once', SKIP, async (t) => {
  const { url } = await openSite(t)
  const miss = async (isMissed: string): Promise<Page> => {
    const { page } = await visit(t)
    await page.addInitScript(`if (${isMissed}) {
      Object.defineProperty(navigator.serviceWorker, 'controller', { value: null })
      navigator.serviceWorker.addEventListener('controllerchange', (event) => event.stopImmediatePropagation())
    }`)
    await page.goto(url)
    return page
  }
  const [loadedAgain, always] = await Promise.all([
    miss(`performance.getEntriesByType('navigation')[0].type !== 'reload'`),
    miss('true'),
  ])
  await row(loadedAgain, 'Au').waitFor()
  await always.getByText("This page can't start: its service worker does not take it").waitFor()
})

t.test('an address of the API opens as a page, and no request waits for it', SKIP, async (t) => {
  const { url } = await openSite(t)
  const first = await open(t, url)
  const { page: answer } = await visit(t)
  await answer.goto(`${url}__admin/health`)
  t.match(await answer.textContent('body'), '"status"', 'another page passes it on')
  await first.page.reload()
  await row(first.page, 'Au, Gold').waitFor()
  await first.page.close()
  const start = Date.now()
  t.equal(await answer.evaluate(`fetch('health').then(({ status }) => status)`), 503)
  t.ok(Date.now() - start < 4000)
  await answer.goto(`${url}api/2018-10-01/materials`)
  await answer.getByText('"status":"error"').waitFor()
  await answer.goto(`${url}__admin/accounts`)
  await answer.getByText('"username":"demo"').waitFor()
})

t.test('a request is dropped that a page has lost when it is closed', SKIP, async (t) => {
  const { url } = await openSite(t)
  const first = await open(t, url)
  const [{ page: asking }, { page: losing }] = [await visit(t), await visit(t)]
  for (const page of [asking, losing]) await page.goto(`${url}__admin/health`)
  await losing.evaluate(`
    navigator.serviceWorker.addEventListener('message', ({ data, ports }) => {
      if (data === 'find') ports[0].postMessage('here')
      else window.hasRequest = true
    })
    navigator.serviceWorker.startMessages()`)
  await first.page.close()
  const pending = asking.evaluate(`fetch('health').then(({ status }) => status, () => 'dropped')`)
  await losing.waitForFunction('window.hasRequest')
  await losing.close()
  t.equal(await pending, 'dropped')
})

t.test('what was kept for former builds of a site is deleted', SKIP, async (t) => {
  const { out, url } = await openSite(t)
  const { page } = await open(t, url)
  const listDatabases = (): Promise<string[]> =>
    page.evaluate(`indexedDB.databases().then((all) => all.map(({ name }) => name))`)
  const ofElsewhere = `${url}elsewhere 0123456789abcdef`
  await page.evaluate(`indexedDB.open(${JSON.stringify(ofElsewhere)})`)
  await rename(page, 'Renamed')
  const former = (await listDatabases()).find((name) => name !== ofElsewhere)
  await page.goto('about:blank')
  await site.run({ out, fixtures: getFixtures(), scenario: 'empty account' })
  await page.goto(url)
  await page.getByText('materials has no items').waitFor()
  const left = await listDatabases()
  t.notOk(left.includes(former ?? ''))
  t.ok(left.includes(ofElsewhere))
})

t.test('the workflow of the docs runs the command as it is', async (t) => {
  const workflow = readFileSync('docs/examples/github/site.yml', 'utf8')
  const [, line = ''] = /- run: npx materials-mock (site .*)/.exec(workflow) ?? []
  const words = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(
    ([, quoted, word]) => quoted ?? word ?? '',
  )
  t.match(parseCommand(words, {}), {
    kind: 'site',
    options: { out: 'public', scenario: 'demo', jobDuration: 30_000 },
  })
  t.match(workflow, 'path: public')
  t.throws(() => parseCommand(['site'], {}), { message: /give a folder/ })
  t.throws(() => parseCommand(['site', 'x', '--port', '1'], {}), { message: /--port/ })
})

t.test('the explorer of a site asks its mock', SKIP, async (t) => {
  const { url } = await openSite(t)
  const { page } = await open(t, url)
  await page.getByRole('link', { name: 'API explorer' }).click()
  await page.locator('#operations-tag-materials').waitFor()
  const { body } = (await ask(page, 'api/2018-10-01/swagger.json')) as unknown as {
    body: { servers: unknown }
  }
  t.same(body.servers, [{ url: `${url}api/2018-10-01`, description: 'This server' }])
})

t.test('a site that can not start says why', SKIP, async (t) => {
  const { out, url } = await openSite(t)
  rmSync(join(out, 'service-worker.js'))
  const { page } = await visit(t)
  await page.goto(url)
  await page.getByText("This page can't start: Failed to register a ServiceWorker").waitFor()
  const withoutMock = await openSite(t)
  rmSync(join(withoutMock.out, 'worker.js'))
  const { page: leader } = await visit(t)
  await leader.addInitScript('delete globalThis.SharedWorker') // whose failures Chromium sometimes keeps to itself
  await leader.goto(withoutMock.url)
  await leader.getByText("This page can't start: worker.js can't be loaded").waitFor()
  const insecure = await visit(t)
  await insecure.page.goto(url.replace('127.0.0.1', 'front.example'))
  await insecure.page.getByText('it needs a service worker, which a browser has on https').waitFor()
})

t.test('data that is broken is named', SKIP, async (t) => {
  const { out, url } = await openSite(t)
  writeFileSync(join(out, 'data.json'), '{"fixtures":{"materials":[{"_id":1}]},"id":"x"}')
  const { page } = await visit(t)
  await page.goto(url)
  await page.getByText("the mock can't start").waitFor()
  t.match(await page.locator('main').textContent(), /_id must be a string/)
})

t.test('a site replaces its own files alone', async (t) => {
  const fixture = '[{"_id": "m1", "name": "one"}]'
  const root = t.testdir({ elsewhere: { 'index.html': 'mine' } })
  const folder = join(root, 'site')
  mkdirSync(join(folder, '.git'), { recursive: true })
  writeFileSync(join(folder, '.git', 'HEAD'), 'ref')
  await site.run({ out: folder })
  const list = readFileSync(join(folder, 'materials-mock.site'), 'utf8').split('\n')
  t.ok(['index.html', 'data.json', 'page.js'].every((name) => list.includes(name)))
  mkdirSync(join(folder, 'fixtures'))
  for (const [path, content] of [
    ['CNAME', 'a.example'],
    ['ui/notes.txt', 'mine'],
    ['fixtures/materials.json', fixture],
    ['fixtures/scenarios.json', JSON.stringify({ [NAME]: {} })],
  ] as const)
    writeFileSync(join(folder, path), content)
  writeFileSync(join(folder, 'ui/old.js'), 'of a former version')
  appendFileSync(join(folder, 'materials-mock.site'), 'ui/old.js\n')
  rmSync(join(folder, 'page.js'))
  symlinkSync(join(root, 'elsewhere/index.html'), join(folder, 'page.js'))
  await site.run({ out: folder, fixtures: join(folder, 'fixtures'), scenario: NAME })
  const left = readdirSync(folder)
  for (const name of ['.git', 'CNAME', 'fixtures', 'index.html']) t.ok(left.includes(name), name)
  t.equal(readFileSync(join(folder, 'ui/notes.txt'), 'utf8'), 'mine')
  t.notOk(existsSync(join(folder, 'ui/old.js')))
  t.match(readFileSync(join(folder, 'data.json'), 'utf8'), '"name":"one"')
  t.equal(readFileSync(join(root, 'elsewhere/index.html'), 'utf8'), 'mine', 'a link is replaced')

  symlinkSync(folder, join(root, 'linked'))
  await site.run({ out: join(root, 'linked') })
  t.match(readFileSync(join(folder, 'data.json'), 'utf8'), 'Si, Silicon')

  const page = readFileSync(join(folder, 'index.html'), 'utf8')
  const refuse = (message: RegExp) => t.rejects(site.run({ out: folder }), { message })
  writeFileSync(
    join(folder, 'materials-mock.site'),
    'Written by 1.0.0, which replaces all files here.\n',
  )
  await refuse(/has .+, which materials-mock\.site does not list; move it away/)
  for (const path of [
    '../elsewhere/index.html',
    '.git/HEAD',
    'CNAME',
    'package.json',
    'ui/../x.js',
  ]) {
    writeFileSync(join(folder, 'materials-mock.site'), `title\n${path}\n`)
    await refuse(new RegExp(`has a list of its files, .+, with "${path}", which no site has`))
  }
  t.equal(readFileSync(join(folder, '.git/HEAD'), 'utf8'), 'ref')
  renameSync(join(folder, 'ui'), join(root, 'elsewhere/ui'))
  symlinkSync(join(root, 'elsewhere/ui'), join(folder, 'ui'))
  writeFileSync(join(folder, 'materials-mock.site'), list.join('\n'))
  await refuse(/is behind a link; give a new or an empty folder/)
  t.equal(readFileSync(join(root, 'elsewhere/index.html'), 'utf8'), 'mine')
  t.equal(readFileSync(join(folder, 'index.html'), 'utf8'), page)
})

t.test('a site says whose logins it publishes, and has any name of a scenario', async (t) => {
  const fixtures = t.testdir({
    'materials.json': '[]',
    'accounts.json': JSON.stringify(
      ['ann', 'bob'].map((username) => ({ _id: username, username, password: 'x' })),
    ),
    'scenarios.json': JSON.stringify({ [NAME]: {} }),
  })
  const lines: string[] = []
  replace(t, console, 'log', (text: string) => lines.push(text))
  const out = join(fixtures, 'site')
  await site.run({ out, fixtures, scenario: NAME })
  t.match(lines.join('\n'), 'also the passwords and tokens of ann, bob')
  const html = readFileSync(join(out, 'index.html'), 'utf8')
  t.match(html, `data-site="$' $&amp; &quot;x&quot; &lt;b> $1"`)
  t.match(html, /<script type="module" src="page.js" data-page="ui\/[^"]+"><\/script>/)
})

t.test('a folder with other files stays as it is', async (t) => {
  const out = t.testdir({ 'thesis.tex': 'years' })
  await t.rejects(site.run({ out }), { message: /has files that are not of a site/ })
  t.same(readdirSync(out), ['thesis.tex'])
  await t.rejects(site.run({ out: join(out, 'new'), scenario: 'nope' }), { message: /no scenario/ })
  t.same(readdirSync(out), ['thesis.tex'])
})
