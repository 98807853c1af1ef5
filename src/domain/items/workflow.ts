import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'

import { JobOutcome } from './job-outcome.js'
import { AnyObject, ENTITY_FIELDS, ItemId } from './entity-fields.js'

/**
 * A workflow as it is stored and sent. All fields but `_id` are optional, and unknown fields are
 * valid.
 */
export const Workflow = Type.Object(
  {
    _id: ItemId,
    ...ENTITY_FIELDS,
    properties: Type.Optional(
      Type.Array(Type.Union([Type.String(), AnyObject('A property.')]), {
        description: 'The names of the properties that its units compute.',
        examples: [['total_energy']],
      }),
    ),
    subworkflows: Type.Optional(
      Type.Array(AnyObject('A subworkflow with its application, model and units.')),
    ),
    units: Type.Optional(Type.Array(AnyObject('A unit: a subworkflow, a map or a reduce.'))),
    workflows: Type.Optional(Type.Array(AnyObject('A workflow that a map runs.'))),
    outcome: Type.Optional(JobOutcome),
  },
  {
    $id: 'Workflow',
    additionalProperties: true,
    description: 'A workflow. Unknown fields are valid.',
  },
)
export type Workflow = Static<typeof Workflow>
