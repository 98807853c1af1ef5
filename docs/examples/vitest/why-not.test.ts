import { startMock } from 'materials-mock'
import { expect, test } from 'vitest'

const accounts = [{ _id: 'ann', username: 'ann', password: 'secret', tokens: ['ann-token'] }]
const materials = [{ _id: 'm1', formula: 'Si', lattice: { a: 3.867 }, tags: ['cubic', 'oxide'] }]
const headers = { 'X-Account-Id': 'ann', 'X-Auth-Token': 'ann-token' }

test('an item is not in a list, and a request was not sent', async () => {
  const mock = await startMock({ fixtures: { accounts, materials } })

  const query = { formula: 'SiO2', $or: [{ 'lattice.a': { $gt: 5 } }, { tags: { $all: ['x'] } }] }
  const explanation = await mock.explain('materials', 'm1', query, { accountId: 'ann' })
  expect(explanation.matches).toBe(false)
  expect(String(explanation)).toBe(`m1 does not match
├─ formula $eq "SiO2": no (formula is "Si")
└─ $or: no
   ├─ lattice.a $gt 5: no (lattice.a is 3.867)
   └─ tags $all ["x"]: no (tags is ["cubic", "oxide"])`)

  await mock.fetch('/api/2018-10-01/materials?query={"formula":"Si"}', { headers })
  await mock.expectRequests({ 'query.formula': 'Si' }, { count: 1 })
  const expected = { method: 'GET', 'query.formula': 'Ge', status: 200 }
  await expect(mock.expectRequests(expected)).rejects.toThrow(
    `0 requests match {"method": "GET", "query.formula": "Ge", "status": 200}, expected: at least 1
000000000001 GET /api/2018-10-01/materials 200
└─ query.formula $eq "Ge": no (query.formula is "Si")`,
  )
  await mock.close()
})
