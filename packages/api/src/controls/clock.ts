import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'

import { Text } from '@materials-mock/json'

/** The last time of a clock, in ms since the epoch. The texts of later times have another form. */
export const LAST_TIME = Date.parse('9999-12-31T23:59:59.999Z')

export const EXPECTED_TIME = `a time from 1970-01-01T00:00:00Z to ${new Date(LAST_TIME).toISOString()}, with its zone`

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

/** The state of a clock. */
export const ClockState = Type.Object(
  {
    /** ISO 8601, in UTC. */
    now: Text('2026-01-01T00:00:00.000Z', 'The time (ISO 8601, UTC).'),
    /** The offset to the system's clock, in ms. */
    offset: Type.Integer({
      description: "The offset to the system's clock, in ms.",
      examples: [3_600_000],
    }),
    frozen: Type.Boolean({ description: 'Whether time stands still.', examples: [false] }),
  },
  { $id: 'Clock' },
)
export type ClockState = Readonly<Static<typeof ClockState>>

const NullableTime = Type.Union([Type.String(), Type.Null()], {
  examples: ['2026-01-01T00:00:05.000Z'],
})

/** The life of a job, for people: times in ISO 8601, null where there is none. */
export const RunDescription = Type.Object(
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
export type RunDescription = Readonly<Static<typeof RunDescription>>
