import { expect, test as base } from '@playwright/test'
import { startMock } from 'materials-mock'
import type { Mock } from 'materials-mock'

/** Each worker has its own mock. */
const test = base.extend<object, { mock: Mock }>({
  mock: [
    // Playwright requires an object pattern.
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const mock = await startMock()
      await use(mock)
      await mock.close()
    },
    { scope: 'worker' },
  ],
})

const headers = { 'X-Account-Id': 'oEb32zJWy27miFESb', 'X-Auth-Token': 'demo-preferences-token' }

for (const index of [1, 2, 3, 4, 5, 6]) {
  test(`a worker changes its own mock alone (${index})`, async ({ mock, request }) => {
    mock.reset()
    const materials = `${mock.url}/api/2018-10-01/materials`
    const count = async (): Promise<number> =>
      (await (await request.get(`${materials}?projection={"limit":100}`, { headers })).json()).data
        .length
    const before = await count()
    const { data } = await (
      await request.get(`${materials}?projection={"limit":1}`, { headers })
    ).json()
    await request.delete(`${materials}/${data[0]._id}`, { headers })
    expect(await count()).toBe(before - 1)
    const faults = await request.post(`${mock.url}/__admin/faults`, {
      data: { status: 503, times: 1 },
    })
    expect(faults.ok()).toBe(true)
    expect((await request.get(materials, { headers })).status()).toBe(503)
  })
}
