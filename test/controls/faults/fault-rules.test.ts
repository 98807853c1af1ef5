import t from 'tap'

import type { Fault } from '@materials-mock/api'
import { runToEnd } from '@materials-mock/work'
import { Faults } from '../../../src/controls/faults/fault-rules.js'
import type { MatchableRequest } from '../../../src/controls/faults/fault-rules.js'

const ARRIVAL = {
  method: 'GET',
  path: '/api/2018-10-01/materials',
  url: '/api/2018-10-01/materials',
  route: '/api/2018-10-01/materials',
  resource: 'materials',
  query: { formula: 'Si' },
  projection: null,
  headers: { 'x-test': '1' },
  body: null,
  accountId: 'ann',
  _id: '000000000001',
  at: '',
}
const LIST: MatchableRequest = { ...ARRIVAL, toItem: () => ARRIVAL }

/** Returns what applies to a request: an outcome with its rule. */
const match = (faults: Faults, request = LIST) => runToEnd(faults.match(request))

/** Returns the status or the delay of what applies to each of several requests. */
const matchSeveral = (faults: Faults, count: number, request = LIST) =>
  Array.from({ length: count }, () => {
    const { status, delay } = match(faults, request)?.outcome ?? {}
    return status ?? delay
  })

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
    t.equal(match(faults) !== undefined, isMatch, JSON.stringify(rule))
  }
  const faults = new Faults()
  faults.add({ accountId: 'ann', status: 500 })
  t.equal(match(faults, { ...LIST, accountId: undefined }), undefined)
  t.match(match(faults, { ...LIST, path: `${LIST.path}/` }), { rule: { _id: '1' } })
})

t.test('the first rule that matches applies; after and times count matches', async (t) => {
  const faults = new Faults()
  t.ok(faults.isEmpty)
  faults.add({ method: 'POST', status: 400 })
  faults.add({ after: 2, times: 2, status: 401 })
  faults.add({ status: 500, times: 3 })
  t.same(matchSeveral(faults, 6), [500, 500, 401, 401, 500, undefined])
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

t.test('match is a query of the request; the first rule that matches applies', async (t) => {
  const cases: [match: NonNullable<Fault['match']>, isMatch: boolean][] = [
    [{}, true],
    [{ 'query.formula': 'Si', 'headers.x-test': { $exists: true } }, true],
    [{ 'query.formula': 'Ge' }, false],
    [{ 'headers.x-other': { $exists: true } }, false],
    [{ 'headers.x-auth-token': { $exists: false }, 'body.password': null }, true],
    [{ $or: [{ method: 'POST' }, { resource: { $regex: '^mat' } }] }, true],
    [{ $expr: { $eq: ['$query.formula', 'Si'] } }, true],
    [{ 'body.name': 'x' }, false],
    [{ body: null }, true],
  ]
  for (const [query, isMatch] of cases) {
    const faults = new Faults()
    faults.add({ match: query, status: 500 })
    t.equal(match(faults) !== undefined, isMatch, JSON.stringify(query))
    t.match(faults.list(), [{ match: query, matchCount: isMatch ? 1 : 0 }])
  }
  const faults = new Faults()
  faults.add({ match: { 'query.formula': 'Ge' }, status: 500 })
  faults.add({ match: { 'body.name': 'x' }, path: '/api/**/jobs', status: 501 })
  faults.add({ status: 502 })
  t.equal(match(faults)?.outcome.status, 502)
})

t.test('a match that can not be evaluated fails loudly, and names the rule', async (t) => {
  const faults = new Faults()
  faults.add({ match: { $expr: { $divide: [1, { $size: '$query' }] } }, status: 500 })
  t.throws(() => match(faults), {
    code: 'FAULT_FAILED',
    message: /^the fault "1" can't be applied: /,
  })
})

t.test('a sequence has one outcome after the other, and then the rule is removed', async (t) => {
  const faults = new Faults()
  faults.add({ after: 1, sequence: [{ status: 503, times: 2 }, { delay: 5 }, {}, { status: 429 }] })
  t.same(matchSeveral(faults, 8), [undefined, 503, 503, 5, undefined, 429, undefined, undefined])
  t.ok(faults.isEmpty)
})

t.test('the same seed selects the same requests, about as many as probability says', async (t) => {
  const draw = (seed?: number): unknown[] => {
    const faults = new Faults()
    faults.add({ probability: 0.2, status: 500, times: 150, ...(seed !== undefined && { seed }) })
    return matchSeveral(faults, 1000)
  }
  t.same(draw(), draw(1))
  t.not(JSON.stringify(draw(2)), JSON.stringify(draw(1)))
  const faults = new Faults()
  faults.add({ probability: 0.2, status: 500 })
  const failed = matchSeveral(faults, 1000).filter((status) => status === 500).length
  t.ok(failed > 150 && failed < 250, `${failed} of 1000`)
  t.match(faults.list(), [{ matchCount: 1000 }])
  t.equal(draw().filter((status) => status === 500).length, 150, 'times counts the faults')
})

t.test('a rule with a ttl is removed after that time', async (t) => {
  const faults = new Faults()
  const { expiresAt = '' } = faults.add({ status: 500, ttl: 20 })
  t.ok(Date.parse(expiresAt) > Date.now() - 1000)
  faults.add({ status: 501, ttl: 60_000 })
  t.equal(match(faults)?.outcome.status, 500)
  while (faults.list().length > 1) await new Promise((resolve) => setTimeout(resolve, 5))
  t.equal(match(faults)?.outcome.status, 501)
})

t.test('a rule is found by its name, whatever requests it is for', async (t) => {
  const faults = new Faults()
  faults.add({ name: 'two', method: 'POST', times: 2, status: 500 })
  t.equal(faults.applyNamed('one'), undefined)
  t.match(faults.applyNamed('two'), { rule: { _id: '1', name: 'two' }, outcome: { status: 500 } })
  t.match(faults.list(), [{ matchCount: 1 }])
  t.equal(faults.applyNamed('two')?.outcome.status, 500)
  t.equal(faults.applyNamed('two'), undefined)
})
