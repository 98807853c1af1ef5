import { Type } from '@sinclair/typebox'
import type { Static, TObject, TProperties, TSchema } from '@sinclair/typebox'

import { Always, AnyObject, ENTITY_FIELDS, ItemId } from '../domain/items/entity-fields.js'
import { Job, JobOutcome, WorkflowOfJob } from '../domain/items/job.js'
import { Material } from '../domain/items/material.js'
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

/** A workflow as it is stored and sent. All fields except `_id` are optional, and unknown fields are valid. */
export const Workflow = Type.Object(
  {
    _id: ItemId,
    ...ENTITY_FIELDS,
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
  },
  {
    $id: 'Workflow',
    additionalProperties: true,
    description: 'A workflow. Unknown fields are valid.',
  },
)
export type Workflow = Static<typeof Workflow>

/** A project as it is stored and sent. All fields except `_id` are optional, and unknown fields are valid. */
export const Project = Type.Object(
  {
    _id: ItemId,
    ...ENTITY_FIELDS,
    name: Always(ENTITY_FIELDS.name),
    slug: Always(Type.String({ description: 'The name in URLs.', examples: ['demo-default'] })),
    description: Type.Optional(
      Type.Union([Type.String(), Type.Null()], { description: 'The purpose of the project.' }),
    ),
  },
  {
    $id: 'Project',
    additionalProperties: true,
    description: 'A project. Unknown fields are valid.',
  },
)
export type Project = Static<typeof Project>

/**
 * A property, which is a result of a job, as it is stored and sent. All fields except `_id` are
 * optional, and unknown fields are valid.
 */
export const Property = Type.Object(
  {
    _id: ItemId,
    ...ENTITY_FIELDS,
    slug: Type.Optional(
      Type.String({ description: 'The name of the property.', examples: ['total_energy'] }),
    ),
    group: Type.Optional(
      Type.String({
        description: 'The method that computed the property.',
        examples: ['qe:dft:gga:pbe'],
      }),
    ),
    data: Always(
      Type.Object(
        {
          name: Always(
            Type.String({ description: 'The name of the property.', examples: ['total_energy'] }),
          ),
          value: Type.Optional(
            Type.Unknown({ description: 'The value, in `units`.', examples: [-310.12] }),
          ),
          units: Type.Optional(
            Type.Unknown({ description: 'A text; in a workflow, its units.', examples: ['eV'] }),
          ),
        },
        { additionalProperties: true, description: 'The property with its value and units.' },
      ),
    ),
    source: Always(AnyObject('The source: the job and the unit, in info.jobId and info.unitId.')),
    exabyteId: Type.Optional(
      Type.Array(Type.String(), { description: 'The structures that have the property.' }),
    ),
    precision: Type.Optional(AnyObject('The precision of the method.')),
    repetition: Type.Optional(
      Type.Number({ description: 'The number of the repetition of its unit.', examples: [0] }),
    ),
    systemTags: Type.Optional(
      Type.Array(Type.String(), { description: 'The tags that the platform sets.' }),
    ),
  },
  {
    $id: 'Property',
    additionalProperties: true,
    description: 'A property that a job has computed. Unknown fields are valid.',
  },
)
export type Property = Static<typeof Property>

/** A reference to an item of another resource. */
const ItemReference = (description: string, example: string): TObject =>
  Type.Object(
    { _id: Type.String({ minLength: 1, examples: [example] }) },
    { additionalProperties: true, description },
  )

const JobMaterial = ItemReference('The material of the job.', 'K3b8xTqWn5RzLc7Fd')

/** The fields of a new job that refer to other items or that are completed. */
const NEW_JOB_FIELDS = {
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
