import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'

/** A result that a job leaves, in place of those that are made up. */
export const GivenResult = Type.Object(
  {
    unit: Type.Optional(
      Type.String({
        description: 'The flowchartId or the name of the unit. The default is the one that has it.',
        examples: ['pw_scf'],
      }),
    ),
    data: Type.Object(
      { name: Type.String({ minLength: 1, examples: ['total_energy'] }) },
      { additionalProperties: true, description: 'The data of the property.' },
    ),
  },
  { additionalProperties: false },
)
export type GivenResult = Static<typeof GivenResult>

/** How a job ends, in place of success with results that are made up. */
export const JobOutcome = Type.Object(
  {
    status: Type.Optional(
      Type.Union([Type.Literal('finished'), Type.Literal('error')], {
        description: 'The last status of the job. The default is finished.',
      }),
    ),
    message: Type.Optional(
      Type.String({ description: 'What went wrong, for compute.errors and job.log.' }),
    ),
    results: Type.Optional(
      Type.Array(GivenResult, { description: 'All results that the job leaves.' }),
    ),
  },
  {
    $id: 'JobOutcome',
    additionalProperties: false,
    description: 'Of this mock: how the job, or each job of the workflow, ends.',
  },
)
export type JobOutcome = Static<typeof JobOutcome>
