import type { FastifyInstance } from 'fastify'
import t from 'tap'

import type { JsonObject } from '@materials-mock/json'
import { build, listUrl, logIn, send } from '../helpers/build.js'
import { replace } from '../helpers/replace.js'

/** In ms. */
const DURATION = 80_000

/** The statuses that a unit ends with. */
const ENDS: ReadonlySet<string> = new Set(['finished', 'error', 'terminated', 'timeout'])

interface Unit {
  readonly name: string
  readonly status: string
  readonly statusTrack?: readonly {
    readonly status: string
    readonly trackedAt: number
    readonly repetition?: number
  }[]
}

interface Job {
  readonly _id: string
  readonly status: string
  readonly workflow: { readonly subworkflows: readonly { readonly units: readonly Unit[] }[] }
  readonly scopeTrack?: readonly { readonly repetition: number }[]
}

/** What the platform's viewer shows of a job that runs. The times are in seconds. */
interface Shown {
  readonly status: string
  readonly units: readonly {
    readonly name: string
    readonly status: string
    readonly startedAt: number | undefined
    readonly endedAt: number | undefined
  }[]
  readonly repetitions: readonly number[]
  readonly log: string
  /** The sizes of the files by their names. */
  readonly sizes: ReadonlyMap<string, number>
}

/** Reads a job by the rules of the viewer. */
async function show(
  app: FastifyInstance,
  id: string,
  headers: Record<string, string>,
): Promise<Shown> {
  const job: Job = (await send(app, `/jobs/${id}`, { headers })).json().data
  const files: { name: string; size: number; signedUrl: string }[] = (
    await send(app, `/jobs/${id}/files`, { headers })
  ).json().data
  const log = files.find(({ name }) => name === 'job.log')?.signedUrl
  const url = log?.replace('http://localhost:80', '')
  return {
    status: job.status,
    units: job.workflow.subworkflows
      .flatMap(({ units }) => units)
      .map(({ name, status, statusTrack = [] }) => ({
        name,
        status,
        startedAt: statusTrack.find((each) => each.status !== 'idle')?.trackedAt,
        endedAt: statusTrack.find((each) => ENDS.has(each.status))?.trackedAt,
      })),
    repetitions: (job.scopeTrack ?? []).map(({ repetition }) => repetition),
    log: url === undefined ? '' : (await app.inject({ method: 'GET', url })).payload,
    sizes: new Map(files.map(({ name, size }) => [name, size])),
  }
}

/** Creates and submits a job with the workflow of a name, and shows it every second until it has ended. */
async function watch(
  t: Parameters<typeof build>[0],
  name: string,
  fields: JsonObject = {},
): Promise<{ shown: Shown[]; from: number; to: number }> {
  let now = 1_800_000_000_000
  replace(t, Date, 'now', () => now)
  const app = await build(t, { jobDuration: DURATION })
  const headers = await logIn(app, 'demo', 'demo')
  const [workflow] = (await send(app, listUrl('workflows', { name }), { headers })).json().data
  const payload = { name: 'watched', workflow: { _id: workflow._id }, ...fields }
  const created = await send(app, '/jobs/create', { method: 'PUT', headers, payload })
  const { _id } = created.json().data
  await send(app, `/jobs/${_id}/submit`, { method: 'POST', headers })
  const from = now / 1000
  const shown = [await show(app, _id, headers)]
  while (now < 1_800_000_000_000 + 2 * DURATION) {
    now += 4000
    shown.push(await show(app, _id, headers))
  }
  return { shown, from, to: now / 1000 }
}

t.test('the viewer shows a job from its start to its end', async (t) => {
  const { shown, from, to } = await watch(t, 'Total Energy with Convergence')
  t.same([...new Set(shown.map(({ status }) => status))], ['submitted', 'active', 'finished'])
  for (const [index, { status, units, log, repetitions }] of shown.entries()) {
    const running = units.filter((unit) => unit.status === 'active')
    t.equal(running.length, status === 'active' ? 1 : 0, 'one unit after the other')
    for (const { startedAt, endedAt = Infinity } of units) {
      if (startedAt === undefined) continue
      t.ok(startedAt >= from && startedAt <= to && endedAt > startedAt, 'in seconds')
    }
    const former = shown[index - 1]
    if (former === undefined) continue
    t.ok(log.startsWith(former.log), 'the log grows at its end')
    t.same(repetitions.slice(0, former.repetitions.length), former.repetitions)
    for (const [at, { startedAt, endedAt }] of former.units.entries()) {
      t.equal(units[at]?.startedAt, startedAt ?? units[at]?.startedAt, 'a start remains')
      t.equal(units[at]?.endedAt, endedAt ?? units[at]?.endedAt, 'an end remains')
    }
  }
  const [first, last] = [shown[0], shown.at(-1)]
  t.match(first?.log, /submitted\n$/)
  t.ok(first?.units.every(({ startedAt }) => startedAt === undefined))
  t.ok(new Set(shown.map(({ log }) => log)).size > 8, 'the log grows while the job runs')
  t.match(last?.log, /unit exit finished\n.*finished\n$/)
  t.same(last?.repetitions, [0, 1, 2])
  const starts = last?.units.map(({ startedAt }) => startedAt) as number[]
  t.same(
    starts,
    starts.toSorted((a, b) => a - b),
    'in the order of the flowchart',
  )
  t.ok(last?.units.every(({ endedAt }) => endedAt !== undefined))
})

t.test('the viewer shows the unit that fails, and none after it', async (t) => {
  const outcome = { status: 'error', unit: 'pw_scf', message: 'too little memory' }
  const { shown } = await watch(t, 'Band Structure', { outcome })
  const last = shown.at(-1)
  const sizes = shown.map((each) => each.sizes.get('pw_scf.out') ?? 0)
  t.same(
    sizes,
    sizes.toSorted((a, b) => a - b),
    'an output grows, and keeps what it has when its unit fails',
  )
  t.ok(new Set(sizes).size > 5)
  t.equal(last?.status, 'error')
  t.same(
    last?.units.map(({ name, status, endedAt }) => [name, status, endedAt !== undefined]),
    [
      ['pw_scf', 'error', true],
      ['pw_bands', 'idle', false],
      ['bands', 'idle', false],
    ],
  )
  t.match(last?.log, /ERROR: too little memory\n$/)
})

t.test('the shipped jobs have each status, and do not change with time', async (t) => {
  let now = Date.now()
  replace(t, Date, 'now', () => now)
  const app = await build(t, { jobDuration: 1000 })
  const headers = await logIn(app, 'demo', 'demo')
  const list = async (): Promise<Job[]> => (await send(app, '/jobs', { headers })).json().data
  const jobs = await list()
  t.same([...new Set(jobs.map(({ status }) => status))].toSorted(), [
    'active',
    'error',
    'finished',
    'pre-submission',
    'submitted',
  ])
  now += 1_000_000_000
  t.same(await list(), jobs)
  const running = jobs.find(({ status }) => status === 'active')
  t.match((await show(app, running?._id ?? '', headers)).log, /unit pw_bands active\n$/)
  const converged = jobs.filter(({ scopeTrack }) => scopeTrack !== undefined)
  t.match(converged, [{ status: 'finished' }])
  t.ok(
    converged[0]?.workflow.subworkflows
      .flatMap(({ units }) => units)
      .some(({ statusTrack }) => statusTrack?.some(({ repetition }) => repetition === 2)),
  )
})
