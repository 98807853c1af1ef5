import { expect, test } from '@playwright/test'

const ADMIN = 'http://127.0.0.1:4000/__admin'

test.beforeEach(async ({ request, page }) => {
  await request.post(`${ADMIN}/reset`)
  await page.goto('/')
})

test('lists the materials with a formula', async ({ page, request }) => {
  await page.getByLabel('Formula').fill('GaAs')
  await page.getByRole('button').click()
  await expect(page.getByRole('listitem')).toHaveText([/^GaAs, /])

  const query = JSON.stringify({ method: 'GET', 'query.formula': 'GaAs' })
  const count = await request.get(`${ADMIN}/requests/count`, { params: { query } })
  expect(await count.json()).toMatchObject({ data: { count: 1 } })
})

test('shows the message of a failure', async ({ page, request }) => {
  await request.post(`${ADMIN}/faults`, {
    data: { path: '/api/*/materials', status: 503, message: 'the platform is busy' },
  })
  await page.getByLabel('Formula').fill('GaAs')
  await page.getByRole('button').click()
  await expect(page.getByRole('alert')).toHaveText('the platform is busy')
  await expect(page.getByRole('listitem')).toHaveCount(0)
})
