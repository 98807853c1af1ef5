import { startMock } from 'materials-mock'
import type { Mock } from 'materials-mock'
import { afterAll, describe, test as base } from 'vitest'

import { fetchNames } from './client.js'

const accounts = [{ _id: 'ann', username: 'ann', password: 'secret', tokens: ['ann-token'] }]
const headers = { 'X-Account-Id': 'ann', 'X-Auth-Token': 'ann-token' }

const mock = await startMock({ fixtures: { accounts, materials: [] } })
afterAll(() => mock.close())

/** Gives each test a sandbox of its own on the one mock. */
const test = base.extend<{ sandbox: Mock }>({
  sandbox: async ({ task }, use) => {
    const sandbox = mock.sandbox(task.id)
    await use(sandbox)
    await sandbox.close()
  },
})

describe.concurrent('tests that run at the same time', () => {
  test.for(['Si', 'Ge', 'GaAs', 'NaCl'])(
    '%s is the only material',
    async (name, { sandbox, expect }) => {
      const root = `${sandbox.url}/api/2018-10-01`
      const body = JSON.stringify({ name, formula: 'C' })
      const type = { 'Content-Type': 'application/json' }
      const created = await fetch(`${root}/materials/create`, {
        method: 'PUT',
        headers: { ...headers, ...type },
        body,
      })
      expect(await created.json()).toMatchObject({ data: { name, formula: 'C' } })
      expect(await fetchNames('C', { base: root, headers })).toEqual([name])
      expect(await sandbox.requests()).toHaveLength(2)
    },
  )

  test('a fault applies to one test', async ({ sandbox, expect }) => {
    sandbox.faults.add({ status: 500, message: 'the disk is full' })
    const connection = { base: `${sandbox.url}/api/2018-10-01`, headers }
    await expect(fetchNames('C', connection)).rejects.toThrow('the disk is full')
  })
})
