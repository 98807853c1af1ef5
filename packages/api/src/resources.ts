import type { TProperties, TSchema } from '@sinclair/typebox'

import { Job, NEW_JOB_FIELDS } from './items/job.js'
import { Material } from './items/material.js'
import { Project } from './items/project.js'
import { Property } from './items/property.js'
import { Workflow } from './items/workflow.js'
import type { RESOURCE_NAMES } from './resource-names.js'

/**
 * The parameters that a list reads. `documented` lists read the parameters of the platform's documentation. The
 * platform's newest client sends others, and `migrated` lists read only these. `both` reads all of them.
 */
export const LISTS = ['both', 'documented', 'migrated'] as const
export type Lists = (typeof LISTS)[number]

/** How a server reads the parameters of a list: with `--strict`, `query` and `projection` without their short form. */
export type ReadLists = Lists | 'strict'

/** What the items and the lists of a resource look like. All of it is optional, because every file of fixtures is a resource. */
export interface ResourceShape<Item = unknown> {
  /** The schema of the items. Its `$id` is the name of one item. Without a schema, items need only an `_id`. */
  readonly item?: ItemSchema<Item>
  /** Beside `name` and `tags`, with the parts of each that the server computes. */
  readonly sent?: Readonly<Record<string, readonly string[]>>
  /** The paths that the platform assigns or computes, beside the fields of every item. */
  readonly assigned?: readonly string[]
  /** The fields of a new item whose types differ from the fields of a stored item. */
  readonly newFields?: TProperties
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

export interface ItemTypes {
  readonly materials: Material
  readonly workflows: Workflow
  readonly projects: Project
  readonly jobs: Job
  readonly properties: Property
}

const RESULT = { data: [] }

/** The resources whose items have a schema. */
const TYPED: { readonly [Name in keyof ItemTypes]: ResourceShape<ItemTypes[Name]> } = {
  materials: {
    item: Material,
    sent: { lattice: ['vectors'], basis: ['cell', 'constraints', 'labels'] },
    assigned: [
      'formula',
      'unitCellFormula',
      'derivedProperties',
      'hash',
      'scaledHash',
      'exabyteId',
      'lattice.units',
      'lattice.units.length',
      'lattice.units.angle',
      'lattice.vectors',
      'lattice.vectors.a',
      'lattice.vectors.b',
      'lattice.vectors.c',
      'basis.cell',
    ],
  },
  workflows: { item: Workflow },
  projects: { item: Project },
  jobs: {
    item: Job,
    sent: { workflow: [], _project: [], _material: [] },
    assigned: ['slug', 'status', 'statusTrack', 'compute'],
    newFields: NEW_JOB_FIELDS,
    writesTo: ['properties'],
  },
  properties: { item: Property, sent: RESULT },
}

/** Returns the shape of a resource's bank, whose items every account may copy. */
const toBank = (name: keyof ItemTypes): ResourceShape => ({
  ...(TYPED[name].item && { item: TYPED[name].item }),
  assigned: TYPED[name].assigned ?? [],
  bankOf: name,
  writesTo: [name],
})

const BY_NAME: Readonly<Record<(typeof RESOURCE_NAMES)[number], ResourceShape>> = {
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

/** The shapes of all resources of the platform by their names, in the order of `RESOURCE_NAMES`. */
export const SHAPES: Readonly<Record<string, ResourceShape>> = BY_NAME

export const getShape = (name: string): ResourceShape =>
  Object.hasOwn(SHAPES, name) ? SHAPES[name]! : {}

/** The platform has migrated only resources for which its newest client sends all parameters. */
export function resolveLists<Mode extends ReadLists>(name: string, lists: Mode): Mode | 'both' {
  const isMigrated = Object.hasOwn(SHAPES, name) && getShape(name).hasOldLists !== true
  return lists === 'migrated' && !isMigrated ? 'both' : lists
}

const ALWAYS_SERVED: readonly string[] = Object.keys(SHAPES).filter(
  (name) => SHAPES[name]?.isAlwaysServed === true,
)

/** Returns the names of resources, and then of those that are served without fixtures. */
export const addImpliedResources = (names: Iterable<string>): string[] => {
  const given = [...names]
  const implied = given.flatMap((name) => getShape(name).writesTo ?? [])
  return [...new Set([...given, ...implied, ...ALWAYS_SERVED])]
}
