import { startMock } from 'materials-mock'
import { expect, test } from 'vitest'

const accounts = [{ _id: 'ann', username: 'ann', password: 'secret', tokens: ['ann-token'] }]
const materials = ['Si', 'Ge', 'GaAs'].map((formula) => ({ _id: formula, formula }))
const headers = { 'X-Account-Id': 'ann', 'X-Auth-Token': 'ann-token' }
const path = '/api/2018-10-01/materials'

test('any failure: status, body, delay, dropped connection', async () => {
  const mock = await startMock({ fixtures: { accounts, materials } })
  const get = (url = path, others = {}) => mock.fetch(url, { headers: { ...headers, ...others } })

  // A proxy in front of the platform gives up, with a page of HTML.
  mock.faults.add({ preset: 'gateway-timeout', times: 1 })
  expect(await (await get()).text()).toContain('504 Gateway Time-out')

  // Only the search for Si fails, and its error has no envelope.
  const match = { 'query.formula': 'Si', 'headers.x-test': { $exists: true } }
  mock.faults.add({ match, status: 500, body: { error: 'boom' }, headers: { 'X-Node': '7' } })
  const search = `${path}?query={"formula":"Si"}`
  expect((await get(search)).status).toBe(200)
  expect(await (await get(search, { 'X-Test': 'yes' })).json()).toEqual({ error: 'boom' })
  mock.faults.clear()

  // Fail twice, then be slow, then let everything through.
  mock.faults.add({ sequence: [{ status: 503, times: 2 }, { delay: 20 }] })
  const statuses = []
  for (let count = 0; count < 4; count += 1) statuses.push((await get()).status)
  expect(statuses).toEqual([503, 503, 200, 200])

  // The real list, with an item missing.
  mock.faults.add({ patch: { $pull: { data: { formula: 'Ge' } } }, times: 1 })
  expect(await (await get()).json()).toMatchObject({ data: [{ _id: 'Si' }, { _id: 'GaAs' }] })

  // One request in five fails, always the same ones, for at most a minute.
  mock.faults.add({ status: 500, probability: 0.2, seed: 7, ttl: 60_000 })
  mock.faults.clear()

  // The real response, at 20,000 bytes a second.
  mock.faults.add({ bandwidth: 20_000, times: 1 })
  expect((await get()).status).toBe(200)

  // A request asks for its own failure, by the name of a preset or of a rule.
  const crash = await get(path, { Prefer: 'fault=restivus-crash' })
  expect([crash.status, await crash.text()]).toEqual([500, 'Server error.'])

  await mock.close()
})
