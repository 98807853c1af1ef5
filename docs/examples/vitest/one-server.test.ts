import { describe, inject, test as base } from 'vitest'

/** Gives each test the URL of a sandbox of its own, on the one mock of all workers. */
const test = base.extend<{ url: string }>({
  url: async ({ task }, use) => {
    const control = `${inject('mockUrl')}/__admin/sandboxes/${task.id}`
    const response = await fetch(control, { method: 'PUT' })
    const { data } = (await response.json()) as { data: { url: string } }
    await use(data.url)
    await fetch(control, { method: 'DELETE' })
  },
})

describe.concurrent('tests of all workers', () => {
  test.for([1, 2, 3])('%d new materials', async (count, { url, expect }) => {
    const body = JSON.stringify(Array.from({ length: count }, () => ({ formula: 'Xe' })))
    const type = { 'Content-Type': 'application/json' }
    const items = `${url}/__admin/fixtures/materials?complete=true`
    await fetch(items, { method: 'PUT', headers: type, body })

    const headers = {
      'X-Account-Id': 'oEb32zJWy27miFESb',
      'X-Auth-Token': 'demo-preferences-token',
    }
    const list = await fetch(`${url}/api/2018-10-01/materials`, { headers })
    expect(((await list.json()) as { data: unknown[] }).data).toHaveLength(count)
    const requests = await fetch(`${url}/__admin/requests/count`)
    expect(await requests.json()).toMatchObject({ data: { count: 1 } })
  })
})
