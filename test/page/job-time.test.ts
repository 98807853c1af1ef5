import t from 'tap'

import { skipReason, visit } from '../helpers/browser.js'
import { waitFor } from '../helpers/build.js'
import { findBarriers, servePage } from './open-page.js'

t.test('a slider moves the clock over the life of a job', { skip: skipReason() }, async (t) => {
  const { app, open } = await servePage(t)
  const id = '9gyhfncWDhnSyzALv'
  const { page, errors } = await open(`/?resource=jobs&item=${id}`)
  const pane = page.getByRole('complementary', { name: 'The open item' })
  const slider = pane.getByRole('slider', { name: 'Move the clock of the server' })
  const step = (name: string) => pane.locator('[aria-current=step]', { hasText: name }).waitFor()
  const units = pane.locator('.timeline tbody tr')
  await step('finished')
  await pane.getByRole('log').waitFor()
  const back = page.getByRole('button', { name: 'Back to now' })
  t.equal(await back.count(), 0)
  t.match(await pane.locator('.job-time').textContent(), /freezes it for all who use the server/)
  t.notMatch(await pane.locator('.job-time').textContent(), /2024/, 'not the end of its life')

  await slider.focus()
  t.equal(await pane.evaluate(({ scrollTop }) => scrollTop), 0, 'the slider is in view anyway')
  await page.keyboard.press('Home')
  await step('pre-submission')
  await units.first().filter({ hasText: 'idle' }).waitFor()
  await pane.getByRole('log').waitFor({ state: 'detached' })
  t.equal(app.store.clock.state.frozen, true)
  t.match(await pane.locator('.job-time').textContent(), /2024-10-13 04:28:52 UTC, frozen/)
  t.same(await findBarriers(page), [])

  for (let pressed = 0; pressed < 25; pressed += 1) await page.keyboard.press('ArrowRight')
  await step('submitted')
  const { x = 0, y = 0, width = 0, height = 0 } = (await slider.boundingBox()) ?? {}
  await page.mouse.click(x + width * 0.6, y + height / 2)
  await step('active')
  await units.filter({ hasText: 'active' }).first().waitFor()
  await pane.getByRole('log').waitFor()

  await slider.focus()
  await page.keyboard.press('End')
  await step('finished')
  await waitFor(() => app.store.clock.isSystem) // it is let go at now
  await page.keyboard.press('Home')
  await step('pre-submission')
  await back.click()
  await step('finished')
  await waitFor(() => app.store.clock.isSystem)
  await back.waitFor({ state: 'detached' })
  t.same(errors, [])
})

/** Moves the slider to its start as soon as it is there, as a key does: both events, with a turn between. */
const MOVE_AT_ONCE = `new MutationObserver((_, observer) => {
  const slider = document.querySelector('input[type=range]')
  if (slider === null) return
  observer.disconnect()
  slider.value = slider.min
  slider.dispatchEvent(new Event('input', { bubbles: true }))
  setTimeout(() => slider.dispatchEvent(new Event('change', { bubbles: true })))
}).observe(document, { subtree: true, childList: true })`

t.test('a move of the slider counts from when it is seen', { skip: skipReason() }, async (t) => {
  const { app, origin } = await servePage(t)
  const { page } = await visit(t)
  await page.addInitScript(MOVE_AT_ONCE)
  await page.goto(`${origin}/?resource=jobs&item=9gyhfncWDhnSyzALv`)
  await page.locator('[aria-current=step]', { hasText: 'pre-submission' }).waitFor()
  t.equal(app.store.clock.state.frozen, true)
})

t.test('it goes over the whole life of a job of ten hours', { skip: skipReason() }, async (t) => {
  const hours = 3_600_000
  const { app, open } = await servePage(t, { jobDuration: 5 * hours })
  const id = 'WcTtK8e6rPQPWSEm9'
  const { page, errors } = await open(`/?resource=jobs&item=${id}`)
  await page.getByRole('button', { name: 'Submit' }).click()
  const slider = page.getByRole('slider', { name: 'Move the clock of the server' })
  await slider.waitFor()
  const [from, to] = [await slider.getAttribute('min'), await slider.getAttribute('max')]
  t.match((Number(to) - Number(from)) / hours, 11)
  const units = page.locator('.timeline .run.coming')
  t.ok((await units.count()) > 0, 'the timeline has what is still to come')
  await slider.focus()
  await page.keyboard.press('End')
  await page.locator('[aria-current=step]', { hasText: 'finished' }).waitFor()
  await page.locator('.timeline .run.finished').first().waitFor()
  t.equal(await units.count(), 0)
  const run = await app.inject(`/__admin/runs/${id}`)
  t.ok(app.store.clock.now() >= Date.parse(run.json().data.endsAt))
  await page.getByText('Clock frozen').waitFor()
  const { page: other } = await open('/?resource=materials')
  await other.getByText('Clock frozen').waitFor()
  app.sandboxes.make('ann')
  const { page: ann } = await open('/?sandbox=ann&resource=materials')
  await ann.getByRole('table').waitFor()
  t.equal(await ann.locator('.clock-line').count(), 0, 'the clock of a sandbox is its own')
  await app.inject({
    method: 'POST',
    url: '/sandboxes/ann/__admin/clock',
    payload: { advance: 5 * hours },
  })
  await ann.getByText('Clock +5 h 0 min').waitFor()
  t.same(await findBarriers(ann), [])
  await other.getByRole('button', { name: 'Back to now' }).click()
  await page.locator('.clock-line').waitFor({ state: 'detached' })
  await page.locator('[aria-current=step]', { hasText: 'submitted' }).waitFor()
  t.same(errors, [])
})

t.test('it follows a finger', { skip: skipReason() }, async (t) => {
  const { app, open } = await servePage(t)
  const { page } = await open('/?resource=jobs&item=9gyhfncWDhnSyzALv')
  const slider = page.getByRole('slider', { name: 'Move the clock of the server' })
  await slider.scrollIntoViewIfNeeded()
  const { x = 0, y = 0, width = 0, height = 0 } = (await slider.boundingBox()) ?? {}
  const finger = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', part?: number) =>
    finger.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: part === undefined ? [] : [{ x: x + part * width, y: y + height / 2 }],
    })
  await touch('touchStart', 0.7)
  await touch('touchMove', 0.4)
  await touch('touchMove', 0.01)
  await touch('touchEnd')
  await page.locator('[aria-current=step]', { hasText: 'pre-submission' }).waitFor()
  t.ok(app.store.clock.state.frozen)
})

t.test('a job that is submitted again has a new life', { skip: skipReason() }, async (t) => {
  const { app, open } = await servePage(t)
  const { page } = await open('/?resource=jobs&item=WcTtK8e6rPQPWSEm9')
  const slider = page.getByRole('slider', { name: 'Move the clock of the server' })
  const run = async (): Promise<number> => {
    await page.getByRole('button', { name: 'Submit' }).click()
    await slider.waitFor()
    await app.inject({ method: 'POST', url: '/__admin/clock', payload: { advance: 600_000 } })
    await page.locator('[aria-current=step]', { hasText: 'finished' }).waitFor()
    const [from, to] = [await slider.getAttribute('min'), await slider.getAttribute('max')]
    return Number(to) - Number(from)
  }
  const first = await run()
  await app.inject({ method: 'POST', url: '/__admin/reset' })
  await page.locator('[aria-current=step]', { hasText: 'pre-submission' }).waitFor()
  await app.inject({ method: 'POST', url: '/__admin/clock', payload: { set: '2030-01-01' } })
  t.ok((await run()) < 2 * first)
})

t.test('each key moves it from where it is seen', { skip: skipReason() }, async (t) => {
  const { open } = await servePage(t)
  const { page } = await open('/?resource=jobs&item=9gyhfncWDhnSyzALv')
  const slider = page.getByRole('slider', { name: 'Move the clock of the server' })
  await slider.focus()
  await page.route('**/__admin/clock', async (route) => {
    if (route.request().method() === 'GET') await new Promise((resolve) => setTimeout(resolve, 500))
    await route.continue()
  })
  const press = async (key: string): Promise<number> => {
    const moved = page.waitForResponse(
      (response) => /rewind/.test(response.request().postData() ?? ''), // the clock is read later
    )
    await page.keyboard.press(key)
    await moved
    await page.waitForTimeout(50)
    return Number(await slider.inputValue())
  }
  const start = await press('Home')
  const steps: number[] = []
  for (let pressed = 0; pressed < 4; pressed += 1) steps.push((await press('ArrowRight')) - start)
  const [one = 0] = steps
  t.ok(one > 0)
  t.same(steps, [one, 2 * one, 3 * one, 4 * one])
})

t.test(
  'it moves the clock of the sandbox that the page shows',
  { skip: skipReason() },
  async (t) => {
    const { app, open } = await servePage(t)
    app.sandboxes.make('ann')
    const { page } = await open('/?sandbox=ann&resource=jobs&item=9gyhfncWDhnSyzALv')
    const slider = page.getByRole('slider', { name: 'Move the clock of sandbox ann' })
    await slider.fill(String(await slider.getAttribute('min')))
    await waitFor(() => app.sandboxes.get('ann').store.clock.state.frozen)
    t.ok(app.store.clock.isSystem, 'the server goes on')
    const { page: waiting } = await open('/?resource=jobs&item=WcTtK8e6rPQPWSEm9')
    await waiting.locator('.steps').waitFor()
    t.equal(await waiting.getByRole('slider').count(), 0, 'a job that was not submitted has none')
  },
)
