import { Type } from '@sinclair/typebox'
import type { Static, TObject, TUnsafe } from '@sinclair/typebox'

import { OptionalText, StringEnum, Text, isJsonObject } from '@materials-mock/json'
import type { Json, JsonObject } from '@materials-mock/json'
import { Always, AnyObject, EntitySchema } from './entity-fields.js'

/** The statuses of a job (the platform's schema `job/base`, https://github.com/Exabyte-io/esse). */
export const JOB_STATUSES = [
  'pre-submission',
  'queued',
  'submitted',
  'active',
  'finished',
  'terminate-queued',
  'terminated',
  'error',
  'deleted',
  'timeout',
] as const
export type JobStatus = (typeof JOB_STATUSES)[number]

/** A given result of a job, which replaces the made-up results. */
export const GivenResult = Type.Object(
  {
    unit: OptionalText(
      'pw_scf',
      'The flowchartId or the name of the unit. The default is the unit that has the result.',
    ),
    data: Type.Object(
      {
        name: Type.String({
          minLength: 1,
          description: 'The name of the property.',
          examples: ['total_energy'],
        }),
      },
      { additionalProperties: true, description: 'The data of the property.' },
    ),
  },
  { additionalProperties: false },
)
export type GivenResult = Static<typeof GivenResult>

/** How a job ends, instead of success with made-up results. */
export const JobOutcome = Type.Object(
  {
    status: Type.Optional(
      Type.Union([Type.Literal('finished'), Type.Literal('error')], {
        description: 'The last status of the job. The default is finished.',
      }),
    ),
    unit: OptionalText(
      'pw_scf',
      'The name or flowchartId of the unit that fails. The default is the last unit that executes a program.',
    ),
    message: Type.Optional(
      Type.String({ description: 'The message of the failure, for compute.errors and job.log.' }),
    ),
    results: Type.Optional(Type.Array(GivenResult, { description: 'All results of the job.' })),
  },
  {
    $id: 'JobOutcome',
    additionalProperties: false,
    description: 'Only in this mock: how the job, or each job of the workflow, ends.',
  },
)
export type JobOutcome = Static<typeof JobOutcome>

export const WorkflowOfJob = (description: string) =>
  Type.Object(
    { outcome: Type.Optional(JobOutcome) },
    { additionalProperties: true, description },
  ) as TUnsafe<Record<string, unknown>>

export const JobReference = (description: string, cls: string) =>
  Type.Object(
    {
      _id: Always(
        Type.String({
          minLength: 1,
          description: 'The _id of the item.',
          examples: ['K3b8xTqWn5RzLc7Fd'],
        }),
      ),
      slug: OptionalText('silicon-fcc', 'The name in URLs.'),
      cls: OptionalText(cls, 'The type of the item.'),
    },
    { description },
  )

export const JobStatusChange = Type.Object({
  status: Text('pre-submission', 'The status.'),
  trackedAt: Always(
    Type.Number({ description: 'The time in ms since the epoch.', examples: [1705140766000] }),
  ),
})

export const Job = EntitySchema('Job', {
  name: Always(OptionalText('Silicon total energy', 'The name.')),
  slug: Always(OptionalText('silicon-total-energy', 'The name in URLs.')),
  status: Always(
    StringEnum(JOB_STATUSES, {
      description: 'The status.',
      examples: ['pre-submission', 'submitted', 'active', 'finished', 'error'],
    }),
  ),
  statusTrack: Always(
    Type.Array(JobStatusChange, { description: 'The statuses that the job has had, in order.' }),
  ),
  workflow: Always(Type.Union([WorkflowOfJob('The workflow of the job, embedded.'), Type.Null()])),
  compute: Always(AnyObject('Where and how the job runs.')),
  _project: Type.Optional(
    Type.Union([JobReference('The project of the job.', 'Project'), Type.Null()]),
  ),
  _material: Type.Optional(
    Type.Union([
      JobReference('The material of the job.', 'Material'),
      Type.Null(),
      Type.Literal('null'), // as the platform's client sends none
    ]),
  ),
  _materials: Type.Optional(
    Type.Array(JobReference('A material of the job.', 'Material'), {
      description: 'The materials of the job.',
    }),
  ),
  outcome: Type.Optional(JobOutcome),
})
export type Job = Static<typeof Job>

const ItemReference = (description: string, example: string): TObject =>
  Type.Object(
    { _id: Type.String({ minLength: 1, examples: [example] }) },
    { additionalProperties: true, description },
  )

const JobMaterial = ItemReference('The material of the job.', 'K3b8xTqWn5RzLc7Fd')

/** The fields of a new job that refer to other items or that are completed. */
export const NEW_JOB_FIELDS = {
  workflow: Type.Optional(
    Type.Union([
      Type.Null(),
      WorkflowOfJob('The _id of a workflow, which is embedded, or a whole workflow.'),
    ]),
  ),
  _project: Type.Optional(
    Type.Union([
      Type.Null(),
      ItemReference(
        "The project of the job. The default is the account's default project.",
        '7Hn2',
      ),
    ]),
  ),
  _material: Type.Optional(Type.Union([Type.Null(), Type.Literal('null'), JobMaterial])),
  _materials: Type.Optional(Type.Array(JobMaterial)),
  compute: Type.Optional(AnyObject('Where and how the job runs. Each field has a default.')),
}

/** Returns how a job ends: its own `outcome`, or else the `outcome` of its workflow, or else success. */
export function findOutcome({ outcome = null, workflow = null }: JsonObject): JobOutcome {
  if (isJsonObject(outcome)) return outcome as JobOutcome
  const byWorkflow: Json = isJsonObject(workflow) ? (workflow.outcome ?? null) : null
  return isJsonObject(byWorkflow) ? (byWorkflow as JobOutcome) : {}
}
