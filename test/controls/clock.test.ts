import { setTimeout as wait } from 'node:timers/promises'

import type { FastifyInstance, InjectOptions } from 'fastify'
import t from 'tap'

import { startMock } from '../../src/mock/start-mock.js'
import { build, listUrl, logIn, send } from '../helpers/build.js'
import { replace } from '../helpers/replace.js'

const accounts = [
  { _id: 'ann', username: 'ann', password: 'x', tokens: ['ann-token'] },
  { _id: 'bob', username: 'bob', password: 'y' },
]
const headers = { 'x-account-id': 'ann', 'x-auth-token': 'ann-token' }

/** Sends a request to the clock, of a sandbox if it has a name. */
async function callClock(app: FastifyInstance, options: InjectOptions, sandbox = '') {
  const url = `${sandbox === '' ? '' : `/sandboxes/${sandbox}`}/__admin/clock`
  const response = await app.inject({ method: 'GET', ...options, url })
  return { statusCode: response.statusCode, ...response.json() }
}

const change = (app: FastifyInstance, payload: object, sandbox?: string) =>
  callClock(app, { method: 'POST', payload }, sandbox)

t.test("the clock is the system's until it is set, frozen or advanced", async (t) => {
  let system = Date.UTC(2026, 5, 1)
  replace(t, Date, 'now', () => system)
  const app = await build(t, { fixtures: {} })
  const now = async () => (await callClock(app, {})).data
  t.same(await now(), { now: '2026-06-01T00:00:00.000Z', offset: 0, frozen: false })
  t.same((await change(app, { advance: 1500 })).data, {
    now: '2026-06-01T00:00:01.500Z',
    offset: 1500,
    frozen: false,
  })
  system += 1000
  t.same((await now()).now, '2026-06-01T00:00:02.500Z')
  t.same((await change(app, { freeze: true })).data, {
    now: '2026-06-01T00:00:02.500Z',
    offset: 1500,
    frozen: true,
  })
  system += 1000
  t.same(await now(), { now: '2026-06-01T00:00:02.500Z', offset: 500, frozen: true })
  t.match((await change(app, { advance: 500 })).data, {
    now: '2026-06-01T00:00:03.000Z',
    frozen: true,
  })
  t.match((await change(app, { set: '2030-02-03T04:05:06+02:00' })).data, {
    now: '2030-02-03T02:05:06.000Z',
    frozen: true,
  })
  await change(app, { freeze: false })
  system += 1000
  t.match(await now(), { now: '2030-02-03T02:05:07.000Z', frozen: false })
  t.match((await change(app, { set: '1970-01-01' })).data, { now: '1970-01-01T00:00:00.000Z' })
  await change(app, { set: '9999-12-31T23:59:59.999Z' })
  system += 1
  const last = { now: '9999-12-31T23:59:59.999Z', frozen: false }
  t.match(await now(), last, 'no time is later')
  t.match((await change(app, { advance: 0 })).data, last)
  system += 1
  t.match(await now(), last)
  t.match((await change(app, { freeze: true })).data, { frozen: true }, 'as at any other time')
  const reset = await callClock(app, { method: 'DELETE' })
  t.same(reset.data, { now: new Date(system).toISOString(), offset: 0, frozen: false })
})

/** Returns the message for a time that the clock can't be set to. */
const wrongTime = (value: string) =>
  `set must be a time from 1970-01-01T00:00:00Z to 9999-12-31T23:59:59.999Z, with its zone, not ${value}`

t.test('a wrong change of the clock is refused, and changes nothing', async (t) => {
  const app = await build(t, { fixtures: {} })
  await change(app, { freeze: true })
  await change(app, { set: '2026-01-01T00:00:00Z' })
  const cases: [body: unknown, message: string][] = [
    [{}, 'the body must be an object with one of advance, set, freeze, rewind, not {}'],
    [
      { advance: 1, freeze: true },
      'the body must be an object with one of advance, set, freeze, rewind, not {"advance":1,"freeze":true}',
    ],
    [{ advance: -1 }, 'advance must be an integer from 0 to 253402300799999, not -1'],
    [{ advance: '5' }, 'advance must be an integer from 0 to 253402300799999, not "5"'],
    [{ advance: 0.5 }, 'advance must be an integer from 0 to 253402300799999, not 0.5'],
    [{ advance: null }, 'advance must be an integer from 0 to 253402300799999, not null'],
    [{ advance: 1e300 }, 'advance must be an integer from 0 to 253402300799999, not 1e+300'],
    [
      { advance: 253402300799999 },
      'advance must not lead beyond 9999-12-31T23:59:59.999Z, as 253402300799999 from 2026-01-01T00:00:00.000Z does',
    ],
    [{ set: 5 }, wrongTime('5')],
    [{ set: '5' }, wrongTime('"5"')],
    [{ set: '' }, wrongTime('""')],
    [{ set: 'tomorrow' }, wrongTime('"tomorrow"')],
    [{ set: '2026-01-01T00:00:00' }, wrongTime('"2026-01-01T00:00:00"')],
    [{ set: '2026-02-30T00:00:00Z' }, wrongTime('"2026-02-30T00:00:00Z"')],
    [{ set: '2026-13-01' }, wrongTime('"2026-13-01"')],
    [{ set: '2026-01-01T25:00:00Z' }, wrongTime('"2026-01-01T25:00:00Z"')],
    [{ set: '1969-12-31T23:59:59Z' }, wrongTime('"1969-12-31T23:59:59Z"')],
    [{ set: '1970-01-01T00:00:00+01:00' }, wrongTime('"1970-01-01T00:00:00+01:00"')],
    [{ set: '9999-12-31T23:59:59-01:00' }, wrongTime('"9999-12-31T23:59:59-01:00"')],
    [{ set: '+275761-01-01T00:00:00Z' }, wrongTime('"+275761-01-01T00:00:00Z"')],
    [{ freeze: 'yes' }, 'freeze must be true or false, not "yes"'],
    [
      { sett: '2026-01-01' },
      '"sett" is not known here, which has advance, set, freeze, rewind; the closest one is set',
    ],
    [[], 'the body must be an object with one of advance, set, freeze, rewind, not []'],
  ]
  for (const [body, message] of cases) {
    const response = await change(app, body as object)
    t.match(response, { statusCode: 400, data: { code: 'BODY_INVALID', message } })
    t.equal(response.data.message, message)
  }
  t.match(await callClock(app, { method: 'POST' }), { statusCode: 400 })
  t.match((await callClock(app, {})).data, { now: '2026-01-01T00:00:00.000Z', frozen: true })
})

t.test('times of items, jobs and sessions follow the clock; the journal does not', async (t) => {
  const app = await build(t, {
    fixtures: { accounts, materials: [], jobs: [] },
    jobDuration: 60_000,
    sessionTtl: 600,
  })
  const before = new Date().toISOString()
  const now = '2031-01-01T00:00:00.000Z'
  await change(app, { freeze: true })
  await change(app, { set: now })
  const session = await logIn(app, 'ann', 'x')
  const created = await send(app, '/jobs/create', { method: 'PUT', headers, payload: {} })
  const { data: job } = created.json()
  t.match(job, { createdAt: now, updatedAt: now, statusTrack: [{ trackedAt: Date.parse(now) }] })
  await change(app, { advance: 1000 })
  const patch = { $currentDate: { seen: true } }
  const url = `/jobs/${job._id}`
  const patched = await send(app, url, { method: 'PATCH', headers, payload: patch })
  const later = '2031-01-01T00:00:01.000Z'
  t.match(patched.json().data, { createdAt: now, updatedAt: later, seen: later })
  const submitted = await send(app, `${url}/submit`, { method: 'POST', headers })
  t.match(submitted.json().data, { status: 'submitted', updatedAt: later })
  await change(app, { advance: 60_000 })
  t.match((await send(app, url, { headers })).json().data, {
    status: 'active',
    updatedAt: '2031-01-01T00:01:01.000Z',
  })
  await change(app, { advance: 600_000 })
  t.match((await send(app, url, { headers })).json().data, {
    status: 'finished',
    updatedAt: '2031-01-01T00:02:01.000Z',
  })
  t.equal((await send(app, url, { headers: session })).statusCode, 401)
  await change(app, { set: now })
  t.equal((await send(app, url, { headers: session })).statusCode, 401, 'it has ended')
  const journal = await app.inject('/__admin/requests?query={"method":"PATCH"}')
  const [{ at }] = journal.json().data
  t.ok(at >= before && at <= new Date().toISOString(), 'the journal has real times')
})

t.test(
  'each sandbox has a clock of its own, and a reset restores that of the system',
  async (t) => {
    const app = await build(t, { fixtures: {} })
    await app.inject({ method: 'PUT', url: '/__admin/sandboxes/ann' })
    await change(app, { freeze: true }, 'ann')
    await change(app, { advance: 5000 }, 'ann')
    t.match((await callClock(app, {})).data, { offset: 0, frozen: false })
    t.match((await callClock(app, {}, 'ann')).data, { frozen: true })
    await app.inject({ method: 'POST', url: '/sandboxes/ann/__admin/reset' })
    t.match((await callClock(app, {}, 'ann')).data, { offset: 0, frozen: false })
  },
)

t.test('a snapshot has no clock: jobs and sessions have the progress that they had', async (t) => {
  const app = await build(t, {
    fixtures: { accounts, jobs: [{ _id: 'j', status: 'pre-submission' }] },
    jobDuration: 60_000,
  })
  const readStatus = async () => (await send(app, '/jobs/j', { headers })).json().data.status
  await change(app, { freeze: true })
  await send(app, '/jobs/j/submit', { method: 'POST', headers })
  await change(app, { advance: 50_000 })
  await app.inject({ method: 'PUT', url: '/__admin/snapshots/s' })
  for (const set of ['2040-01-01', '1999-01-01']) {
    await change(app, { set })
    await app.inject({ method: 'POST', url: '/__admin/snapshots/s/restore' })
    await change(app, { advance: 9999 })
    t.equal(await readStatus(), 'submitted')
    await change(app, { advance: 1 })
    t.equal(await readStatus(), 'active')
  }
  await change(app, { set: '1970-01-01' }) // the submission would be 50 s before the first time
  await app.inject({ method: 'POST', url: '/__admin/snapshots/s/restore' })
  await change(app, { advance: 60_000 })
  t.equal(await readStatus(), 'active')
})

t.test('in process, the clock has the members of the control', async (t) => {
  const mock = await startMock({ logLevel: 'silent', fixtures: { accounts } })
  t.teardown(() => mock.close())
  const sandbox = mock.sandbox('ann')
  await sandbox.clock.freeze()
  t.match(await sandbox.clock.set(new Date(Date.UTC(2026, 0, 1))), { frozen: true })
  t.equal((await sandbox.clock.advance(1000)).now, '2026-01-01T00:00:01.000Z')
  t.equal(sandbox.clock.now, '2026-01-01T00:00:01.000Z')
  t.match(mock.clock, { offset: 0, frozen: false })
  await sandbox.clock.freeze(false)
  t.equal(sandbox.clock.frozen, false)
  t.ok(sandbox.clock.offset < 0)
  t.match(await sandbox.clock.reset(), { offset: 0, frozen: false })
  const invalid = { code: 'BODY_INVALID' }
  for (const ms of [-1, NaN, Infinity, 1.5, '5', undefined])
    await t.rejects(sandbox.clock.advance(ms as number), invalid)
  for (const time of [new Date(NaN), new Date(8.64e15), 'soon', 5, null])
    await t.rejects(sandbox.clock.set(time as string), invalid)
  await t.rejects(sandbox.clock.freeze('no' as never), invalid)
  await sandbox.close()
  await t.rejects(sandbox.clock.advance(1), { code: 'SANDBOX_NOT_FOUND' })
})

async function advanceInParts(app: FastifyInstance): Promise<void> {
  for (const advance of [49, 2, 0, 48, 51]) await change(app, { advance })
}

t.test('a job that has really waited is as one whose clock was advanced', async (t) => {
  const runJob = async (pass: (app: FastifyInstance) => Promise<unknown>) => {
    const app = await build(t, { jobDuration: 50 })
    const session = await logIn(app, 'demo', 'demo')
    const path = '/jobs/WcTtK8e6rPQPWSEm9'
    const submitted = await send(app, `${path}/submit`, { method: 'POST', headers: session })
    const start = Date.parse(submitted.json().data.updatedAt)
    await pass(app)
    const { status, statusTrack } = (await send(app, path, { headers: session })).json().data
    const url = listUrl('properties', { 'source.info.jobId': 'WcTtK8e6rPQPWSEm9' })
    const results = (await send(app, url, { headers: session })).json().data
    return {
      status,
      track: (statusTrack as { status: string; trackedAt: number }[])
        .slice(1)
        .map((record) => [record.status, record.trackedAt - start]),
      results: (results as { _id: string; data: object; createdAt: string }[]).map(
        ({ _id, data, createdAt }) => [_id, data, Date.parse(createdAt) - start],
      ),
    }
  }
  const waited = await runJob(() => wait(150))
  t.same(waited.track, [
    ['submitted', 0],
    ['active', 50],
    ['finished', 100],
  ])
  t.ok(waited.results.length > 0)
  t.same(await runJob((app) => change(app, { advance: 150 })), waited)
  t.same(await runJob(advanceInParts), waited)
})
