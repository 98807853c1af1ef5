import { connectMock } from 'materials-mock/connect'
import type { ConnectedMock } from 'materials-mock'
import { describe, inject, test as base } from 'vitest'

import { fetchNames } from './client.js'

const server = await connectMock(inject('mockUrl'))
const headers = { 'X-Account-Id': 'oEb32zJWy27miFESb', 'X-Auth-Token': 'demo-preferences-token' }

/** Gives each test a sandbox of its own, on the one mock of all processes. */
const test = base.extend<{ mock: ConnectedMock }>({
  mock: async ({ task }, use) => {
    const mock = await server.sandbox(task.id)
    await use(mock)
    await mock.close()
  },
})

describe.concurrent('tests of all processes', () => {
  test.for([1, 2, 3])('%d new materials', async (count, { mock, expect }) => {
    await mock.seed({ materials: Array.from({ length: count }, () => ({ formula: 'Xe' })) })
    const connection = { base: `${mock.url}/api/2018-10-01`, headers }
    expect(await fetchNames('Xe', connection)).toHaveLength(count)
    await mock.expectRequests({ method: 'GET' }, { count: 1 })
  })
})
