import { expect } from '@playwright/test'

import { MOCK, test } from './sandbox.js'

test.beforeEach(({ page }) => page.goto('/'))

test('lists the materials with a formula', async ({ page, request }) => {
  await page.getByLabel('Formula').fill('GaAs')
  await page.getByRole('button', { name: 'Find' }).click()
  await expect(page.getByRole('listitem')).toHaveText([/^GaAs, /])

  const query = JSON.stringify({ method: 'GET', 'query.formula': 'GaAs' })
  const count = await request.get(`${MOCK}/__admin/requests/count`, { params: { query } })
  expect(await count.json()).toMatchObject({ data: { count: 1 } })
})

test('shows the message of a failure', async ({ page, request }) => {
  await request.post(`${MOCK}/__admin/faults`, {
    data: { path: '/api/*/materials', status: 503, message: 'the platform is busy' },
  })
  await page.getByLabel('Formula').fill('GaAs')
  await page.getByRole('button', { name: 'Find' }).click()
  await expect(page.getByRole('alert')).toHaveText('the platform is busy')
  await expect(page.getByRole('listitem')).toHaveCount(0)
})

// These run at the same time as each other and as the tests above, and each one sees its own items.
for (const count of [1, 2, 3, 4, 5, 6]) {
  test(`lists ${count} new materials`, async ({ page, request }) => {
    const data = Array.from({ length: count }, (_, index) => ({ _id: `m${index}`, formula: 'Xe' }))
    await request.put(`${MOCK}/__admin/fixtures/materials`, { data })
    await page.getByLabel('Formula').fill('Xe')
    await page.getByRole('button', { name: 'Find' }).click()
    await expect(page.getByRole('listitem')).toHaveCount(count)
  })
}
