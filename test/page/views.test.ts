import { readFileSync } from 'node:fs'

import type { Locator } from 'playwright-core'
import t from 'tap'

import { skipReason } from '../helpers/browser.js'
import { BASE, waitFor } from '../helpers/build.js'
import { editText, findBarriers, servePage, visitAddress } from './open-page.js'

const skip = skipReason()

const readShipped = (name: string): { readonly _id: string; readonly formula?: string }[] =>
  JSON.parse(readFileSync(new URL(`../../fixtures/${name}.json`, import.meta.url), 'utf8'))

/** Few of the shipped items, so that axe-core has few elements to look at. */
const FIXTURES = {
  accounts: readShipped('accounts'),
  materials: readShipped('materials').filter(({ formula }) =>
    /^(Si|Al2O3|GaAs)$/.test(formula ?? ''),
  ),
  jobs: readShipped('jobs'),
  properties: readShipped('properties'),
  workflows: readShipped('workflows'),
}
const [SAPPHIRE = ''] = FIXTURES.materials
  .filter(({ formula }) => formula === 'Al2O3')
  .map(({ _id }) => _id)
const CREDENTIALS = {
  'X-Account-Id': 'oEb32zJWy27miFESb',
  'X-Auth-Token': 'demo-preferences-token',
}

/** How each view is looked at: axe-core looks once at each theme, at a narrow and at a wide page. */
const LOOKS: readonly [width: number, theme?: 'light' | 'dark'][] = [
  [320, 'light'],
  [768],
  [1440, 'dark'],
  [2560],
]

/**
 * What is wrong with the layout of a page: how much wider than the window it is, the labels of the inputs for
 * names and JSON whose spelling the browser would check, the messages that are stretched to the height of a
 * view, and the tables that have no room for rows.
 */
const FIND_FAULTS = `({
  overflow: Math.max(0, document.documentElement.scrollWidth - innerWidth),
  spellChecked: [...document.querySelectorAll('input[autocomplete=off], input.mono')]
    .filter((each) => each.spellcheck).map((each) => each.ariaLabel ?? each.name),
  stretched: [...document.querySelectorAll('.notice')]
    .filter((each) => each.offsetHeight > innerHeight / 2).map((each) => each.textContent),
  squeezed: [...document.querySelectorAll('.table-scroll')]
    .filter((each) => each.checkVisibility() && each.clientHeight < 150).map((each) => each.ariaLabel),
})`

const NO_FAULTS = { overflow: 0, spellChecked: [], stretched: [], squeezed: [] }

const json = (value: unknown): string => encodeURIComponent(JSON.stringify(value))

t.test(
  'axe-core finds nothing in any view, theme and width, and each view fits its width',
  { skip },
  async (t) => {
    const { app, origin, open } = await servePage(t, { fixtures: FIXTURES })
    const { page, errors } = await open()
    const pane = page.locator('.item-pane')
    const request = (path: string): Promise<unknown> =>
      fetch(origin + BASE + path, { headers: CREDENTIALS })
    const expectGood = async (name: string): Promise<void> => {
      for (const [width, colorScheme] of LOOKS) {
        await page.setViewportSize({ width, height: 800 })
        if (colorScheme !== undefined) {
          await page.emulateMedia({ colorScheme })
          t.same(await findBarriers(page), [], `${name}, ${colorScheme}, ${width} px`)
        }
        t.same(await page.evaluate(FIND_FAULTS), NO_FAULTS, `${name}, ${width} px`)
      }
    }
    const views: [name: string, address: string, ready: Locator | (() => Promise<unknown>)][] = [
      ['the table', '/', page.locator('tbody tr').first()],
      [
        'a structure',
        `/?item=${SAPPHIRE}&structure=${json({ labels: true })}`,
        page.getByText('30 atoms, 72 bonds'),
      ],
      [
        'JSON',
        `/?item=${SAPPHIRE}&tab=JSON`,
        () => pane.getByRole('button', { name: /^lattice/ }).click(),
      ],
      [
        'the JSON dialog',
        `/?item=${SAPPHIRE}`,
        async () => {
          await pane.getByRole('button', { name: 'Edit' }).click()
          await editText(page, 'JSON of the item', '{"a')
          await page.getByRole('button', { name: 'Save' }).click()
          await page.getByRole('dialog').getByRole('alert').waitFor()
        },
      ],
      [
        'a wrong query',
        `/?panel=query&query=${json({ formula: { $gtx: 1 } })}`,
        page.locator('.cm-lintRange-error'),
      ],
      [
        'completions',
        '/?panel=query&code=Python',
        async () => {
          await editText(page, 'query', '{"lattice.t')
          await page.getByRole('option', { name: 'lattice.type' }).waitFor()
          await page.waitForURL(/lattice\.t/) // what is typed takes effect, before the next address
        },
      ],
      ['no match', '/?search=nothing', page.getByText('No item matches')],
      ['a wrong search', `/?query=${json({ $where: '1' })}`, page.getByRole('alert')],
      ['a dialog', '/', () => page.getByRole('button', { name: /^New / }).click()],
      ['an item that is gone', '/?item=nothing', pane.getByRole('alert')],
      ['no such resource', '/?resource=nothing', page.getByText('There is no resource')],
      [
        'a job',
        '/?resource=jobs&item=9gyhfncWDhnSyzALv',
        pane.getByRole('link', { name: 'total_energy' }),
      ],
      [
        'a property',
        '/?resource=properties&item=tSA5pu3uGae2ecRXW',
        pane.getByText('Unit of the job'),
      ],
      [
        'a workflow',
        '/?resource=workflows&item=CoQLhMNRXhKCXRh7k',
        pane.getByText('check convergence').first(),
      ],
      [
        'something deleted',
        `/?item=${SAPPHIRE}`,
        async () => {
          // Until the item is there, the pane has the buttons of the former one.
          await pane.getByText('30 atoms, 72 bonds').waitFor()
          await pane.getByRole('button', { name: 'Delete' }).click()
          await pane.getByText('30 atoms, 72 bonds').waitFor({ state: 'detached' })
          await page.getByRole('button', { name: 'Undo' }).click()
          await pane.getByText('30 atoms, 72 bonds').waitFor()
          await pane.getByRole('button', { name: 'Delete' }).click()
          await page.getByRole('button', { name: 'Undo' }).waitFor()
        },
      ],
      ['no requests', '/?view=requests', page.getByText('No request yet')],
      [
        'requests',
        '/?view=requests',
        async () => {
          await request('/materials?query={"formula":"Si"}')
          app.controls.faults.add({ name: 'errors', status: 500, times: 1 })
          await request('/materials')
          await request('/materials/nothing')
          await page.locator('.badge').waitFor()
        },
      ],
      ['an opened request', '/?view=requests&request=000000000001', pane.locator('pre').first()],
      [
        'its request',
        '/?view=requests&request=000000000001&part=Request&paused=000000000003',
        pane.getByText('x-account-id'),
      ],
      [
        'a wrong filter',
        `/?view=requests&filter=${json({ $gtx: 1 })}`,
        page.locator('.cm-lintRange-error'),
      ],
      [
        'the controls',
        '/?view=controls',
        async () => {
          await page.getByRole('switch', { name: 'Rate limit' }).click()
          await page.getByRole('button', { name: 'Take' }).click()
          await page.locator('.toast', { hasText: 'Took' }).waitFor()
          await page.locator('.fault-line').waitFor()
        },
      ],
      [
        'a rule as JSON',
        '/?view=controls',
        async () => {
          await page.getByLabel('Status', { exact: true }).fill('199')
          await page.getByRole('button', { name: 'Edit as JSON' }).click()
          const dialog = page.getByRole('dialog')
          await dialog.getByRole('button', { name: 'Add rule' }).click()
          await dialog.getByRole('alert').waitFor()
        },
      ],
    ]
    for (const [name, address, ready] of views) {
      await page.setViewportSize({ width: 1280, height: 800 })
      await visitAddress(page, address)
      await (typeof ready === 'function' ? ready() : ready.waitFor())
      await expectGood(name)
      await page.keyboard.press('Escape')
      if (name === 'the JSON dialog') await page.getByRole('button', { name: 'Discard' }).click()
    }
    t.same(errors, [], 'nothing is written to the console')
  },
)

/** The name of the element that has the focus: its label, its legend or its text. */
const FOCUSED = `(() => {
  const { activeElement } = document
  const element = activeElement.shadowRoot?.activeElement ?? activeElement
  const label = element.labels?.[0]?.textContent
  return element.getAttribute('aria-label') ?? label ?? element.textContent
})()`

t.test('everything is done by keyboard alone, and the focus stays', { skip }, async (t) => {
  const { app, origin, open } = await servePage(t, { fixtures: FIXTURES })
  const { page, errors } = await open('/', { draws: true })
  const { keyboard } = page
  const pane = page.locator('.item-pane')
  const isFocused = async (name: string): Promise<boolean> =>
    String(await page.evaluate(FOCUSED)).startsWith(name)
  const expectFocus = async (name: string): Promise<void> => {
    await waitFor(() => isFocused(name)).catch(() => undefined)
    t.match(await page.evaluate(FOCUSED), new RegExp(`^${name}`), `${name} has the focus`)
  }
  /** Goes forward, or with Shift backward, to what has the name. */
  const tabTo = async (name: string, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> => {
    for (let presses = 0; presses < 60 && !(await isFocused(name)); presses++)
      await keyboard.press(key)
    t.ok(await isFocused(name), `${name} is reached`)
  }
  const materials = (): string =>
    JSON.stringify(
      app.store.collections
        .get('materials')
        ?.shareEntries()
        .map(({ item }) => item),
    )

  await page.locator('tbody tr').first().waitFor()
  await tabTo('Skip to the content')
  await keyboard.press('Enter')
  await tabTo('Search materials')
  await keyboard.type('O3Al2')
  await page.locator('.pager .numbers', { hasText: '1–1 of 1' }).waitFor()
  await tabTo('Al2O3')
  await keyboard.press('Enter')
  await expectFocus('The open item')
  await pane.getByText('30 atoms, 72 bonds').waitFor()
  await tabTo('Structure, 30 atoms')
  const canvas = page.locator('.viewer-canvas')
  const before = await canvas.screenshot()
  await keyboard.press('ArrowLeft')
  await waitFor(async () => !(await canvas.screenshot()).equals(before))
  await tabTo('Cells along a')
  await keyboard.press('3')
  await page.getByText('in 3 × 1 × 1 cells').waitFor()
  await tabTo('Structure', 'Shift+Tab')
  // From the picture to the panel, to its tab, and to the last tab.
  for (const key of ['Shift+Tab', 'Shift+Tab', 'ArrowLeft']) await keyboard.press(key)
  await expectFocus('Text')
  await keyboard.press('ArrowRight')
  await expectFocus('Structure')

  await tabTo('Edit', 'Shift+Tab')
  await keyboard.press('Enter')
  await expectFocus('JSON of the item')
  t.equal(await page.evaluate('getSelection().toString()'), '', 'a key replaces nothing')
  await keyboard.press('Escape')
  await expectFocus('Edit')
  await keyboard.press('Enter')
  await expectFocus('JSON of the item')
  await keyboard.press('Control+A')
  await keyboard.insertText(
    JSON.stringify({ ...FIXTURES.materials.find(({ _id }) => _id === SAPPHIRE), name: 'Ruby' }),
  )
  await tabTo('Save')
  await keyboard.press('Enter')
  await pane.getByText('Ruby').waitFor()
  await expectFocus('Edit')

  const all = materials()
  await tabTo('Delete')
  await keyboard.press('Enter')
  await pane.waitFor({ state: 'hidden' })
  await expectFocus('Undo')
  await keyboard.press('Enter')
  await pane.getByText('Ruby').waitFor()
  t.equal(materials(), all, 'the item is back in its place')
  await waitFor(
    async () => (await pane.evaluate('document.activeElement.className')) === 'item-pane',
  )
  await keyboard.press('Escape')
  await pane.waitFor({ state: 'hidden' })
  await expectFocus('Al2O3')

  await fetch(`${origin}${BASE}/materials?query={"formula":"Si"}`, { headers: CREDENTIALS })
  await tabTo('Requests', 'Shift+Tab')
  await keyboard.press('Enter')
  await page.locator('table.requests tbody tr').first().waitFor()
  await tabTo('GET')
  await keyboard.press('Enter')
  await pane.locator('pre').first().waitFor()
  await tabTo('Response')
  await keyboard.press('ArrowRight')
  await pane.getByText('x-account-id').waitFor()
  await keyboard.press('Escape')
  await pane.waitFor({ state: 'hidden' })
  await expectFocus('GET')

  await tabTo('Controls', 'Shift+Tab')
  await keyboard.press('Enter')
  const line = page.locator('.fault-line')
  await page.getByText('Rate limit').first().waitFor()
  await tabTo('Rate limit')
  await keyboard.press('Space')
  await line.filter({ hasText: 'rate limit' }).waitFor()
  await expectFocus('Rate limit')
  await tabTo('Remove rule')
  await keyboard.press('Enter')
  await line.waitFor({ state: 'hidden' })
  await expectFocus('Add rule')
  await tabTo('Take')
  await keyboard.press('Enter')
  await page.getByText('snapshot-1', { exact: true }).waitFor()
  await fetch(`${origin}/__admin/fixtures/materials`, {
    method: 'PUT',
    body: '[]',
    headers: { 'content-type': 'application/json' },
  })
  await tabTo('Go back to snapshot-1')
  await keyboard.press('Enter')
  await waitFor(() => materials() === all)
  await tabTo('Delete snapshot-1')
  await keyboard.press('Enter')
  await page.getByText('snapshot-1', { exact: true }).waitFor({ state: 'hidden' })
  t.not(await page.evaluate('document.activeElement.tagName'), 'BODY')
  t.same(errors, [])
})

t.test('keys go through lists, and a palette goes everywhere', { skip }, async (t) => {
  const { app, origin, open } = await servePage(t, { fixtures: FIXTURES })
  const { page, errors } = await open()
  const { keyboard } = page
  const focused = async (): Promise<string> => String(await page.evaluate(FOCUSED))
  const dialog = page.getByRole('dialog')
  const option = (name: string): Locator => dialog.getByRole('option', { name })

  await page.locator('tbody tr').nth(1).waitFor()
  for (const [key, index] of [
    ['j', 0],
    ['j', 1],
    ['k', 0],
    ['k', 0],
    ['ArrowDown', 1],
    ['ArrowUp', 0],
    ['Control+j', 0],
    ['Alt+j', 0],
    ['Meta+j', 0],
  ] as const) {
    await keyboard.press(key)
    t.equal(await focused(), await page.locator('tbody tr a').nth(index).textContent(), key)
  }
  await page.locator('.resources a', { hasText: /^materials/ }).focus()
  await keyboard.press('j')
  t.match(await focused(), /^jobs/)
  await keyboard.press('/')
  t.equal(await focused(), 'Search materials')
  await keyboard.type('jk?')
  t.equal(await page.getByRole('searchbox').inputValue(), 'jk?', 'a text takes all keys')
  await page.getByRole('searchbox').fill('')

  await page.locator('tbody tr a').first().focus()
  await keyboard.press('?')
  await dialog.getByText('Go to the next row').waitFor()
  await keyboard.press('Control+k')
  t.ok(await dialog.getByText('Go to the next row').isVisible(), 'a dialog passes no key on')
  t.same(await findBarriers(page), [])
  await keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  t.equal(await focused(), await page.locator('tbody tr a').first().textContent())

  await keyboard.press('Control+k')
  await option('properties').first().waitFor()
  await keyboard.press('ArrowUp')
  const last = dialog.getByRole('option').last()
  await last.and(dialog.getByRole('option', { selected: true })).waitFor()
  const [inner, outer] = await Promise.all(
    [last, dialog.getByRole('listbox')].map((each) => each.boundingBox()),
  )
  t.ok(Number(inner?.y) < Number(outer?.y) + Number(outer?.height), 'the last entry is in view')
  await keyboard.type('prop')
  await option('properties').first().waitFor()
  t.same(await findBarriers(page), [])
  await keyboard.press('Enter')
  await page.waitForURL(/resource=properties/)
  await waitFor(async () => (await page.title()) === 'properties – materials-mock')
  await waitFor(async () => (await page.evaluate('document.activeElement.tagName')) === 'MAIN')

  await keyboard.press('Control+k')
  await keyboard.insertText('Al2O3')
  await keyboard.press('Enter') // before it is found
  await page.locator('.item-pane', { hasText: 'Sapphire' }).waitFor()
  t.match(page.url(), SAPPHIRE)
  await waitFor(async () => (await focused()) === 'The open item')

  await keyboard.press('Control+k')
  await keyboard.insertText('Al2O3')
  await option('Sapphire').waitFor()
  await page.route('**/materials?*Si*', () => undefined) // it is never answered
  await keyboard.press('Control+a')
  await keyboard.type('Si')
  await page.waitForRequest('**/materials?*Si*')
  t.equal(await option('Sapphire').count(), 0, 'what does not match is gone')
  await keyboard.press('Control+a')
  await keyboard.insertText('Sapphire, R')
  await option('Sapphire').waitFor()
  await page.route('**/materials?*RHL*', () => undefined)
  await keyboard.type('HL')
  await page.waitForRequest('**/materials?*RHL*')
  t.equal(await option('Sapphire').count(), 1, 'what still matches stays')
  await keyboard.type('x')
  await page.waitForRequest('**/materials?*RHLx*')
  t.equal(await dialog.getByText('Nothing is found').count(), 0, 'not before it was asked for')
  for (const each of ['Si', 'RHL']) await page.unroute(`**/materials?*${each}*`)
  await keyboard.press('Escape')

  await page.route('**/jobs?*', (route) => route.fulfill({ body: '<html>' }))
  await keyboard.press('Control+k')
  await keyboard.insertText('Al2O3')
  const failure = dialog.getByRole('alert').filter({ hasText: 'must be JSON' })
  await failure.waitFor()
  t.same(await findBarriers(page), [])
  await page.unroute('**/jobs?*')
  await failure.getByRole('button', { name: 'Try again' }).click()
  await option('Sapphire').waitFor()
  await keyboard.press('Escape')

  await keyboard.press('Control+k')
  await keyboard.insertText('See as')
  await option('See as lab').waitFor()
  t.equal(await option('See as demo').count(), 0, 'it is who sees already')
  await keyboard.press('Escape')

  await keyboard.press('Control+k')
  await keyboard.insertText('nothing of this name')
  await dialog.getByText('Nothing is found').waitFor()
  t.same(await findBarriers(page), [])
  await keyboard.press('Control+a')
  await keyboard.insertText('theme')
  const active = dialog.getByRole('option', { selected: true })
  for (const [key, name] of [
    ['ArrowDown', 'dark'],
    ['ArrowDown', 'light'],
    ['ArrowUp', 'dark'],
  ] as const) {
    await keyboard.press(key)
    await active.filter({ hasText: `Theme: ${name}` }).waitFor()
    const id = await dialog.getByRole('combobox').getAttribute('aria-activedescendant')
    t.equal(id, await active.getAttribute('id'))
  }
  await keyboard.type(':') // at the end, where the keys have left the cursor
  await active.filter({ hasText: 'Theme: light' }).waitFor()
  await keyboard.press('ArrowUp')
  await keyboard.press('Enter')
  const background = (): Promise<unknown> =>
    page.evaluate('getComputedStyle(document.documentElement).backgroundColor')
  t.equal(await background(), 'rgb(17, 20, 24)')
  await page.reload()
  t.equal(await background(), 'rgb(17, 20, 24)', 'a theme is kept')
  await page.goto(`${origin}/explorer`)
  await page.locator('html.dark-mode').waitFor({ state: 'attached' })
  await page.getByRole('link', { name: 'Controls API' }).waitFor()
  await page.setViewportSize({ width: 320, height: 800 })
  t.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'))
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goBack()
  await page.locator('tbody tr').first().waitFor()
  await keyboard.press('Control+k')
  await keyboard.insertText('theme: system')
  await keyboard.press('Enter')
  t.equal(await background(), 'rgb(246, 247, 248)')

  await keyboard.press('Control+k')
  await keyboard.insertText('new item')
  await keyboard.press('Enter')
  await waitFor(async () => (await focused()) === 'POSCAR, CIF or JSON')
  await keyboard.press('Escape')
  app.store.getCollection('materials').insert({ _id: 'made', name: 'made' })
  await keyboard.press('Control+k')
  await keyboard.insertText('reset the server')
  await option('Reset the server').waitFor()
  await keyboard.press('Enter')
  await page.locator('.toast', { hasText: 'as it was loaded' }).waitFor()
  t.notOk(app.store.getCollection('materials').findById('made', () => true))
  await keyboard.press('Control+k')
  await keyboard.insertText('controls')
  await keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Controls' }).waitFor()
  await waitFor(async () => (await page.title()) === 'Controls – materials-mock')
  t.same(await page.locator('[aria-current=page]').allTextContents(), ['Controls'])

  await page.route('**/__admin/sessions', (route) => route.abort())
  const account = page.getByRole('banner').getByLabel('Seen as account')
  await account.selectOption('lab')
  await page.locator('.toast.error').waitFor()
  t.equal(await account.inputValue(), 'demo', 'the account is still this one')
  t.same(
    errors.filter((each) => !each.includes('ERR_FAILED')),
    [],
  )
})

t.test('single keys are switched off where they are explained', { skip }, async (t) => {
  const { open } = await servePage(t, { fixtures: FIXTURES })
  const { page } = await open()
  const { keyboard } = page
  const dialog = page.getByRole('dialog', { name: 'Help' })
  const first = page.locator('tbody tr a').first()
  const choice = dialog.getByRole('checkbox', { name: 'Single keys' })
  await first.waitFor()
  await keyboard.press('?')
  await choice.uncheck()
  t.same(await findBarriers(page), [])
  await keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await page.reload()
  await first.waitFor()
  for (const key of ['j', 'k', '/', '?']) {
    await keyboard.press(key)
    t.equal(await page.evaluate('document.activeElement.tagName'), 'BODY', key)
    t.equal(await dialog.count(), 0, key)
  }
  t.equal(await page.locator('[aria-keyshortcuts]').count(), 0)
  await first.focus()
  await keyboard.press('ArrowDown')
  t.equal(
    await page.evaluate(FOCUSED),
    await page.locator('tbody tr a').nth(1).textContent(),
    'the arrow keys are no single keys',
  )
  await keyboard.press('Control+k')
  await keyboard.insertText('keys')
  await page.getByRole('option', { name: 'Help and keys' }).waitFor()
  await keyboard.press('Enter')
  await choice.check()
  await keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await keyboard.press('/')
  await waitFor(async () => (await page.evaluate(FOCUSED)) === 'Search materials')
})

t.test('an error stays until it is closed, and covers nothing', { skip }, async (t) => {
  const { open } = await servePage(t, { fixtures: FIXTURES })
  const { page } = await open()
  await page.clock.install()
  await page.reload()
  const row = page.locator('tbody tr')
  await row.first().waitFor()
  const copy = page.locator('.toast', { hasText: 'Copied 1' })
  await page
    .getByRole('checkbox', { name: /^Select/ })
    .nth(1)
    .check()
  const press = page.getByRole('button', { name: 'Copy selected' })
  await press.click()
  await copy.waitFor()
  await page.route('**/copy', (route) => route.fulfill({ body: '<html>' }))
  for (let times = 0; times < 3; times += 1) {
    await press.click()
    await page.locator('.toast.error').first().waitFor()
  }
  t.equal(await page.locator('.toast.error').count(), 1, 'the same error is shown once')
  t.same(await findBarriers(page), [])
  for (const width of [320, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    const [toasts, main] = await Promise.all(
      ['.toasts', 'main'].map((each) => page.locator(each).boundingBox()),
    )
    t.ok(Number(toasts?.y) >= Number(main?.y) + Number(main?.height), `at ${width} px`)
    t.equal(Number(toasts?.y) + Number(toasts?.height), 800, `at the bottom at ${width} px`)
  }
  await page.clock.fastForward(100_000)
  await copy.waitFor({ state: 'detached' })
  await page.locator('.toast.error').getByRole('button', { name: 'Dismiss' }).click()
  await page.locator('.toast.error').waitFor({ state: 'detached' })
})
