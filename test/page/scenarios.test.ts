import { readFileSync } from 'node:fs'

import t from 'tap'

import { skipReason } from '../helpers/browser.js'
import { waitFor } from '../helpers/build.js'
import { findBarriers, servePage } from './open-page.js'

const skip = skipReason()

t.test(
  'a link opens a scenario in a sandbox of its own, which a reload keeps',
  { skip },
  async (t) => {
    const { app, open } = await servePage(t)
    const { page, errors } = await open('/?scenario=busy%20queue&resource=jobs')
    await page.getByTitle('Made for the scenario busy queue').waitFor()
    await page.getByText('In the queue').waitFor()
    const [name = ''] = app.sandboxes.list()
    t.match(name, /^busy-queue-[0-9a-f]{8}$/)
    t.equal(new URL(page.url()).searchParams.get('sandbox'), name)
    const { store } = app.sandboxes.get(name)
    t.equal(store.getCollection('jobs').size, 5)
    t.equal(store.clock.state.frozen, true)
    t.equal(app.store.getCollection('jobs').size, 8, 'the server itself is as it was')
    const [first] = store.getCollection('jobs').entries
    if (first !== undefined) store.getCollection('jobs').remove(first)
    await page.reload()
    await page.getByTitle('Made for the scenario busy queue').waitFor()
    t.same(app.sandboxes.list(), [name])
    t.equal(store.getCollection('jobs').size, 4, 'it is not applied again')
    await page.getByRole('link', { name: 'Controls' }).click()
    await page.getByRole('button', { name: 'Apply busy queue again' }).click()
    await waitFor(() => store.getCollection('jobs').size === 5)
    await page.getByRole('link', { name: 'Data', exact: true }).click()
    await page.getByText('In the queue').waitFor()
    t.same(await findBarriers(page), [])
    await page.getByText('Leave sandbox').click()
    await page.getByTitle('Made for the scenario').waitFor({ state: 'detached' })
    t.equal(new URL(page.url()).searchParams.get('scenario'), null)
    t.same(errors, [])
  },
)

t.test('an unknown scenario is said, and leaves no sandbox', { skip }, async (t) => {
  const { app, origin, open } = await servePage(t)
  const { page } = await open('/?scenario=busy%20qeue')
  await page.getByText('the closest one is busy queue').waitFor()
  t.same(app.sandboxes.list(), [])
  const back = page.getByRole('link', { name: 'Back to the server' })
  t.ok(((await back.boundingBox())?.width ?? Infinity) < 300, 'as wide as its text')
  await back.click()
  await page.getByRole('searchbox', { name: 'Search materials' }).waitFor()
  t.equal(new URL(page.url()).search, '')
  // Without TLS, only addresses of this computer have it.
  await page.addInitScript('delete Crypto.prototype.randomUUID')
  await page.goto(`${origin}/?scenario=busy%20queue`)
  await page.getByRole('searchbox', { name: 'Search jobs' }).waitFor() // where the scenario says
  await page.getByTitle('Made for the scenario busy queue').waitFor()
  const sandbox = new URL(page.url()).searchParams.get('sandbox')
  await fetch(`${origin}/__admin/sandboxes/${sandbox}`, { method: 'DELETE' })
  await page.getByText(`There is no sandbox ${sandbox}`).waitFor()
})

t.test('without the controls, a scenario says what is missing', { skip }, async (t) => {
  const { open } = await servePage(t, { admin: false })
  const { page } = await open('/?scenario=busy%20queue')
  await page.getByText('a scenario needs the controls').waitFor()
  await page.getByRole('link', { name: 'Back to the server' }).click()
  await page.getByRole('button', { name: 'Log in' }).waitFor()
})

t.test('the controls change the clock, and open scenarios', { skip }, async (t) => {
  const { app, open } = await servePage(t)
  const { clock } = app.store
  const { page, errors } = await open('/?view=controls')
  const timer = page.getByRole('timer')
  await timer.getByText("the system's").waitFor()
  await page.getByRole('button', { name: 'Freeze' }).click()
  await timer.getByText('frozen').waitFor()
  await page.getByRole('button', { name: 'Set', exact: true }).click()
  await timer.getByText('2026-01-01 00:00:00').waitFor()
  await page.getByRole('button', { name: '+ 1 hour' }).click()
  await timer.getByText('2026-01-01 01:00:00').waitFor()
  await page.getByLabel('Time, with its zone').fill('soon')
  await page.getByRole('button', { name: 'Set', exact: true }).click()
  await page.getByText('set must be a time from 1970').waitFor()
  await app.inject({ method: 'POST', url: '/__admin/clock', payload: { set: '2030-01-01' } })
  await timer.getByText('2030-01-01 00:00:00').waitFor()
  t.same(await findBarriers(page), [])
  await page.getByRole('button', { name: 'Back to now' }).first().click()
  await timer.getByText("the system's").waitFor()
  t.match(clock.state, { offset: 0, frozen: false })
  app.controls.faults.add({ status: 503, path: '/api/*/jobs' })
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save as scenario' }).click(),
  ])
  t.equal(download.suggestedFilename(), 'scenarios.json')
  t.same(JSON.parse(readFileSync(await download.path(), 'utf8')), {
    saved: { faults: [{ status: 503, path: '/api/*/jobs' }] },
  })
  app.controls.faults.clear()
  await page.getByRole('button', { name: 'empty account' }).click()
  await page.getByTitle('Made for the scenario empty account').waitFor()
  await page.getByText('materials has no items that demo sees').waitFor()
  t.same(errors, [])
})
