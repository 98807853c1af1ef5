import { deepStrictEqual } from 'node:assert/strict'

import fc from 'fast-check'
import t from 'tap'

import type { JsonObject } from '@materials-mock/json'
import { changeClock } from '../../src/controls/clock.js'
import { resetJob, submitJob } from '../../src/jobs/job-lifecycle.js'
import { loadFixtures } from '../../src/fixtures/load-fixtures.js'
import { LoadedFixtures } from '../../src/store/loaded-fixtures.js'
import { Store } from '../../src/store/store.js'
import { replace } from '../helpers/replace.js'

const START = Date.UTC(2026, 0, 1)
const DURATION = 100
const OPTIONS = { jobDuration: DURATION, sessionTtl: 0.25 }

const fixtures = await loadFixtures('fixtures')
const [material] = fixtures.resources.get('materials') ?? []
const workflows = ['workflows', 'bank-workflows'].flatMap(
  (resource) => fixtures.resources.get(resource) ?? [],
)

/** A job of a test that is submitted at a time, in ms after the start, or was loaded so. */
interface Submission {
  readonly at: number
  readonly isLoaded: boolean
  readonly workflow: number
  readonly fails: boolean
  /** The index of the job whose relaxed structure it runs with, if that has ended; else a fixture's. */
  readonly after: number
}

function toJob(index: number, { at, isLoaded, workflow, fails, after }: Submission): JsonObject {
  const job = resetJob(
    {
      _id: `job-${index}`,
      owner: material?.owner as JsonObject,
      workflow: workflows[workflow % workflows.length] as JsonObject,
      _materials: [{ _id: relaxedIds[after] ?? '' }, { _id: String(material?._id) }],
      ...(fails && { outcome: { status: 'error', message: 'out of memory' } }),
    },
    START,
  )
  return isLoaded ? submitJob(job, START + at) : job
}

/** The `_id`s of the materials that the jobs leave if they relax a structure. */
const relaxedIds: string[] = []

/** Goes to a time, in ms after the start. All that is due has happened when the promise resolves. */
type GoTo = (store: Store, time: number) => Promise<void>

/** Submits jobs, each at its time, and stops at other times. Returns all that the store has then. */
async function run(submissions: readonly Submission[], stops: readonly number[], goTo: GoTo) {
  const jobs = submissions.map((submission, index) => toJob(index, submission))
  const resources = new Map([...fixtures.resources, ['jobs', jobs] as const])
  const store = new Store(new LoadedFixtures({ ...fixtures, resources }, OPTIONS))
  const collection = store.getCollection('jobs')
  const tokens: string[] = []
  const events = [
    ...submissions.map(({ at, isLoaded }, index) => ({ at, index: isLoaded ? undefined : index })),
    ...stops.map((at) => ({ at, index: undefined })),
  ].toSorted((a, b) => a.at - b.at)
  for (const { at, index } of events) {
    await goTo(store, at)
    if (index === undefined) continue
    tokens.push(store.sessions.open('oEb32zJWy27miFESb'))
    const entry = collection.findById(`job-${index}`, () => true)
    if (entry !== undefined) collection.replace(entry, submitJob(entry.item, store.clock.now()))
  }
  const items = [...store.collections].map(
    ([name, { entries }]) => [name, entries.map(({ item }) => item)] as const,
  )
  return {
    items: new Map(items),
    sessions: tokens.map((token) => store.sessions.findAccountId(token)),
    openSessions: store.sessions.save().sessions.size,
  }
}

/** The last stop of every run, in ms after the start. */
const END = 500

const submissions = fc.array(
  fc.record({
    at: fc.nat(END),
    isLoaded: fc.boolean(),
    workflow: fc.nat(workflows.length),
    fails: fc.boolean(),
    after: fc.nat(5),
  }),
  { minLength: 1, maxLength: 6 },
)

t.test('advancing by any parts of a span ends as waiting does, or one advance', async (t) => {
  let system = START
  replace(t, Date, 'now', () => system)
  const asWaiting: GoTo = async (store, time) => {
    system = START + time
    await store.jobClock.advance()
    store.sessions.expire() // a session ends by itself, but is counted until somebody asks for it
  }
  const byAdvances: GoTo = async (store, time) => {
    await changeClock(store, { advance: START + time - store.clock.now() })
  }
  const bySetting: GoTo = async (store, time) => {
    await changeClock(store, { set: new Date(START + time).toISOString() })
  }
  const relaxation = workflows.findIndex(({ name }) => name === 'Variable-cell Relaxation')
  for (let index = 0; index < 6; index += 1) {
    const job = { at: 0, isLoaded: false, workflow: relaxation, fails: false, after: -1 }
    const { items } = await run(
      Array.from({ length: index + 1 }, () => job),
      [END],
      byAdvances,
    )
    relaxedIds.push(String(items.get('materials')?.at(-1)?._id))
  }
  t.equal(new Set(relaxedIds).size, 6)
  const property = fc.assert(
    fc.asyncProperty(submissions, fc.array(fc.nat(END), { maxLength: 20 }), async (jobs, parts) => {
      const stops = [...parts, END]
      const waited = await run(jobs, stops, asWaiting)
      system = START
      deepStrictEqual(await run(jobs, stops, byAdvances), waited)
      deepStrictEqual(await run(jobs, [END], byAdvances), waited)
      deepStrictEqual(await run(jobs, [END], bySetting), waited)
      deepStrictEqual(await run(jobs, stops, frozen(byAdvances)), waited)
      system = START
    }),
    { numRuns: 40 },
  )
  await t.resolves(property)
})

/** Goes to a time with a clock that stands still in between, while that of the system goes on. */
const frozen =
  (goTo: GoTo): GoTo =>
  async (store, time) => {
    if (!store.clock.state.frozen) await changeClock(store, { freeze: true })
    await goTo(store, time)
  }
