import { startMock } from 'materials-mock'
import { expect, test } from 'vitest'

const accounts = [{ _id: 'ann', username: 'ann', password: 'secret', tokens: ['ann-token'] }]
const materials = [{ _id: 'm1', formula: 'Si' }]
const headers = { 'X-Account-Id': 'ann', 'X-Auth-Token': 'ann-token' }

test('the features of a mock', async () => {
  const mock = await startMock({ fixtures: { accounts, materials }, journal: 100 })
  const path = '/api/2018-10-01/materials'

  // Requests over its port, or without one: a path, a URL with any host, or a Request.
  expect((await fetch(mock.url + path, { headers })).status).toBe(200)
  const response = await mock.fetch(`https://platform.example.org${path}/m1`, { headers })
  expect(await response.json()).toEqual({ status: 'success', data: { _id: 'm1', formula: 'Si' } })

  // A snapshot saves the items and sessions, and restores them later.
  mock.snapshot('with-m1')
  await mock.fetch(`${path}/m1`, { method: 'DELETE', headers })
  expect(mock.app.store.collections.get('materials')?.size).toBe(0)
  mock.restore('with-m1')
  expect((await mock.fetch(`${path}/m1`, { headers })).status).toBe(200)

  // Faults have the same fields as the body of POST /__admin/faults.
  const { _id } = mock.faults.add({ method: 'GET', path: '/api/**', status: 429, retryAfter: 5 })
  const failed = await mock.fetch(path, { headers })
  expect([failed.status, failed.headers.get('Retry-After')]).toEqual([429, '5'])
  expect(mock.faults.list()).toMatchObject([{ _id, status: 429, matchCount: 1 }])
  mock.faults.remove(_id)
  mock.faults.add({ drop: 'reset', times: 1 })
  await expect(mock.fetch(path, { headers })).rejects.toThrow(TypeError)
  mock.faults.clear()

  // The journal has the query language of the API. The newest request is first.
  expect(await mock.requests({ status: { $gte: 400 } })).toMatchObject([
    { method: 'GET', path, status: 429, accountId: 'ann', fault: { rule: _id } },
  ])
  expect(await mock.requests({}, { sort: { ms: -1 }, limit: 1 })).toHaveLength(1)

  mock.reset()
  expect(await mock.requests()).toEqual([])
  await mock.close()
})
