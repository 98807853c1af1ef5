import { expect } from '@playwright/test'

import { MOCK, test } from './sandbox.js'

test('says that a job has finished, without waiting for it', async ({ page, request }) => {
  const setClock = (data: object) => request.post(`${MOCK}/__admin/clock`, { data })
  await setClock({ set: '2026-01-01T08:00:00Z' })
  await setClock({ freeze: true })
  await page.clock.install({ time: '2026-01-01T07:00:00Z' })
  await page.clock.pauseAt('2026-01-01T08:00:00Z')

  await page.goto('/')
  await page.getByRole('button', { name: 'Run' }).click()
  await expect(page.getByRole('status')).toHaveText('submitted after 0 s')

  await setClock({ advance: 60_000 })
  await page.clock.fastForward(60_000)
  await expect(page.getByRole('status')).toHaveText('finished after 60 s')
})
