import { EXPECTED_TIME, LAST_TIME } from '@materials-mock/api'
import type { ClockChange, ClockState } from '@materials-mock/api'
import { quote } from '@materials-mock/json'
import { describeRun } from '../jobs/job-run.js'
import { BodyInvalid, ItemNotFound } from '../errors.js'
import type { Clock } from '../store/clock.js'
import type { Store } from '../store/store.js'
import { defineOperation } from './control.js'

const LAST = new Date(LAST_TIME).toISOString()

const NO_JOB = new ItemNotFound('jobs', '9gyhfncWDhnSyzALv')

export const clockOperations = [
  defineOperation('GET /clock', 'clock-get', 'Get the clock', {
    description: 'The time of items, jobs and sessions.',
    ignoresJobs: true,
    run: ({ sandbox }) => sandbox.store.clock.state,
  }),
  defineOperation('POST /clock', 'clock-change', 'Advance, set or freeze the clock', {
    description:
      'The body has one of the keys. Everything that becomes due happens before the response: jobs run and sessions expire, in the order of their times.',
    isAtomic: false,
    run: ({ sandbox, body }) => changeClock(sandbox.store, body),
  }),
  defineOperation('DELETE /clock', 'clock-reset', 'Return to the clock of the system', {
    description: 'Everything that becomes due happens before the response.',
    isAtomic: false,
    run: async ({ sandbox: { store } }) => {
      store.clock.reset()
      await store.catchUp()
      return store.clock.state
    },
  }),
  defineOperation('GET /runs/:jobId', 'runs-get', 'Get the life of a job', {
    description:
      'The times of a job and of the runs of its units (ISO 8601), also those that are still to come, each with the status that it ends with. A time that is not known is null: a job that was never submitted has none.',
    errors: [NO_JOB],
    isAtomic: false,
    run: ({ sandbox, params: { jobId } }) => {
      const jobs = sandbox.store.timed.get('jobs')
      const written = jobs?.find(jobId)
      if (written === undefined) throw new ItemNotFound('jobs', jobId)
      const life = jobs?.findLife(jobId)
      return describeRun(life?.kind === 'job' ? life.run.whole : written.item)
    },
  }),
]

/**
 * Resolves after all due transitions.
 * @throws BodyInvalid for a time that the clock can't have
 */
export async function changeClock(store: Store, change: ClockChange): Promise<ClockState> {
  applyClockChange(store.clock, change)
  await store.catchUp()
  return store.clock.state
}

/**
 * Freezes or continues, sets, then advances.
 * @throws BodyInvalid; the clock is unchanged then
 */
export function applyClockChange(
  clock: Clock,
  { set, rewind, advance, freeze }: ClockChange,
): void {
  if (set !== undefined && rewind !== undefined)
    throw new BodyInvalid('set and rewind must not come together: both are the new time')
  const given = parseTime('set', set) ?? parseTime('rewind', rewind)
  const time = (given ?? clock.now()) + (advance ?? 0)
  if (time > LAST_TIME) {
    throw new BodyInvalid(
      `advance must not lead beyond ${LAST}, as ${advance} from ${clock.state.now} does`,
    )
  }
  if (freeze !== undefined) clock.freeze(freeze)
  if (given !== undefined || advance !== undefined)
    clock.set(time, rewind !== undefined || (set === undefined && clock.isRewound))
}

/** @throws BodyInvalid, with the key, for an impossible day and for a time out of range */
function parseTime(key: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const time = Date.parse(text)
  const [day = ''] = text.split('T')
  const exists = Date.parse(day) >= 0 && new Date(day).toISOString().startsWith(day)
  if (exists && time >= 0 && time <= LAST_TIME) return time
  throw new BodyInvalid(`${key} must be ${EXPECTED_TIME}, not ${quote(text)}`)
}
