import { startMock } from 'materials-mock'
import type { Mock } from 'materials-mock'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

import { namesOf } from './client.js'
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

test('names the materials with a formula, in order', async () => {
  expect(await namesOf('Si', connection)).toEqual(['Silicene', 'Silicon'])
})

test('asks once more where the platform is busy', async () => {
  mock.faults.add({ path: '/api/*/materials', status: 503, times: 1 })
  expect(await namesOf('Ge', connection)).toEqual(['Germanium'])
  expect(await mock.requests({ resource: 'materials' })).toMatchObject([
    { status: 200, query: { formula: 'Ge' } },
    { status: 503, fault: { status: 503 } },
  ])
})

test('fails with the words of the platform', async () => {
  mock.faults.add({ status: 500, message: 'the disk is full' })
  await expect(namesOf('Si', connection)).rejects.toThrow('the disk is full')
})
