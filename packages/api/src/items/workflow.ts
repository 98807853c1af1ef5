import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'

import { Always, AnyObject, ENTITY_FIELDS, EntitySchema } from './entity-fields.js'
import { JobOutcome } from './job.js'

export const Workflow = EntitySchema('Workflow', {
  name: Always(ENTITY_FIELDS.name),
  properties: Always(
    Type.Array(Type.Union([Type.String(), AnyObject('A property.')]), {
      description: 'The names of the properties that its units compute.',
      examples: [['total_energy']],
    }),
  ),
  subworkflows: Always(
    Type.Array(AnyObject('A subworkflow with its application, model and units.'), {
      description: 'The subworkflows, each with its application, model and units.',
    }),
  ),
  units: Always(
    Type.Array(AnyObject('A unit: a subworkflow, a map or a reduce.'), {
      description: 'The units: subworkflows, maps and reduces.',
    }),
  ),
  workflows: Type.Optional(
    Type.Array(AnyObject('A workflow that a map runs.'), {
      description: 'The workflows that maps run.',
    }),
  ),
  outcome: Type.Optional(JobOutcome),
})
export type Workflow = Static<typeof Workflow>
