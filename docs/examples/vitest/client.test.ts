import { startMock } from 'materials-mock'
import type { Mock } from 'materials-mock'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

import { fetchNames } from './client.js'
import type { Connection } from './client.js'

let mock: Mock
let connection: Connection

beforeAll(async () => {
  mock = await startMock({
    fixtures: {
      accounts: [{ _id: 'ann', username: 'ann', password: 'secret', tokens: ['ann-token'] }],
      materials: [
        { _id: 'm1', name: 'Silicon', formula: 'Si' },
        { _id: 'm2', name: 'Germanium', formula: 'Ge' },
        { _id: 'm3', name: 'Silicene', formula: 'Si' },
      ],
    },
  })
  connection = {
    base: `${mock.url}/api/2018-10-01`,
    headers: { 'X-Account-Id': 'ann', 'X-Auth-Token': 'ann-token' },
  }
})
afterEach(() => mock.reset())
afterAll(() => mock.close())

test('returns the sorted names of the materials with a formula', async () => {
  expect(await fetchNames('Si', connection)).toEqual(['Silicene', 'Silicon'])
})

test('retries once if the platform is busy', async () => {
  mock.faults.add({ path: '/api/*/materials', status: 503, times: 1 })
  expect(await fetchNames('Ge', connection)).toEqual(['Germanium'])
  expect(await mock.requests({ resource: 'materials' })).toMatchObject([
    { status: 200, query: { formula: 'Ge' } },
    { status: 503, fault: { status: 503 } },
  ])
})

test('fails with the message of the platform', async () => {
  mock.faults.add({ status: 500, message: 'the disk is full' })
  await expect(fetchNames('Si', connection)).rejects.toThrow('the disk is full')
})
