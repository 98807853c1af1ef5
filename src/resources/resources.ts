import type { TProperties, TSchema } from '@sinclair/typebox'

import { Job, NEW_JOB_FIELDS } from '../domain/items/job.js'
import { Material } from '../domain/items/material.js'
import { Project } from '../domain/items/project.js'
import { Property } from '../domain/items/property.js'
import { Workflow } from '../domain/items/workflow.js'
import { completeJob } from '../domain/jobs/complete-job.js'
import type { RelatedItems } from '../domain/jobs/complete-job.js'
import { resetJob } from '../domain/jobs/job-lifecycle.js'
import { computeFields } from '../domain/materials/computed-fields.js'
import type { SeedContext } from '../domain/seeding/common-fields.js'
import { completeMaterial } from '../domain/seeding/complete-material.js'
import { completeSeededJob } from '../domain/seeding/complete-seeded-job.js'
import { completeWorkflow } from '../domain/seeding/complete-workflow.js'
import type { JsonObject } from '../json/json.js'
import type { Lists } from '../query/list-query.js'
import type { RESOURCE_NAMES } from './resource-names.js'

/**
 * The rules of a resource. All of them are optional, because every file of fixtures is a resource.
 * Special routes of a resource are in `platform/`. The functions throw BodyInvalid.
 */
export interface ResourceDescriptor<Item = unknown> {
  /** The schema of the items. Its `$id` is the name of one item. Without a schema, items need only an `_id`. */
  readonly item?: ItemSchema<Item>
  /**
   * The fields that a client sends to create an item, beside `name` and `tags`, with the parts of each that the
   * server computes.
   */
  readonly sent?: Readonly<Record<string, readonly string[]>>
  /** The fields of a new item whose types differ from the fields of a stored item. */
  readonly newFields?: TProperties
  /** Completes an item that a client creates now, in ms since the epoch. */
  readonly create?: (item: JsonObject, related: RelatedItems, now: number) => JsonObject
  /** Completes the copy of an item that a client makes now, in ms since the epoch. */
  readonly copy?: (item: JsonObject, now: number) => JsonObject
  /** Completes an item after a PATCH. */
  readonly patch?: (item: JsonObject, previous: JsonObject) => JsonObject
  /** Completes a partial item (default: with the fields that all items have). */
  readonly seed?: (item: JsonObject, context: SeedContext, related: RelatedItems) => JsonObject
  /** The resource into which items of a bank are copied. The API can't change a bank in any other way. */
  readonly bankOf?: string
  /** The resources that this resource writes to. They are served even without fixtures. */
  readonly writesTo?: readonly string[]
  /** Whether the platform's lists of the resource ignore the parameters of its newest client. */
  readonly hasOldLists?: boolean
  /** Whether the resource is served even without fixtures; it is empty then. */
  readonly isAlwaysServed?: boolean
}

/** The schema of an object of a type. The compiler can't handle `TObject<…>` of an unknown type. */
export type ItemSchema<Item> = TSchema & {
  readonly properties: TProperties
  readonly static: Item
}

/** The types of items by their resources. */
export interface ItemTypes {
  readonly materials: Material
  readonly workflows: Workflow
  readonly projects: Project
  readonly jobs: Job
  readonly properties: Property
}

/** The `schemaVersion` of new materials if the fixtures have no `schemaVersion`. */
const MATERIAL_VERSION = '0.2.0'

/** The field that a client sends of a property. */
const RESULT = { data: [] }

const isSet = ({ isEntitySet }: JsonObject): boolean => isEntitySet === true

/** The resources whose items have a schema. */
const TYPED: { readonly [Name in keyof ItemTypes]: ResourceDescriptor<ItemTypes[Name]> } = {
  materials: {
    item: Material,
    sent: { lattice: ['vectors'], basis: ['cell', 'constraints', 'labels'] },
    create: ({ schemaVersion = MATERIAL_VERSION, ...item }) =>
      computeFields({ ...item, schemaVersion }),
    patch: computeFields,
    seed: completeMaterial,
  },
  workflows: { item: Workflow, seed: completeWorkflow },
  projects: { item: Project },
  jobs: {
    item: Job,
    sent: { workflow: [], _project: [], _material: [] },
    newFields: NEW_JOB_FIELDS,
    create: (item, related, now) => (isSet(item) ? item : completeJob(item, related, now)),
    copy: (item, now) => (isSet(item) ? item : resetJob(item, now)),
    seed: completeSeededJob,
    writesTo: ['properties'],
  },
  properties: { item: Property, sent: RESULT },
}

/** Returns the descriptor of a resource's bank, whose items every account may copy. */
const toBank = (name: keyof ItemTypes): ResourceDescriptor => ({
  ...(TYPED[name].item && { item: TYPED[name].item }),
  ...(TYPED[name].seed && { seed: TYPED[name].seed }),
  bankOf: name,
  writesTo: [name],
})

const DESCRIPTORS: Readonly<Record<(typeof RESOURCE_NAMES)[number], ResourceDescriptor>> = {
  ...TYPED,
  'bank-materials': toBank('materials'),
  'bank-workflows': toBank('workflows'),
  metaproperties: { sent: RESULT, hasOldLists: true },
  charges: { sent: { type: [], amount: [] }, hasOldLists: true },
  'raw-properties': { item: Property, sent: RESULT, hasOldLists: true, isAlwaysServed: true },
  'refined-properties': { item: Property, sent: RESULT, hasOldLists: true, isAlwaysServed: true },
  samples: { hasOldLists: true, isAlwaysServed: true },
  measurements: { hasOldLists: true, isAlwaysServed: true },
}

/** All resources of the platform by their names, in the order of `RESOURCE_NAMES`. */
export const RESOURCES: Readonly<Record<string, ResourceDescriptor>> = DESCRIPTORS

const ALWAYS_SERVED: readonly string[] = Object.keys(RESOURCES).filter(
  (name) => RESOURCES[name]?.isAlwaysServed === true,
)

/** Returns the descriptor of a resource, which is empty for a resource that the platform does not have. */
export const describeResource = (name: string): ResourceDescriptor =>
  Object.hasOwn(RESOURCES, name) ? (RESOURCES[name] as ResourceDescriptor) : {}

/**
 * Returns how the lists of a resource read their parameters for an option `lists`. The platform has
 * migrated only the resources for which its newest client sends all parameters.
 */
export function resolveLists(name: string, lists: Lists): Lists {
  const isMigrated = Object.hasOwn(RESOURCES, name) && describeResource(name).hasOldLists !== true
  return lists === 'migrated' && !isMigrated ? 'both' : lists
}

/** Returns the names of resources, and then of those that are served without fixtures. */
export const addImpliedResources = (names: Iterable<string>): string[] => {
  const given = [...names]
  const implied = given.flatMap((name) => describeResource(name).writesTo ?? [])
  return [...new Set([...given, ...implied, ...ALWAYS_SERVED])]
}
