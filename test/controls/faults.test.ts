import t from 'tap'

import { Faults } from '../../src/controls/faults.js'
import type { Fault } from '../../src/schemas/fault.js'

const LIST = { method: 'GET', path: '/api/2018-10-01/materials', accountId: 'ann' }

t.test('a path that no percent-encoded path can match is rejected', async (t) => {
  for (const path of ['/api/a?b', '/api/a#b', '/api/a b', '/api/ä']) {
    t.throws(() => new Faults().add({ status: 500, path }), {
      code: 'BODY_INVALID',
      message: `path must be percent-encoded and end before the "?", not "${path}"`,
    })
  }
})

t.test('a rule matches the requests that match all of its keys', async (t) => {
  const cases: [rule: Fault, isMatch: boolean][] = [
    [{}, true],
    [{ method: 'GET' }, true],
    [{ method: 'POST' }, false],
    [{ path: '/api/**' }, true],
    [{ path: '/api/**/projects' }, false],
    [{ accountId: 'ann' }, true],
    [{ accountId: 'bob' }, false],
    [{ method: 'GET', path: '/api/**', accountId: 'bob' }, false],
  ]
  for (const [rule, isMatch] of cases) {
    const faults = new Faults()
    faults.add({ ...rule, status: 500 })
    t.equal(faults.match(LIST) !== undefined, isMatch, JSON.stringify(rule))
  }
  const faults = new Faults()
  faults.add({ accountId: 'ann', status: 500 })
  t.equal(faults.match({ ...LIST, accountId: undefined }), undefined)
  t.match(faults.match({ ...LIST, path: `${LIST.path}/` }), { _id: '1' })
})

t.test('the first rule that matches applies; after and times count matches', async (t) => {
  const faults = new Faults()
  t.ok(faults.isEmpty)
  faults.add({ method: 'POST', status: 400 })
  faults.add({ after: 2, times: 2, status: 401 })
  faults.add({ status: 500, times: 3 })
  const statuses = Array.from({ length: 6 }, () => faults.match(LIST)?.status)
  t.same(statuses, [500, 500, 401, 401, 500, undefined])
  t.same(faults.list(), [{ _id: '1', method: 'POST', status: 400, matchCount: 0 }])
  faults.remove('1')
  t.throws(() => faults.remove('1'), { code: 'FAULT_NOT_FOUND', message: /"1"/ })
  t.ok(faults.isEmpty)
})

t.test('more than 200 rules are refused, as each is matched with each request', async (t) => {
  const faults = new Faults()
  for (let count = 0; count < 200; count += 1) faults.add({ status: 500 })
  t.throws(() => faults.add({ status: 500 }), {
    code: 'BOUND_EXCEEDED',
    message: 'there must be at most 200 fault rules; remove some first',
  })
  t.equal(faults.list().length, 200)
})
