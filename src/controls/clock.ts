import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'

import type { ClockState, RunDescription } from '@materials-mock/api'
import { Text, quote } from '@materials-mock/json'
import { describeRun } from '../jobs/job-run.js'
import { BodyInvalid, ItemNotFound } from '../errors.js'
import { LAST_TIME } from '../store/clock.js'
import type { Clock } from '../store/clock.js'
import type { Store } from '../store/store.js'
import { defineOperation } from './control.js'

const LAST = new Date(LAST_TIME).toISOString()

const EXPECTED_TIME = `a time from 1970-01-01T00:00:00Z to ${LAST}, with its zone`

const Time = (description: string) =>
  Type.Optional(
    Type.String({
      pattern:
        '^\\d{4}-\\d\\d-\\d\\d(T\\d\\d:\\d\\d(:\\d\\d(\\.\\d{1,9})?)?(Z|[+-]\\d\\d:\\d\\d))?$',
      expected: EXPECTED_TIME,
      description,
      examples: ['2026-01-01T00:00:00Z'],
    }),
  )

/** The keys of a change of the clock, and of the clock in a scenario. */
export const CLOCK_KEYS = {
  advance: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: LAST_TIME,
      description: 'The time in ms by which the clock advances.',
      examples: [60_000],
    }),
  ),
  set: Time('The new time of the clock (ISO 8601). A date alone means midnight in UTC.'),
  freeze: Type.Optional(
    Type.Boolean({ description: 'Whether time stands still. false lets it continue.' }),
  ),
  rewind: Time(
    'The new time of the clock, with the jobs as they were then. When it goes forward again, they follow.',
  ),
}

export const ClockChange = Type.Object(CLOCK_KEYS, {
  $id: 'ClockChange',
  additionalProperties: false,
  minProperties: 1,
  maxProperties: 1,
  expected: `an object with one of ${Object.keys(CLOCK_KEYS).join(', ')}`,
  examples: [{ advance: 60_000 }],
})
export type ClockChange = Static<typeof ClockChange>

const ClockAnswer = Type.Object(
  {
    now: Text('2026-01-01T00:00:00.000Z', 'The time (ISO 8601, UTC).'),
    offset: Type.Integer({
      description: "The offset to the system's clock, in ms.",
      examples: [3_600_000],
    }),
    frozen: Type.Boolean({ description: 'Whether time stands still.', examples: [false] }),
  },
  { $id: 'Clock' },
)

const NullableTime = Type.Union([Type.String(), Type.Null()], {
  examples: ['2026-01-01T00:00:05.000Z'],
})

const Run = Type.Object(
  {
    submittedAt: NullableTime,
    activeAt: NullableTime,
    endsAt: NullableTime,
    units: Type.Array(
      Type.Object({
        name: Text('pw-scf'),
        startsAt: Text('2026-01-01T00:00:05.000Z'),
        endsAt: NullableTime,
        status: Text('finished'),
      }),
    ),
  },
  { $id: 'Run' },
)

const NO_JOB = new ItemNotFound('jobs', '9gyhfncWDhnSyzALv')

export const clockOperations = [
  defineOperation('GET /clock', 'clock-get', 'Get the clock', {
    description: 'The time of items, jobs and sessions.',
    success: ClockAnswer,
    ignoresJobs: true,
    run: ({ sandbox }) => sandbox.store.clock.state,
  }),
  defineOperation('POST /clock', 'clock-change', 'Advance, set or freeze the clock', {
    description:
      'The body has one of the keys. Everything that becomes due happens before the response: jobs run and sessions expire, in the order of their times.',
    body: ClockChange,
    success: ClockAnswer,
    isAtomic: false,
    run: ({ sandbox, body }) => changeClock(sandbox.store, body),
  }),
  defineOperation('DELETE /clock', 'clock-reset', 'Return to the clock of the system', {
    description: 'Everything that becomes due happens before the response.',
    success: ClockAnswer,
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
    params: Type.Object({ jobId: Text('9gyhfncWDhnSyzALv') }),
    success: Run,
    errors: [NO_JOB],
    isAtomic: false,
    run: ({ sandbox, params: { jobId } }): RunDescription => {
      const jobs = sandbox.store.timed.get('jobs')
      const written = jobs?.find(jobId)
      if (written === undefined) throw new ItemNotFound('jobs', jobId)
      const life = jobs?.findLife(jobId)
      return describeRun(life?.kind === 'job' ? life.run.whole : written.item)
    },
  }),
] as const

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
