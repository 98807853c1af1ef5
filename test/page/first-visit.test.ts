import t from 'tap'

import { skipReason } from '../helpers/browser.js'
import { findBarriers, servePage, visitAddress } from './open-page.js'

const skip = skipReason()

t.test('the first screen says what this is, and stays closed', { skip }, async (t) => {
  const { origin, open } = await servePage(t)
  const { page, errors } = await open('/', { greets: true })
  const about = page.getByRole('complementary', { name: 'About this page' })
  await about.getByText('A mock of the materials platform’s REST API').waitFor()
  const read = () => page.evaluate('navigator.clipboard.readText()')
  await about.getByRole('button', { name: 'Copy the base URL' }).click()
  await about.getByRole('button', { name: 'Copied' }).waitFor()
  t.equal(await read(), `${origin}/api/2018-10-01`)
  await about.getByRole('button', { name: 'Copy the login' }).click()
  await page.waitForFunction(
    'navigator.clipboard.readText().then((text) => /^username=/.test(text))',
  )
  const login = await fetch(`${origin}/api/2018-10-01/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: String(await read()),
  })
  t.equal(login.status, 200, 'what is copied logs in')
  const pane = page.getByRole('complementary', { name: 'The open item' })
  await pane.locator('.viewer-canvas').waitFor()
  t.equal(await pane.getByRole('combobox', { name: 'Drawn cell' }).inputValue(), 'conventional')
  t.equal(new URL(page.url()).search, '', 'the first material is drawn, and none is open')
  t.equal(await page.locator('tbody tr.open').count(), 1)
  t.equal(await page.locator('tbody tr').first().getAttribute('class'), 'open', 'its row is marked')
  t.same(await findBarriers(page), [])

  await about.getByRole('button', { name: 'Close for good' }).click()
  await pane.getByRole('button', { name: 'Close' }).click()
  await page.reload()
  await page.locator('tbody tr').first().waitFor()
  t.equal(await about.count(), 0)
  t.equal(await pane.count(), 0)
  await page.keyboard.press('?')
  const help = page.getByRole('dialog', { name: 'Help' })
  await help.getByText(`${origin}/api/2018-10-01`).waitFor()
  await help.getByRole('radio', { name: 'dark' }).check()
  t.equal(await page.evaluate('document.documentElement.style.colorScheme'), 'dark')
  t.same(await findBarriers(page), [])
  t.same(errors, [])
})

t.test('a workflow runs on materials, without an id', { skip }, async (t) => {
  const { app, open } = await servePage(t, { jobDuration: 300 })
  const { page, errors } = await open('/?item=TpjPTBupQjav8TqH8')
  const pane = page.getByRole('complementary', { name: 'The open item' })
  const dialog = page.getByRole('dialog', { name: 'Run a workflow' })
  await pane.getByRole('button', { name: 'Run…' }).click()
  await dialog.getByRole('combobox', { name: 'Workflow' }).selectOption('Band Structure')
  t.match(await dialog.getByRole('textbox', { name: 'Name' }).inputValue(), /^Band Structure, Si$/)
  t.same(await findBarriers(page), [])
  await dialog.getByRole('textbox', { name: 'Name' }).fill('My bands')
  await dialog.getByRole('textbox', { name: 'Name' }).press('Enter')
  const bands = pane.getByRole('img', { name: /^band structure/ })
  await bands.waitFor()
  t.equal(await pane.getByRole('heading', { level: 2 }).textContent(), 'My bands')
  const { y = NaN, height = NaN } = (await bands.boundingBox()) ?? {}
  t.ok(y + height <= 800, `the plot ends at ${y + height} px, without scrolling`)
  const clock = await pane.getByRole('slider').boundingBox()
  t.ok(
    clock !== null && clock.y > y + height && clock.y + clock.height <= 800,
    'the clock is below it',
  )
  await pane.getByText(/^gap \d\.\d\d eV, indirect$/).waitFor()
  await pane
    .getByRole('combobox', { name: 'Lay the bands of another job' })
    .selectOption({ index: 1 })
  await pane.locator('.plot-legend li', { hasText: 'My bands' }).waitFor()
  t.equal(await pane.locator('.plot-legend li').count(), 3, 'two jobs, and the Fermi energy')

  await visitAddress(page, '/?resource=materials')
  const boxes = page.getByRole('checkbox', { name: /^Select / })
  await boxes.nth(1).check()
  await boxes.nth(2).check()
  await page.getByRole('button', { name: 'Run…' }).click()
  await dialog.getByText('A job for each of 2 materials').waitFor()
  await dialog.getByRole('button', { name: 'Run', exact: true }).click()
  await page.getByText('Submitted 2 jobs').waitFor()
  await page.locator('.status.finished').nth(2).waitFor()
  await visitAddress(page, '/?resource=workflows&item=fJvR96eP6jqBHBFoo')
  await pane.getByRole('button', { name: 'Run…' }).click()
  await dialog.getByRole('combobox', { name: 'Material' }).selectOption({ index: 3 })
  await dialog.getByRole('button', { name: 'Run', exact: true }).click()
  await bands.waitFor()
  t.equal(app.store.getCollection('jobs').entries.length, 8 + 4)
  t.same(errors, [])
})

/**
 * Notes what moves without a press of a key or a button. What waits for a frame waits for two: a busy browser has drawn
 * once by then.
 */
const WATCH = `window.moved = []
const { requestAnimationFrame } = window
window.requestAnimationFrame = (draw) => requestAnimationFrame(() => requestAnimationFrame(draw))
new PerformanceObserver((list) => {
  for (const { value, hadRecentInput, sources } of list.getEntries())
    if (!hadRecentInput) window.moved.push([value, ...sources.map(({ node, previousRect, currentRect }) =>
      [node?.className ?? node?.nodeName, node?.textContent?.slice(0, 40), previousRect.x, previousRect.y, currentRect.x, currentRect.y].join(' '))])
}).observe({ type: 'layout-shift', buffered: true })`

t.test('nothing moves by itself', { skip }, async (t) => {
  const { app, open } = await servePage(t)
  const control = async (method: 'POST' | 'DELETE', path: string, payload = {}) => {
    const { statusCode, body } = await app.inject({ method, url: `/__admin${path}`, payload })
    t.ok(statusCode < 300, body)
  }
  const { page, errors } = await open('/__admin/health', { greets: true })
  await page.addInitScript(WATCH)
  const views = [
    ['/', '.viewer-canvas'],
    ['/?resource=jobs', 'tbody tr'],
    ['/?resource=jobs&item=9gyhfncWDhnSyzALv', '.item-tables .steps'],
    ['/?resource=properties', 'tbody tr'],
    ['/?resource=workflows&item=CoQLhMNRXhKCXRh7k', '.flow-unit'],
    ['/?view=requests', '.live.on'],
    ['/?view=controls', '.switches-view [role=timer]'],
  ] as const
  for (const [width, height] of [
    [1280, 800],
    [1440, 900],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height })
    for (const [address, seen] of views) {
      if (width === 390 && address === '/') continue // it draws nothing there
      await page.goto(new URL(address, page.url()).href)
      await page.locator(seen).first().waitFor()
      await control('POST', '/faults', {
        name: 'slow',
        path: '/api/*/nothing',
        force: true,
        delay: 1,
      })
      await control('POST', '/clock', { freeze: true })
      await page.locator('.fault-line').waitFor()
      await page.locator('.clock-line').waitFor()
      await control('DELETE', '/faults')
      await control('DELETE', '/clock')
      await page.locator('.top-line').first().waitFor({ state: 'detached' })
      t.same(await page.evaluate('window.moved'), [], `${address}, ${width} px`)
      const rest = await page.evaluate('document.documentElement.scrollHeight - innerHeight')
      if (width > 900) t.equal(rest, 0, `${address} fits into its window`)
    }
  }
  t.same(errors, [])
})
