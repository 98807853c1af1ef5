import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import type { Page } from 'playwright-core'
import t from 'tap'
import type { Test } from 'tap'

import { skipReason, visit } from '../../helpers/browser.js'
import { BASE, build } from '../../helpers/build.js'
import { findBarriers } from '../../page/open-page.js'

/** Few resources, because Swagger UI takes long for many operations. */
const FIXTURES = {
  accounts: [{ _id: 'ann', username: 'demo', password: 'demo' }],
  materials: [
    { _id: 'm1', name: 'Silicon', formula: 'Si' },
    { _id: 'm2', name: 'Gallium arsenide', formula: 'GaAs' },
  ],
}

/** Leaves one path in the document that a page loads, because Swagger UI takes seconds for all of them. */
async function shortenDocument(page: Page): Promise<void> {
  await page.route(`**${BASE}/swagger.json`, async (route) => {
    const response = await route.fetch()
    const document = await response.json()
    const paths = { '/materials': document.paths['/materials'] }
    await route.fulfill({ response, json: { ...document, paths } })
  })
}

/** Starts a server with one empty page, and returns its origin. */
async function startFrontEnd(t: Test): Promise<string> {
  const server = createServer((_request, response) =>
    response
      .setHeader('content-type', 'text/html')
      .end('<!doctype html><link rel="icon" href="data:,">'),
  )
  t.teardown(() => server.close())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

t.test(
  'a page of another origin logs in, lists and logs out',
  { skip: skipReason() },
  async (t) => {
    const app = await build(t)
    const api = (await app.listen({ host: '127.0.0.1', port: 0 })) + BASE
    const { page, errors } = await visit(t)
    await page.goto(await startFrontEnd(t))

    const steps = await page.evaluate(async (base) => {
      // A method, as tsx names other functions by a helper that the page does not have.
      const client = {
        async request(path: string, options?: RequestInit) {
          const response = await fetch(base + path, options)
          return { status: response.status, body: await response.json() }
        },
      }
      const body = new URLSearchParams({ username: 'demo', password: 'demo' })
      const login = await client.request('/login', { method: 'POST', body })
      const headers = {
        ...(login.body as object),
        'Content-Type': 'application/json',
        Prefer: 'wait=1',
      }
      const query = encodeURIComponent('{"formula": "Si"}')
      return {
        login,
        list: await client.request(`/materials?query=${query}`, { headers }),
        logout: await client.request('/logout', { headers }),
      }
    }, api)
    t.match(steps.login, { status: 200, body: { 'X-Account-Id': String, 'X-Auth-Token': String } })
    t.match(steps.list, { status: 200, body: { status: 'success', data: [{ formula: 'Si' }] } })
    t.match(steps.logout, { status: 200, body: { status: 'success' } })
    t.same(errors, [])

    const failures = await page.evaluate(async (base) => {
      const list = await fetch(`${base}/materials`, { headers: { 'X-Account-Id': 'x' } })
      const method = await fetch(`${base}/login`, { method: 'DELETE' })
      const path = await fetch(`${base}/nothing`, { method: 'PATCH' })
      return [list.status, method.status, method.headers.get('Allow'), path.status]
    }, api)
    t.same(failures, [401, 405, 'POST', 404], 'the page reads failures too')
  },
)

t.test(
  'a page of an origin that is not allowed reads nothing',
  { skip: skipReason() },
  async (t) => {
    const app = await build(t, { corsOrigin: 'http://localhost:1' })
    const api = (await app.listen({ host: '127.0.0.1', port: 0 })) + BASE
    const { page } = await visit(t)
    await page.goto(await startFrontEnd(t))
    const message = await page.evaluate(
      (url) => fetch(url).then(String, (error: Error) => error.message),
      `${api}/materials`,
    )
    t.equal(message, 'Failed to fetch')
  },
)

t.test(
  'the explorer signs in with one click, sends a list query and shows its items',
  { skip: skipReason() },
  async (t) => {
    const app = await build(t, { fixtures: FIXTURES })
    const origin = await app.listen({ host: '127.0.0.1', port: 0 })
    const { page, requests, errors } = await visit(t)
    await page.goto(`${origin}/explorer`)
    await page.click('text=Log in as demo')
    await page.locator('#session', { hasText: 'Logged in as demo' }).waitFor()

    await page.locator('#operations-tag-materials').click()
    const list = page.locator('#operations-materials-materials-list')
    await list.locator('.opblock-summary-control').click()
    const [query, projection] = ['query', 'projection'].map((name) =>
      list.locator(`tr[data-param-name="${name}"] input[type="text"]`),
    )
    t.same(JSON.parse((await query?.inputValue()) ?? ''), { formula: 'Si' })
    t.match(JSON.parse((await projection?.inputValue()) ?? ''), { limit: 10 })
    await query?.fill('{"formula": {"$in": ["GaAs"]}}')
    await list.locator('button.execute').click()
    await list.locator('.live-responses-table .response-col_status', { hasText: '200' }).waitFor()
    t.match(
      await list.locator('.live-responses-table .highlight-code').first().textContent(),
      /"GaAs"/,
    )

    const height = page.viewportSize()?.height ?? 0
    const { y: top = Infinity } = (await list.locator('.live-responses-table').boundingBox()) ?? {}
    t.ok(top >= 0 && top < height, `the response is in view: ${top} of ${height} px`)
    t.same(await findBarriers(page), [], 'an operation with a response')

    await query?.fill('{"formula": {"$gtx": 1}}')
    await list.locator('button.execute').click()
    await list.locator('.live-responses-table .response-col_status', { hasText: '400' }).waitFor()
    const response = (await list.locator('.live-responses-table').textContent()) ?? ''
    t.match(response, /\$gtx is not an operator/)
    t.notMatch(response, /x-mock/i)
    t.notMatch(await list.locator('.curl').textContent(), /x-mock/i)
    t.same(errors, [], 'a failure writes nothing to the console')

    const recorded = await app.inject('/__admin/requests')
    t.same(
      recorded
        .json()
        .data.map(({ path, status }: { path: string; status: number }) => [path, status]),
      [
        [`${BASE}/materials`, 400],
        [`${BASE}/materials`, 200],
      ],
      'only the requests of the person are recorded',
    )

    const create = page.locator('#operations-materials-materials-create')
    await create.locator('.opblock-summary-control').click()
    for (const operation of [list, create]) {
      await operation.evaluate((element) => element.scrollIntoView())
      const button = await operation.locator('button.execute').boundingBox()
      const bottom = (button?.y ?? Infinity) + (button?.height ?? 0)
      t.ok(bottom <= height, `Execute is in view: ${bottom} of ${height} px`)
      for (const box of await operation.locator('.parameters textarea, .body-param textarea').all())
        t.ok(((await box.boundingBox())?.height ?? Infinity) < 200, 'the text boxes are small')
    }

    await list.locator('.opblock-summary-control').click()
    t.same(await findBarriers(page), [], 'an operation with a body')

    await page.click('text=Log out')
    await page.click('text=Log in as demo')
    await page.locator('#session', { hasText: 'Logged in as demo' }).waitFor()

    await page.click('text=Controls API')
    await page.locator('#operations-tag-controls').click()
    t.same(await page.locator('[aria-current=page]').allTextContents(), ['Controls API'])
    const health = page.locator('#operations-controls-health')
    await health.locator('.opblock-summary-control').click()
    await health.locator('button.execute').click()
    await health.locator('.live-responses-table .response-col_status', { hasText: '200' }).waitFor()
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
    await page.locator('html.dark-mode').waitFor()
    t.same(await findBarriers(page), [], 'the controls, dark')
    t.equal(
      await page.locator('#operations-controls-faults-add').count(),
      1,
      'the page links to it',
    )
    t.same(errors, [])
    t.ok(requests.some((url) => url.startsWith(`${origin}${BASE}/materials?query=`)))
    t.same(
      requests.filter((url) => !url.startsWith(`${origin}/`) && !url.startsWith('data:')),
      [],
      'every request goes to this server',
    )
  },
)

t.test(
  'the page hands its session over to the explorer, and neither minds one that has ended',
  { skip: skipReason() },
  async (t) => {
    const lab = { _id: 'lab', username: 'lab', password: 'lab' }
    const own = { _id: 'own', name: 'Of the lab', owner: { _id: 'lab' } }
    const fixtures = {
      accounts: [...FIXTURES.accounts, lab],
      materials: [...FIXTURES.materials, own],
    }
    const app = await build(t, { fixtures })
    const origin = await app.listen({ host: '127.0.0.1', port: 0 })
    const { page, errors } = await visit(t)
    await shortenDocument(page)
    await page.goto(origin)
    await page.getByRole('combobox', { name: 'Account' }).selectOption('lab')
    await page.getByText('Of the lab').waitFor()
    await page.getByRole('link', { name: 'API explorer' }).click()
    const session = page.locator('#session')
    const list = page.locator('#operations-materials-materials-list')
    const expectLoggedIn = async (): Promise<void> => {
      await session.filter({ hasText: 'Logged in as lab' }).waitFor()
      await page.locator('#operations-tag-materials').waitFor()
    }
    await expectLoggedIn()
    await page.locator('#operations-tag-materials').click()
    await list.locator('.opblock-summary-control').click()
    for (const name of ['query', 'projection'])
      await list.locator(`tr[data-param-name="${name}"] input[type="text"]`).fill('{}')
    await list.locator('button.execute').click()
    await list.locator('.live-responses-table', { hasText: 'Of the lab' }).waitFor()
    await page.route('**/users/me', (route) =>
      route.fulfill({ headers: { 'x-mock-status': '500' }, json: {} }),
    )
    await page.reload()
    await expectLoggedIn()
    await page.unroute('**/users/me')

    await app.inject({ method: 'POST', url: '/__admin/reset' })
    await page.reload()
    await session.filter({ hasText: 'Log in as demo' }).waitFor()
    await page.goto(`${origin}/?as=lab`)
    await page.getByText('Of the lab').waitFor()
    await app.inject({ method: 'POST', url: '/__admin/reset' })
    await page.getByRole('searchbox').fill('Of the')
    await page.locator('.pager .numbers', { hasText: '1–1 of 1' }).waitFor()
    t.same(errors, [], 'nothing is written to the console')
  },
)

t.test(
  'without the controls, the explorer logs in with a password',
  { skip: skipReason() },
  async (t) => {
    const app = await build(t, { fixtures: FIXTURES, admin: false })
    const origin = await app.listen({ host: '127.0.0.1', port: 0 })
    const { page } = await visit(t)
    await shortenDocument(page)
    await page.goto(`${origin}/explorer`)
    await page.fill('input[name=username]', 'demo')
    await page.fill('input[name=password]', 'wrong')
    await page.click('#session button')
    await page.locator('#session [role=alert]', { hasText: 'no account has this' }).waitFor()
    await page.fill('input[name=password]', 'demo')
    await page.click('#session button')
    await page.locator('#session', { hasText: 'Logged in as demo' }).waitFor()
    t.match(await page.evaluate('localStorage["materials-mock.session"]'), /"demo"/)
    t.same(await page.locator('.views a').allTextContents(), ['Data', 'API'])
  },
)

t.test('the explorer consists of the files that its page names', async (t) => {
  const app = await build(t, { fixtures: {} })
  const page = await app.inject('/explorer')
  t.equal(page.headers['content-type'], 'text/html; charset=utf-8')
  t.match(page.headers['content-security-policy'], /default-src 'none'/)
  t.match(await app.inject('/explorer/?document=controls'), {
    statusCode: 302,
    headers: { location: '../explorer?document=controls' },
  })
  const files = [...page.payload.matchAll(/(?:src|href)="(ui\/[^"]+)"/g)].map(
    ([, file]) => `/${file}`,
  )
  t.equal(files.length, 4)
  for (const file of files) {
    const response = await app.inject(file)
    t.equal(response.statusCode, 200, file)
    t.match(response.headers['content-type'], /^text\/(javascript|css)/, file)
    t.ok(response.rawPayload.length > 100, file)
  }
  for (const file of ['nothing.js', 'explorer.html', 'constructor', '..%2Fpackage.json']) {
    const response = await app.inject(`/ui/${file}`)
    t.equal(response.statusCode, 404, file)
    t.equal(response.json().data.code, 'ROUTE_NOT_FOUND', file)
  }
  t.equal((await app.inject({ method: 'POST', url: '/explorer' })).statusCode, 405)
})
