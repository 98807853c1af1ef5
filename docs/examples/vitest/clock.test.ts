import { startMock } from 'materials-mock'
import { afterEach, expect, inject, test, vi } from 'vitest'

import { waitForJob } from './jobs.js'

const job = 'WcTtK8e6rPQPWSEm9'
const headers = { 'X-Account-Id': 'oEb32zJWy27miFESb', 'X-Auth-Token': 'demo-preferences-token' }

afterEach(() => void vi.useRealTimers())

test('the timers of the test and the clock of the mock', async () => {
  const sandbox = `${inject('mockUrl')}/__admin/sandboxes/clock`
  const made = await fetch(sandbox, { method: 'PUT' })
  const { url } = ((await made.json()) as { data: { url: string } }).data
  const setClock = (body: object) =>
    fetch(`${url}/__admin/clock`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
  await setClock({ set: '2026-01-01T08:00:00Z' })
  await setClock({ freeze: true })
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout'], now: new Date('2026-01-01T08:00:00Z') })

  const base = `${url}/api/2018-10-01`
  await fetch(`${base}/jobs/${job}/submit`, { method: 'POST', headers })
  const ended = waitForJob(job, { base, headers })
  await setClock({ advance: 10_000 })
  await vi.advanceTimersByTimeAsync(10_000)
  expect(await ended).toEqual({ status: 'finished', ms: 10_000 })
  await fetch(sandbox, { method: 'DELETE' })
})

test('a mock in the same process follows the Date of the test', async () => {
  const mock = await startMock()
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-01-01T08:00:00Z') })
  await mock.fetch(`/api/2018-10-01/jobs/${job}/submit`, { method: 'POST', headers })
  vi.setSystemTime('2026-01-01T08:01:00Z')
  expect(mock.clock.now).toBe('2026-01-01T08:01:00.000Z')
  const response = await mock.fetch(`/api/2018-10-01/jobs/${job}`, { headers })
  expect(await response.json()).toMatchObject({ data: { status: 'finished' } })
  await mock.close()
})
