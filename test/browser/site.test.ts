import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
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
import { skipReason, visit } from '../browser.js'
import type { Visit } from '../browser.js'
import { makeCertificate } from '../certificate.js'
import { replace } from '../replace.js'

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  css: 'text/css',
  html: 'text/html',
  js: 'text/javascript',
  json: 'application/json',
  wasm: 'application/wasm',
}

/** Serves the files of a folder below a URL without its port, such as `http://127.0.0.1/some/where/`, and nothing else. */
async function serveFiles(t: Test, folder: string, address: string): Promise<string> {
  const url = new URL(address)
  const serve: RequestListener = (request, response) => {
    const { pathname } = new URL(request.url ?? '', url)
    const path = join(folder, pathname.slice(url.pathname.length).replace(/^$/, 'index.html'))
    const type = CONTENT_TYPES[path.split('.').at(-1) ?? ''] ?? 'text/plain'
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

/** Writes a site, and serves it below a URL without its port. */
async function openSite(
  t: Test,
  options: { fixtures?: string; scenario?: string } = {},
  address = 'http://127.0.0.1/some/where/',
) {
  const out = join(t.testdir(), 'site')
  await site.run({ out, ...options })
  return { out, url: await serveFiles(t, out, address) }
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
  readonly body: { readonly data: { readonly _id: string }[] }
}

/** Sends a request of a page, as the code of a front end does. */
const ask = (page: Page, path: string, init: object = {}): Promise<Answer> =>
  page.evaluate(`fetch(${JSON.stringify(path)}, ${JSON.stringify(init)}).then(
    async (response) => ({ status: response.status, body: await response.json() }))`)

const MATERIALS = 'api/2018-10-01/materials'

const login = async (page: Page): Promise<Record<string, string>> => {
  const { body } = await ask(page, 'api/2018-10-01/login', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'username=demo&password=demo',
  })
  return { ...(body as object), 'content-type': 'application/json' }
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
  await third.page.getByRole('button', { name: 'Start anew' }).click()
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
  const { url } = await openSite(t, {}, 'https://pages.example/repo/')
  const { page, errors } = await open(t, url)
  await rename(page, 'Renamed')
  await page.getByRole('link', { name: 'Requests' }).click()
  await row(page, 'PATCH').waitFor()
  await page.getByRole('link', { name: 'Switches' }).click()
  await page.getByText('Clock').first().waitFor()
  t.equal(await page.getByLabel('Seen as account').inputValue(), 'demo')
  await page.goto(url)
  await row(page, 'Renamed').waitFor()
  await page.getByRole('button', { name: 'Start anew' }).click()
  await row(page, 'Au, Gold').waitFor()
  t.same(errors, [])
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
  await later.locator('[aria-current=step]', { hasText: 'finished' }).waitFor()
})

t.test('the page follows the requests and the jobs, and undoes', SKIP, async (t) => {
  const { url } = await openSite(t, { scenario: 'busy queue' })
  const { page, errors } = await open(t, `${url}?resource=jobs`)
  await page.getByText('In the queue').first().waitFor()
  await rename(page, 'Renamed')
  await page.getByRole('link', { name: 'Requests' }).click()
  await row(page, 'PATCH').waitFor()
  await page.getByRole('link', { name: 'Switches' }).click()
  await page.getByText('Clock').first().waitFor()
  await page.goto(url)
  await page.locator('tbody tr input').first().check()
  await page.getByRole('button', { name: 'Delete selected' }).click()
  await page.locator('.pager .numbers', { hasText: 'of 54' }).waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.locator('.pager .numbers', { hasText: 'of 55' }).waitFor()
  t.same(errors, [])
})

t.test('a browser without shared workers has a mock in each tab', SKIP, async (t) => {
  const { url } = await openSite(t)
  const visited = await visit(t)
  await visited.page.addInitScript('delete globalThis.SharedWorker')
  await visited.page.goto(url)
  await row(visited.page, 'Au, Gold').waitFor()
  await rename(visited.page, 'Renamed')
  await row(visited.page, 'Renamed').waitFor()
  await visited.page.reload()
  await row(visited.page, 'Renamed').waitFor()
  t.same(visited.errors, [])
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
  await page.getByText('/materials', { exact: false }).first().waitFor()
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
  for (const path of ['../elsewhere/index.html', 'linked/index.html']) {
    writeFileSync(join(folder, 'materials-mock.site'), `title\n${path}\n`)
    if (path.startsWith('linked')) symlinkSync(join(root, 'elsewhere'), join(folder, 'linked'))
    await refuse(new RegExp(`has ${path} elsewhere`))
  }
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
