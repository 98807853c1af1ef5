import { readFileSync } from 'node:fs'

import type { Locator } from 'playwright-core'
import t from 'tap'

import { skipReason } from '../helpers/browser.js'
import { BASE, logIn, waitFor } from '../helpers/build.js'
import { editText, findBarriers, servePage, visitAddress } from './open-page.js'

const skip = skipReason()

/** The statuses of the listed requests, each with its class. */
const STATUSES = `[...document.querySelectorAll('.requests td.numeric:not(.ms)')].map(
  (each) => each.className.replace('numeric ', '') + ' ' + each.textContent)`

t.test('the footprint shows what each route was used for, and what failed', { skip }, async (t) => {
  const { app, origin, open } = await servePage(t)
  app.controls.faults.add({ path: '/api/*/materials/m1', status: 503 })
  const query = encodeURIComponent('{"formula": {"$regex": "Si"}}')
  await fetch(`${origin}${BASE}/materials/m1`)
  const headers = await logIn(app, 'demo', 'demo')
  await fetch(`${origin}${BASE}/materials?query=${query}`, { headers })
  const { page, errors } = await open('/?view=requests')
  await page.getByRole('button', { name: 'Coverage' }).click()
  const row = (name: string) => page.getByRole('row', { name }).locator('td').allTextContents()
  await page.getByRole('row', { name: 'GET /materials/{id}' }).waitFor()
  t.same(await row('GET /materials/{id}'), ['1', '', '503 FAULT_INJECTED'])
  t.same(await row('GET /materials 1'), [
    '1',
    'parameters query; paths formula; operators $regex',
    '',
  ])
  await page.getByRole('button', { name: 'Coverage' }).click()
  await page.getByRole('table').filter({ hasText: 'Time' }).waitFor()
  t.same(await page.evaluate(STATUSES), ['good 200', 'good 200', 'bad 503'])
  t.same(await page.locator('.requests .badge').allTextContents(), ['503'])
  t.same(errors, [])
})

t.test('the saved HAR has the listed requests, and a browser replays it', { skip }, async (t) => {
  const { app, origin, open } = await servePage(t)
  const body = new URLSearchParams({ username: 'demo', password: 'demo' })
  await fetch(`${origin}${BASE}/login`, { method: 'POST', body })
  await fetch(`${origin}${BASE}/materials`)
  const filter = '{"status": 401}'
  const { page } = await open(`/?view=requests&filter=${encodeURIComponent(filter)}`)
  await page.getByLabel('Filter').fill(filter)
  const link = page.getByRole('link', { name: 'Save as HAR' })
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
  t.equal(download.suggestedFilename(), 'requests.har')
  const file = await download.path()
  t.match(JSON.parse(readFileSync(file, 'utf8')), {
    log: { entries: [{ request: { url: `${origin}${BASE}/materials` } }] },
  })
  app.controls.journal.clear()
  await page.routeFromHAR(file, { notFound: 'abort' })
  const [status, text] = await page.evaluate<[number, string]>(
    `fetch('${BASE}/materials').then(async (response) => [response.status, await response.text()])`,
  )
  t.equal(status, 401)
  t.match(text, /CREDENTIALS_REJECTED/)
  t.equal(app.controls.journal.size, 0, 'the server was not asked')
  const other = page.evaluate(`fetch('${BASE}/jobs')`)
  await t.rejects(other, { message: /Failed to fetch/ })
})

t.test('the requests that the filter shows are copied as a test', { skip }, async (t) => {
  const { app, origin, open } = await servePage(t)
  await fetch(`${origin}${BASE}/materials`)
  await fetch(`${origin}${BASE}/jobs`)
  const filter = '{"resource": "jobs"}'
  const { page, errors } = await open(`/?view=requests&filter=${encodeURIComponent(filter)}`)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('row', { name: '/jobs' }).waitFor()
  for (const language of ['vitest', 'pytest']) {
    await page.getByLabel('Test runner').selectOption(language)
    await page.getByRole('button', { name: 'Copy as test' }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    const query = encodeURIComponent(filter)
    const { body } = await app.inject(`/__admin/requests.test?language=${language}&query=${query}`)
    t.match(body, `"path": "${BASE}/jobs"`)
    t.notMatch(body, `"path": "${BASE}/materials"`)
    t.equal(await page.evaluate('navigator.clipboard.readText()'), body)
    await page.getByRole('button', { name: 'Copy as test' }).waitFor()
  }
  t.same(errors, [])
})

t.test('requests are listed live, filtered, opened and replayed', { skip }, async (t) => {
  const { origin, open } = await servePage(t)
  const { page, errors } = await open('/?view=requests')
  await page.locator('.live.on').waitFor()
  const account = { 'X-Account-Id': 'oEb32zJWy27miFESb', 'X-Auth-Token': 'demo-preferences-token' }
  const list = (formula: string) =>
    fetch(`${origin}${BASE}/materials?query=${encodeURIComponent(JSON.stringify({ formula }))}`, {
      headers: account,
    })
  await list('Si')
  await list('GaAs')
  await fetch(`${origin}${BASE}/login`, { method: 'POST' })
  const rows = page.locator('table.requests tbody tr')
  await waitFor(async () => (await rows.count()) === 3)
  t.match(await rows.first().textContent(), /POST.*\/login/)
  t.match(await rows.nth(1).textContent(), /\{"formula":"GaAs"\}200/)
  t.match(await page.evaluate(STATUSES), [/^warn 4/, 'good 200', 'good 200'])

  const pane = page.getByRole('complementary', { name: 'The open request' })
  await rows.first().locator('td').first().click()
  await pane.getByRole('button', { name: 'Replay' }).click()
  await page.locator('.toast', { hasText: /Replayed: 4\d\d/ }).waitFor()
  await rows.nth(3).waitFor()
  t.match(
    await rows.first().textContent(),
    /POST.*\/login4/,
    'a failure that is replayed is recorded',
  )

  await page.getByRole('button', { name: 'Pause' }).click()
  await list('SiC')
  await rows.first().getByRole('link').click()
  await pane.getByText('"status": "error"').waitFor()
  t.equal(await rows.count(), 4, 'a paused list stays')
  const failures = page.getByRole('button', { name: 'Failures' })
  for (const count of [2, 4]) {
    await failures.click()
    await waitFor(async () => (await rows.count()) === count)
  }
  await page.getByRole('button', { name: 'Go on' }).click()
  await waitFor(async () => (await rows.count()) === 5)

  await page.getByRole('button', { name: 'Failures' }).click()
  await waitFor(async () => (await rows.count()) === 2)
  t.equal(await page.getByLabel('Filter').innerText(), '{"status": {"$gte": 400}}')
  await page.getByRole('button', { name: 'Failures' }).click()
  await waitFor(async () => (await rows.count()) === 5)
  await editText(page, 'Filter', '{"query.formula": {"$in": ["Si", "GaAs"]}}')
  await waitFor(async () => (await rows.count()) === 2)
  await rows.first().getByRole('link').click()
  await pane.getByText('"formula": "GaAs"').waitFor()
  t.equal(await pane.locator('[role=tabpanel] p.muted').count(), 0, 'the whole body is there')
  await pane.getByRole('tab', { name: 'Request' }).click()
  await pane.getByText('x-account-id').waitFor()
  const time = pane.locator('time')
  const at = String(await time.getAttribute('datetime'))
  t.equal(await time.textContent(), `${at.slice(0, 19).replace('T', ' ')} UTC`)
  t.equal(await rows.first().locator('td').first().textContent(), at.slice(11, 23))
  t.equal(await pane.getByText('demo-preferences-token').count(), 0, 'the token is masked')
  await pane.getByRole('button', { name: 'Copy as curl' }).click()
  t.match(
    await page.evaluate('navigator.clipboard.readText()'),
    /^curl -s 'http[^]*\?query=%7B%22formula%22%3A%22GaAs%22%7D' [^]*X-Account-Id/,
  )
  await pane.getByRole('button', { name: 'Replay' }).click()
  await page.locator('.toast', { hasText: 'Replayed: 200' }).waitFor()
  await waitFor(async () => (await rows.count()) === 3)

  await rows.last().getByRole('link').click()
  await pane.getByText('"Si"').first().waitFor()
  await page.getByRole('button', { name: 'Pause' }).click()
  await list('Si')
  const shown = await rows.allTextContents()
  const link = await open(page.url().slice(origin.length))
  await link.page.locator('.item-pane pre', { hasText: '"Si"' }).first().waitFor()
  t.equal(
    await link.page.getByLabel('Filter').innerText(),
    await page.getByLabel('Filter').innerText(),
  )
  await link.page.getByText('Paused').waitFor()
  t.same(await link.page.locator('table.requests tbody tr').allTextContents(), shown)
  t.same(link.errors, [])
  await page.getByRole('button', { name: 'Clear' }).click()
  await page.getByText('No request matches').waitFor()
  await page.getByRole('button', { name: 'Go on' }).click()
  t.equal(await rows.count(), 0, 'the filtered requests are gone, too')
  await list('Si')
  await rows.first().getByRole('link').focus()
  await page.keyboard.press('/')
  await page.getByLabel('Filter').and(page.locator(':focus')).waitFor()
  await editText(page, 'Filter', '{"status": {"$gtx": 1}}')
  await page.locator('.json-error', { hasText: '$gtx' }).waitFor()
  t.same(await findBarriers(page), [])
  t.same(errors, [])
})

t.test(
  'the list of a request opens in the data, and an item that is missing says why',
  { skip },
  async (t) => {
    const { app, origin, open } = await servePage(t)
    const { page, errors } = await open('/?view=requests')
    await page.locator('.live.on').waitFor()
    const session = await fetch(`${origin}/__admin/sessions`, {
      method: 'POST',
      body: '{"username": "lab"}',
      headers: { 'content-type': 'application/json' },
    })
    const { data: headers } = (await session.json()) as { data: Record<string, string> }
    const ask = (parameters: Record<string, string>) =>
      fetch(`${origin}${BASE}/materials?${new URLSearchParams(parameters)}`, { headers })
    await ask({ formula: 'Al2O3' })
    await ask({
      query: '{"formula": "Al2O3", "lattice.type": "HEX"}',
      projection: '{"limit": 100, "sort": {"name": -1}}',
    })
    const pane = page.locator('.item-pane')
    const rows = page.locator('table.requests tbody tr')
    await rows.nth(1).getByRole('link').click()
    await pane.getByRole('button', { name: 'Replay' }).waitFor()
    const link = pane.getByRole('link', { name: 'Open in Data' })
    t.equal(await link.count(), 0, 'the inputs cannot show plain parameters')
    await rows.nth(0).getByRole('link').click()
    await link.click()
    const account = page.getByRole('combobox', { name: 'Seen as account' })
    await page.getByText('No item matches.').waitFor()
    await waitFor(async () => (await account.inputValue()) === 'lab')
    t.equal(await page.getByLabel('sort', { exact: true }).innerText(), '{"name":-1}')
    t.equal(await page.getByLabel('Items a page').inputValue(), '100')

    const find = (matches: (item: Record<string, unknown>) => boolean): string =>
      String(
        app.store.collections
          .get('materials')
          ?.shareEntries()
          .map(({ item }) => item)
          .find(matches)?._id,
      )
    const whyNot = pane.getByRole('region', { name: 'why it is not in the list' })
    await page.getByLabel('An item is missing?').fill(find(({ formula }) => formula === 'Al2O3'))
    await page.getByRole('button', { name: 'Explain' }).click()
    await whyNot.filter({ hasText: 'lattice.type $eq "HEX": no (lattice.type is "RHL")' }).waitFor()
    t.same(await findBarriers(page), [])
    await editText(page, 'query', '{"formula": "Al2O3"}')
    await page.locator('table.items tbody tr').first().waitFor()
    await whyNot.waitFor({ state: 'detached' })

    await page.getByLabel('An item is missing?').fill(find(({ formula }) => formula === 'GaAs'))
    await page.keyboard.press('Enter')
    await whyNot.filter({ hasText: 'hidden from lab by its owner demo' }).waitFor()
    await editText(page, 'query', '{"formula": "Xx"}')
    await page.getByRole('link', { name: 'Show all' }).click()
    await page.locator('table.items tbody tr').nth(20).waitFor()

    // What the page shows comes later than its address.
    while (!page.url().includes('view=requests')) await page.goBack()
    await page.locator('table.requests').waitFor()
    await waitFor(async () => (await account.inputValue()) === 'demo')

    const made = (): readonly unknown[] =>
      app.store
        .getCollection('materials')
        .shareEntries()
        .filter(({ item }) => item.name === 'made')
        .map(({ item }) => item.owner)
    const body = new URLSearchParams({ username: 'lab', password: 'lab' })
    await fetch(`${origin}${BASE}/login`, { method: 'POST', body })
    await fetch(`${origin}${BASE}/materials/create`, {
      method: 'PUT',
      body: '{"name": "made"}',
      headers: { ...headers, 'content-type': 'application/json' },
    })
    await rows.filter({ hasText: '/login' }).first().getByRole('link').click()
    await pane.getByRole('button', { name: 'Replay' }).click()
    const masked = page.locator('.toast.error', { hasText: 'its body has a secret' })
    await masked.getByRole('button', { name: 'Dismiss' }).click()
    await masked.waitFor({ state: 'detached' })
    await pane.getByRole('button', { name: 'Copy as curl' }).click()
    await masked.waitFor()
    await rows.filter({ hasText: '/create' }).first().getByRole('link').click()
    await pane.getByRole('heading', { name: /create$/ }).waitFor()
    await pane.getByRole('button', { name: 'Replay' }).click()
    await waitFor(() => made().length === 2)
    t.same(made()[1], made()[0], 'it is replayed with its body, as its account')
    t.same(errors, [])
  },
)

t.test(
  'a thousand requests a second arrive whole, and the page stays usable',
  { skip },
  async (t) => {
    const { app, open } = await servePage(t)
    const { page, errors } = await open('/?view=requests')
    await page.locator('.live.on').waitFor()
    await page.evaluate(`
    window.drawings = 0
    new MutationObserver(() => window.drawings++).observe(document.querySelector('tbody, .table-scroll'), { childList: true, subtree: true })
  `)
    const rows = page.locator('table.requests tbody tr')
    const count = 1000
    const start = Date.now()
    for (let sent = 0; sent < count; sent += 20) {
      const burst = Array.from({ length: 20 }, (_, index) =>
        app.inject(`${BASE}/materials/x${sent + index}`),
      )
      await Promise.all(burst)
      if (sent === count / 2) {
        await rows.first().waitFor()
        await page.getByRole('button', { name: 'Pause' }).click()
      }
    }
    t.notMatch(await rows.first().textContent(), /x999/, 'a paused list stays')
    await page.getByRole('button', { name: 'Go on' }).click()
    await rows
      .first()
      .filter({ hasText: /x9\d\d/ })
      .waitFor()
    const seconds = (Date.now() - start) / 1000
    const drawings = Number(await page.evaluate('window.drawings'))
    t.ok(drawings <= 10 * seconds + 5, `${drawings} drawings in ${seconds} s`)
    for (let more = 0; more < 4; more++)
      await page.getByRole('button', { name: 'Show older' }).click()
    const recorded: string[] = []
    for (const first of [0, 500]) {
      const url = `/__admin/requests?projection={"skip":${first},"limit":500}`
      const { data } = (await app.inject(url)).json<{ data: { path: string; status: number }[] }>()
      for (const { path, status } of data) recorded.push(`${path.replace(BASE, '')} ${status}`)
    }
    t.equal(new Set(recorded).size, count)
    const readRows = async (): Promise<string[]> => {
      const paths = await rows.locator('a').allTextContents()
      const statuses = await rows.locator('td.numeric:nth-child(4)').allTextContents()
      return paths.map((path, index) => `${path.replace('GET ', '')} ${statuses[index]}`)
    }
    await waitFor(async () => (await readRows()).join() === recorded.join()).catch(() => undefined)
    t.same(await readRows(), recorded, 'the list is the journal: nothing is lost or doubled')
    t.same(errors, [])
  },
)

t.test('a rule is made of fields, with the words of the server at each', { skip }, async (t) => {
  const { app, open } = await servePage(t)
  const { page, errors } = await open('/?view=controls')
  const form = page.getByRole('form', { name: 'A rule' })
  const field = (name: string): Locator => form.getByLabel(name, { exact: true })
  const submit = form.getByRole('button', { name: 'Add rule' })
  await submit.click()
  await form.getByRole('status').getByText('a fault must have one of').waitFor()
  await field('Status').fill('199')
  await field('Delay, ms').fill('soon')
  await field('Path').fill('/api/*/matirials')
  await form.getByText('More fields').click()
  await field('Bytes a second').fill('0')
  await form.getByText('More fields').click()
  await submit.click()
  for (const [name, words] of [
    ['status', 'status must be an integer from 200 to 599, not 199'],
    ['delay', 'delay must be an integer from 0 to 60000 or an object with min and max, not "soon"'],
    ['bandwidth', 'bandwidth must be an integer'],
  ] as const)
    await form.locator(`#fault-${name}-error`, { hasText: words }).waitFor()
  t.equal(await field('Status').getAttribute('aria-invalid'), 'true')
  t.equal(await field('Path').getAttribute('aria-invalid'), 'false')
  t.equal(await page.evaluate('document.activeElement.name'), 'status', 'the first that is wrong')
  t.same(await findBarriers(page), [])
  await field('Status').fill('503')
  await field('Delay, ms').fill('5-10')
  await field('Bytes a second').fill('')
  await submit.click()
  await form.locator('#fault-path-error', { hasText: 'the closest one is' }).waitFor()
  t.equal(await page.evaluate('document.activeElement.name'), 'path')
  await field('Path').fill('/api/*/materials')
  await field('Method').selectOption('GET')
  await field('Probability').fill('0.5')
  await field('Count').fill('3')
  await field('Name').fill('12')
  await field('Account').selectOption({ label: 'lab' })
  await submit.click()
  await page.locator('.fault-line', { hasText: '12' }).waitFor()
  t.match(app.controls.faults.list(), [
    {
      name: '12',
      method: 'GET',
      path: '/api/*/materials',
      status: 503,
      delay: { min: 5, max: 10 },
      probability: 0.5,
      times: 3,
      accountId: /\w/,
    },
  ])
  t.equal(await field('Status').inputValue(), '', 'the fields are empty for the next rule')

  app.controls.faults.clear()
  const dialog = page.getByRole('dialog', { name: 'Edit as JSON' })
  const editor = dialog.getByLabel('JSON of the rule')
  await form.getByRole('button', { name: 'Edit as JSON' }).click()
  t.match(await editor.textContent(), '"path": "/api/*/materials"', 'an example')
  t.equal(
    await dialog.getByRole('link', { name: 'All fields' }).getAttribute('href'),
    'explorer?document=controls#/controls/faults-add',
  )
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await field('Status').fill('199')
  await field('Delay, ms').fill('5-10')
  await form.getByRole('button', { name: 'Edit as JSON' }).click()
  t.match(await editor.textContent(), '"status": 199,  "delay": { "min": 5, "max": 10 }')
  await dialog.getByRole('button', { name: 'Add rule' }).click()
  await dialog.getByRole('alert').getByText('status must be an integer from 200').waitFor()
  await editText(page, 'JSON of the rule', '{"path": "/api/*/materials", "status": 503}')
  await dialog.getByRole('button', { name: 'Add rule' }).click()
  await page.getByRole('button', { name: /^Remove rule/ }).waitFor()
  t.match(app.controls.faults.list(), [{ path: '/api/*/materials', status: 503, delay: undefined }])
  t.equal(await field('Status').inputValue(), '', 'the fields are empty again')
  t.same(errors, [])
})

t.test('a sandbox is chosen, created and ended', { skip }, async (t) => {
  const { app, origin, open } = await servePage(t)
  await fetch(`${origin}/__admin/sandboxes/ann`, { method: 'PUT' })
  const { page, requests, errors } = await open('/?view=controls')
  const count = (path: string): number => requests.filter((url) => url.endsWith(path)).length
  const card = page.locator('.card', { has: page.getByRole('heading', { name: 'Sandbox' }) })
  const line = page.locator('.sandbox-line')
  const focused = (): Promise<unknown> => page.evaluate('document.activeElement.textContent')
  t.equal(await line.count(), 0)
  await card.getByRole('button', { name: 'ann', exact: true }).click()
  await page.getByRole('heading', { name: 'Controls of sandbox ann' }).waitFor()
  await waitFor(async () => (await focused()) === 'ann')
  t.match(page.url(), /sandbox=ann/)
  await page.getByRole('switch', { name: 'Errors' }).click()
  await page.locator('.fault-line', { hasText: 'errors' }).waitFor()
  t.equal(app.controls.faults.isEmpty, true, 'the rule is one of the sandbox')
  await page.reload()
  await page.locator('.fault-line', { hasText: 'errors' }).waitFor()
  await page.getByRole('link', { name: 'Data' }).click()
  await page.locator('tbody tr').first().getByRole('link').click()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.locator('.pager .numbers', { hasText: 'of 54' }).waitFor()
  t.same(await findBarriers(page), [])
  const undo = page.getByRole('button', { name: 'Undo' })
  await undo.waitFor()
  await line.getByRole('link', { name: 'Leave sandbox' }).click()
  await page.locator('.pager .numbers', { hasText: 'of 55' }).waitFor()
  t.equal(await undo.count(), 0, 'nothing of a sandbox is undone elsewhere')
  await page.goBack()
  await page.locator('.pager .numbers', { hasText: 'of 54' }).waitFor()
  t.equal(await undo.count(), 1)
  await fetch(`${origin}/sandboxes/ann${BASE}/materials?query={"formula":"Si"}`, {
    headers: { 'X-Account-Id': 'oEb32zJWy27miFESb', 'X-Auth-Token': 'demo-preferences-token' },
  })
  await page.getByRole('link', { name: 'Requests' }).click()
  await page.locator('table.requests tbody a').first().click()
  await page.getByRole('button', { name: 'Copy as curl' }).click()
  const inSandbox = `${origin}/sandboxes/ann${BASE}/materials`
  t.match(
    await page.evaluate('navigator.clipboard.readText()'),
    `curl -sg '${inSandbox}?query={%22formula%22:%22Si%22}'`,
  )
  await page.getByRole('button', { name: 'Replay' }).click()
  await page.locator('table.requests tbody tr').nth(1).waitFor()
  await page.getByRole('link', { name: 'Open in Data' }).click()
  await page.getByLabel('query', { exact: true }).waitFor()
  t.match(page.url(), /sandbox=ann/, 'a request of a sandbox is opened in it')
  await page.getByRole('region', { name: 'the request as curl' }).getByText(inSandbox).waitFor()
  await page.goto(`${origin}/?sandbox=ann`)

  await page.getByRole('link', { name: 'Controls' }).click()
  const name = card.getByLabel('Name of the sandbox')
  for (const wrong of ['', 'a b', '.', '..', 'x'.repeat(101)]) {
    await name.fill(wrong)
    t.equal(await card.locator('input:invalid').count(), 1, wrong)
  }
  await name.fill('ann')
  await card.getByRole('button', { name: 'Create', exact: true }).click()
  await card.getByText('there is a sandbox ann already').waitFor()
  await name.fill('bob')
  await card.getByRole('button', { name: 'Create', exact: true }).click()
  await page.getByRole('heading', { name: 'Controls of sandbox bob' }).waitFor()
  await page.locator('.fault-line').waitFor({ state: 'hidden' })
  for (const width of [390, 1024, 1600]) {
    await page.setViewportSize({ width, height: 900 })
    const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
    t.equal(overflow, 0, `all fits ${width} px`)
  }
  await card.getByRole('button', { name: 'End ann' }).click()
  await card.getByRole('button', { name: 'ann', exact: true }).waitFor({ state: 'hidden' })

  await fetch(`${origin}/__admin/sandboxes/bob`, { method: 'DELETE' })
  await line.getByText('There is no sandbox bob').waitFor()
  t.equal(await page.getByText('The server does not answer').count(), 0)
  await waitFor(() => count('/sandboxes/bob/__admin/health') > 1)
  t.equal(count('/sandboxes/bob/__admin/events'), 1)
  await line.getByRole('button', { name: 'Create it' }).click()
  await line.getByText('There is no').waitFor({ state: 'hidden' })
  await waitFor(() => count('/sandboxes/bob/__admin/events') === 2)
  await page.getByRole('link', { name: 'Data' }).click()
  await page.locator('.pager .numbers', { hasText: 'of 55' }).waitFor()
  await card.waitFor({ state: 'hidden' })
  await page.getByRole('link', { name: 'Controls' }).click()
  await card.getByRole('button', { name: 'End bob' }).click()
  await page.getByRole('heading', { name: 'Controls of the server' }).waitFor()
  await waitFor(async () => (await focused()) === 'The server itself')
  t.same(errors, [])

  const gone = await open('/?sandbox=carl')
  await gone.page.locator('.sandbox-line', { hasText: 'There is no sandbox carl' }).waitFor()
  t.same(await findBarriers(gone.page), [])
  await gone.page.getByRole('button', { name: 'Create it' }).click()
  await gone.page.locator('tbody tr').first().waitFor()
  const outside = await open('/?sandbox=..')
  await outside.page.locator('tbody tr').first().waitFor()
  t.equal(await outside.page.locator('.sandbox-line').count(), 0, 'the path of the server')
})

t.test('faults, snapshots and the reset are switched', { skip }, async (t) => {
  const { app, origin, open } = await servePage(t)
  const { page, errors } = await open('/?view=controls', { dark: true })
  const line = page.locator('.fault-line')
  const status = async (): Promise<number> =>
    (
      await fetch(`${origin}${BASE}/materials`, {
        headers: { 'X-Account-Id': 'oEb32zJWy27miFESb', 'X-Auth-Token': 'demo-preferences-token' },
      })
    ).status
  for (const [name, expected] of [
    ['Errors', 500],
    ['Rate limit', 429],
    ['Session ends', 401],
  ] as const) {
    const button = page.getByRole('switch', { name })
    await button.click()
    await line.filter({ hasText: name.toLowerCase() }).waitFor()
    t.equal(await status(), expected, name)
    if (name === 'Errors') t.same(await findBarriers(page), [])
    await button.click()
    await line.waitFor({ state: 'hidden' })
  }
  await page.getByRole('switch', { name: 'Broken connection' }).click()
  await line.waitFor()
  await t.rejects((async () => (await fetch(`${origin}${BASE}/materials`)).text())())
  await line.getByRole('button', { name: 'Turn off' }).click()
  await line.waitFor({ state: 'hidden' })
  await page.getByRole('switch', { name: 'Slow' }).click()
  await waitFor(() => !app.controls.faults.isEmpty)
  t.match(app.controls.faults.list(), [{ name: 'slow', delay: { min: 1000, max: 3000 } }])
  await page.getByRole('switch', { name: 'Slow' }).click()
  await line.waitFor({ state: 'hidden' })
  const place = await page.getByRole('switch', { name: 'Slow' }).boundingBox()
  await page.mouse.click(Number(place?.x) + 5, Number(place?.y) + 5)
  await line.waitFor()
  t.same(await page.getByRole('switch', { name: 'Slow' }).boundingBox(), place, 'it stays there')
  await page.mouse.click(Number(place?.x) + 5, Number(place?.y) + 5)
  await line.waitFor({ state: 'hidden' })
  await page.getByRole('switch', { name: 'Slow' }).dblclick()
  await page.getByRole('switch', { name: 'Errors' }).click()
  await line.filter({ hasText: 'errors' }).waitFor()
  t.match(app.controls.faults.list(), [{ name: 'errors' }], 'a double click turns on and off')
  app.controls.faults.clear()
  await line.waitFor({ state: 'hidden' })

  await page.getByRole('button', { name: 'Take' }).click()
  const snapshot = page.locator('li', { hasText: 'snapshot-1' })
  const count = [...app.store.collections.values()].reduce((sum, { size }) => sum + size, 0)
  await snapshot.getByText(` UTC, ${count} items`).waitFor()
  const proposed = page.getByLabel('Name of the snapshot')
  t.equal(await proposed.inputValue(), 'snapshot-2')
  await proposed.fill('snapshot-1')
  await page.getByRole('button', { name: 'Take' }).click()
  await page
    .locator('.toast.error', { hasText: 'there is a snapshot snapshot-1 already' })
    .waitFor()
  app.store.snapshots.take('snapshot-3')
  await waitFor(async () => (await proposed.inputValue()) === 'snapshot-2') // the first free one
  const materials = app.store.collections.get('materials')
  const before = materials?.size
  await fetch(`${origin}/__admin/fixtures/materials`, {
    method: 'PUT',
    body: '[]',
    headers: { 'content-type': 'application/json' },
  })
  await page.getByRole('button', { name: 'Go back to snapshot-1' }).click()
  await waitFor(() => app.store.collections.get('materials')?.size === before)
  const [first] = app.store.getCollection('materials').entries
  if (first !== undefined) app.store.getCollection('materials').remove(first)
  const undo = page
    .locator('.toast', { hasText: /^The server is as it was loaded/ })
    .getByRole('button', { name: 'Undo' })
  const resetTo = async (toasts: number): Promise<void> => {
    await page.getByRole('button', { name: 'Reset the server' }).click()
    await undo.nth(toasts - 1).waitFor()
  }
  for (const toasts of [1, 2]) await resetTo(toasts)
  await undo.last().click()
  await waitFor(() => app.store.getCollection('materials').size === Number(before) - 1)
  for (const toasts of [2, 3, 4, 5]) await resetTo(toasts)
  const kept = app.store.snapshots.list().filter(({ name }) => name.startsWith('before-the-reset'))
  t.equal(kept.length, 5, 'a reset takes a snapshot of its own, and the last ones stay')
  await page.getByRole('combobox', { name: 'Seen as account' }).selectOption('lab')
  await page.getByRole('link', { name: 'Data' }).click()
  await page.locator('.pager .numbers', { hasText: /of \d+/ }).waitFor()
  t.match(page.url(), /as=lab/)
  t.equal(await undo.count(), 0, 'nothing of an account is undone by another one')
  t.same(errors, [])
})

t.test(
  'each fault has a word, and a list opens in the table as it was sent',
  { skip },
  async (t) => {
    const { app, origin, open } = await servePage(t)
    const headers = await logIn(app, 'demo', 'demo')
    const { page } = await open('/?view=requests')
    await page.locator('.live.on').waitFor()
    for (const [outcome, word] of [
      [{ headers: { 'X-Trace': '1' } }, 'X-Trace'],
      [{ delay: 5 }, '+5 ms'],
      [{ bandwidth: 900_000 }, '900000 bytes/s'],
      [{ preset: 'bad-gateway' }, '502'],
      [{ patch: { $set: { status: 'x' } } }, 'changed'],
    ] as const) {
      app.controls.faults.add({ times: 1, ...outcome } as never)
      await fetch(`${origin}${BASE}/projects`, { headers })
      await page.locator('.requests tbody .badge').first().filter({ hasText: word }).waitFor()
      t.notMatch(await page.locator('body').innerText(), /undefined|NaN|\[object/, word)
    }
    await page.reload()
    await page.locator('.requests tbody .badge', { hasText: '+5 ms' }).waitFor()
    const openLast = async (): Promise<void> => {
      await visitAddress(page, '/?view=requests')
      await page
        .locator('table.requests tbody tr')
        .nth(app.controls.journal.size - 1)
        .waitFor()
      await page.locator('table.requests tbody a').first().click()
    }
    for (const [projection, range] of [
      [{ limit: 20, skip: 10, sort: { name: 1 } }, '11–30 of 55'],
      [{ limit: 7, skip: 3 }, '4–10 of 55'],
      [{ skip: 50 }, '51–55 of 55'],
      [{ limit: 100 }, '1–55 of 55'],
    ] as const) {
      const query = new URLSearchParams({ projection: JSON.stringify(projection) })
      const answer = await fetch(`${origin}${BASE}/materials?${query}`, { headers })
      const { data } = (await answer.json()) as { data: { name: string }[] }
      await openLast()
      await page.getByRole('link', { name: 'Open in Data' }).click()
      await page.locator('.pager .numbers', { hasText: range }).waitFor()
      const names = page.locator('table.items tbody td:nth-child(3)')
      t.same(
        await names.allTextContents(),
        data.map(({ name }) => name),
        range,
      )
    }
    const far = new URLSearchParams({ projection: '{"limit": 1, "skip": 10000000}' })
    await fetch(`${origin}${BASE}/materials?${far}`, { headers })
    await openLast()
    await page.getByRole('button', { name: 'Replay' }).waitFor()
    t.equal(await page.getByRole('link', { name: 'Open in Data' }).count(), 0, 'no such page')
    await visitAddress(page, '/?page=1.5&size=20')
    await page.locator('.pager .numbers', { hasText: '11–30 of 55' }).waitFor()
    t.equal(await page.getByLabel('Items a page').inputValue(), '20')
    await page.getByRole('link', { name: 'Next' }).click()
    await page.locator('.pager .numbers', { hasText: '31–50 of 55' }).waitFor()
    for (const range of ['11–30', '1–20']) {
      await page.getByRole('link', { name: 'Previous' }).click()
      await page.locator('.pager .numbers', { hasText: `${range} of 55` }).waitFor()
    }
  },
)
