import { Type } from '@sinclair/typebox'
import type { Static, TObject } from '@sinclair/typebox'

import type { JsonObject } from '../../json/json.js'
import { ENTITY_FIELDS, ItemId } from '../items/entity-fields.js'
import { Job } from '../items/job.js'
import { Material } from '../items/material.js'
import { Workflow } from '../items/workflow.js'
import { JOB_STATUSES } from '../jobs/job-status.js'
import { StringEnum } from '../string-enum.js'

const _id = Type.Optional(ItemId)
const OPEN = { additionalProperties: true }

/** A material to be completed. */
export const SeedMaterial = Type.Object({ ...Material.properties, _id }, OPEN)
export type SeedMaterial = Static<typeof SeedMaterial>

const status = Type.Optional(StringEnum(JOB_STATUSES))

/** A job to be completed. Its status is one of the platform's, as a misspelt one would never end. */
export const SeedJob = Type.Object({ ...Job.properties, _id, status }, OPEN)
export type SeedJob = Static<typeof SeedJob>

/** A workflow to be completed. */
export const SeedWorkflow = Type.Object({ ...Workflow.properties, _id }, OPEN)
export type SeedWorkflow = Static<typeof SeedWorkflow>

const SeedItem = Type.Object({ ...ENTITY_FIELDS, _id }, OPEN)

const SCHEMAS: Readonly<Record<string, TObject>> = {
  materials: SeedMaterial,
  'bank-materials': SeedMaterial,
  jobs: SeedJob,
  workflows: SeedWorkflow,
  'bank-workflows': SeedWorkflow,
}

/** Returns the schema of the partial items of a resource. */
export const getSeedSchema = (resource: string): TObject => SCHEMAS[resource] ?? SeedItem

/** Partial items by resource. */
export interface SeedItems {
  readonly materials?: readonly SeedMaterial[]
  readonly workflows?: readonly SeedWorkflow[]
  readonly jobs?: readonly SeedJob[]
  readonly [resource: string]: readonly object[] | undefined
}

/** A completed item of any resource. */
export type SeededItem = JsonObject & { readonly _id: string }

/** The completed items by resource; none of a resource that was not given. */
export interface SeededItems {
  readonly materials: readonly Material[]
  readonly workflows: readonly SeededItem[]
  readonly jobs: readonly SeededItem[]
  readonly [resource: string]: readonly object[]
}
