import { SHAPES } from '@materials-mock/api'
import type { ResourceShape } from '@materials-mock/api'
import type { JsonObject } from '@materials-mock/json'
import { computeFields } from '@materials-mock/structures'
import { completeJob } from '../jobs/complete-job.js'
import type { RelatedItems } from '../jobs/complete-job.js'
import { resetJob } from '../jobs/job-lifecycle.js'
import type { SeedContext } from './seeding/common-fields.js'
import { completeMaterial } from './seeding/complete-material.js'
import { completeProject } from './seeding/complete-project.js'
import { completeProperty } from './seeding/complete-property.js'
import { completeSeededJob } from './seeding/complete-seeded-job.js'
import { completeWorkflow } from './seeding/complete-workflow.js'

/** What the server does with the items of a resource that are written. The functions throw BodyInvalid. */
interface Rules {
  /** Completes an item that a client creates now, in ms since the epoch. */
  readonly create?: (item: JsonObject, related: RelatedItems, now: number) => JsonObject
  /** Completes the copy of an item that a client makes now, in ms since the epoch. */
  readonly copy?: (item: JsonObject, now: number) => JsonObject
  /** Completes an item after a PATCH. */
  readonly patch?: (item: JsonObject, previous: JsonObject) => JsonObject
  /** Completes a partial item that is seeded or created (default: with the fields that all items have). */
  readonly complete?: (item: JsonObject, context: SeedContext, related: RelatedItems) => JsonObject
}

export type ResourceDescriptor = ResourceShape & Rules

const isSet = ({ isEntitySet }: JsonObject): boolean => isEntitySet === true

/** Computes the fields of a structure. What a client sends of them without one has no meaning. */
function computeFieldsOfNew(item: JsonObject): JsonObject {
  if (item.basis !== undefined || item.lattice !== undefined) return computeFields(item)
  const { hash: _, scaledHash: __, exabyteId: ___, derivedProperties: ____, ...given } = item
  return given
}

const RULES: Readonly<Record<string, Rules>> = {
  materials: {
    create: (item) => (isSet(item) ? item : computeFieldsOfNew(item)),
    patch: computeFields,
    complete: completeMaterial,
  },
  workflows: { complete: completeWorkflow },
  projects: { complete: completeProject },
  jobs: {
    create: (item, related, now) => (isSet(item) ? item : completeJob(item, related, now)),
    copy: (item, now) => (isSet(item) ? item : resetJob(item, now)),
    complete: completeSeededJob,
  },
  properties: { complete: completeProperty },
  'bank-materials': { complete: completeMaterial },
  'bank-workflows': { complete: completeWorkflow },
  'raw-properties': { complete: completeProperty },
  'refined-properties': { complete: completeProperty },
}

/** All resources of the platform by their names, in the order of `RESOURCE_NAMES`. */
export const RESOURCES: Readonly<Record<string, ResourceDescriptor>> = Object.fromEntries(
  Object.entries(SHAPES).map(([name, shape]) => [name, { ...shape, ...RULES[name] }]),
)

/** Returns the descriptor of a resource, which is empty for a resource that the platform does not have. */
export const describeResource = (name: string): ResourceDescriptor =>
  Object.hasOwn(RESOURCES, name) ? RESOURCES[name]! : {}
