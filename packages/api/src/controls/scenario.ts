import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'

import { CLOCK_KEYS } from './clock.js'
import { Fault } from './fault.js'

const ItemLists = Type.Optional(
  Type.Record(Type.String(), Type.Array(Type.Object({}, { additionalProperties: true }))),
)

/** What time does to `items`, by resource and `_id`: the runs of jobs, and from when their results are there. */
const Lives = Type.Optional(
  Type.Record(
    Type.String(),
    Type.Record(Type.String(), Type.Object({}, { additionalProperties: true })),
  ),
)

/** The parameters of the page's address where a scenario opens, such as `?resource=jobs`. */
export const View = Type.String({ pattern: '^\\?', examples: ['?resource=jobs'] })

/** A state of a sandbox in `scenarios.json`. */
export const Scenario = Type.Object(
  {
    items: ItemLists,
    lives: Lives,
    seed: ItemLists,
    faults: Type.Optional(Type.Array(Fault)),
    clock: Type.Optional(Type.Object(CLOCK_KEYS, { additionalProperties: false })),
    view: Type.Optional(View),
  },
  { $id: 'Scenario', additionalProperties: false, examples: [{ items: { materials: [] } }] },
)
export type Scenario = Static<typeof Scenario>
