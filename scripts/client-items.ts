import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { Type } from '@sinclair/typebox'
import type { TSchema } from '@sinclair/typebox'
import { format, resolveConfig } from 'prettier'

import {
  Basis,
  DerivedProperty,
  ENTITY_FIELDS,
  External,
  GivenResult,
  Job,
  JobOutcome,
  JobReference,
  JobStatusChange,
  Lattice,
  LatticeVectors,
  Reference,
  SHAPES,
  SetMembership,
  SetType,
  isAlwaysThere,
} from '@materials-mock/api'
import type { ItemSchema } from '@materials-mock/api'

/** The module of the types, which the client exports. It is made and not kept: the schemas say it all. */
const FILE = fileURLToPath(new URL('../packages/client/src/item-types.ts', import.meta.url))

const Entity = Type.Object(ENTITY_FIELDS)

/** The interfaces of parts of items: their schemas, and what they are. */
const PARTS: readonly [name: string, schema: TSchema, description: string][] = [
  ['Entity', Entity, 'What the items of all documented resources have.'],
  ['Reference', Reference, 'A reference to an account or a user.'],
  ['SetMembership', SetMembership, 'A set that an item is in.'],
  ['LatticeVectors', LatticeVectors, 'The edges of a cell as Cartesian vectors.'],
  ['Lattice', Lattice, 'The cell of a crystal.'],
  ['Basis', Basis, 'The atoms of a cell. The entries of its arrays belong together by `id`.'],
  ['DerivedProperty', DerivedProperty, 'A property that is computed from a structure.'],
  ['External', External, 'The publication of a structure.'],
  ['JobReference', JobReference('', ''), 'A reference of a job to another item.'],
  ['JobStatusChange', JobStatusChange, 'A status that a job has had.'],
  ['GivenResult', GivenResult, 'A result that a job leaves.'],
  ['JobOutcome', JobOutcome, 'Of the mock alone: how a job ends.'],
]

/** The types of fields that the server does not validate, and that the client declares. */
const DECLARED: Readonly<Record<string, string>> = {
  'Job.status': 'Status',
  'Job.workflow': 'Workflow | null',
  'Job.compute': 'Compute',
  'JobStatusChange.status': 'Status',
  'Workflow.subworkflows': 'Subworkflow[]',
  'Workflow.units': 'Unit[]',
  'Property.data': 'PropertyData',
  'Property.source': 'PropertySource',
}

/** What tells an item from a set. */
const NO_SET = `/** False: the item is no set. */
isEntitySet: false`

const SET = `
/** A set of items. Each of them names it in \`inSet\`. */
export interface EntitySet extends Entity {
/** The identifier, which the server assigns. */
_id: string
/** The name. */
name: string
/** True: the item is a set. */
isEntitySet: true
/** Whether the set has an order. */
entitySetType: ${toType(SetType)}
}`

/** Returns the text of a schema without descriptions. */
const toKey = (schema: unknown): string =>
  JSON.stringify(schema, (name, value: unknown) =>
    ['description', 'examples', '$id'].includes(name) ? undefined : value,
  )

const NAMES = new Map(PARTS.map(([name, schema]) => [toKey(schema), name]))

/**
 * Writes the types of items for the client, made from the schemas that the server validates with and
 * that `check` expects: an interface for each object that has a name, with docstrings.
 */
export async function writeItemTypes(): Promise<void> {
  const resources = Object.entries(SHAPES).flatMap(([name, { item }]) =>
    item === undefined ? [] : [{ name, item }],
  )
  const items = new Map(resources.map(({ item }) => [item.$id ?? '', item]))
  const text = [
    '// Made by scripts/client-items.ts from the schemas of src/resources. Do not edit.',
    "import type { PropertyData, PropertySource } from './property-types.js'",
    "import type { Compute, Subworkflow, Unit } from './workflow-types.js'",
    '\n/** The status of a job. */',
    `export type Status = ${toType(Job.properties.status)}`,
    ...PARTS.map(([name, schema, description]) => toInterface(name, schema, description)),
    SET,
    ...[...items].flatMap(([name, item]) => [
      toInterface(
        name,
        withoutEntityFields(item),
        item.description ?? '',
        ' extends Entity',
        NO_SET,
      ),
      `\n/** A set of items of the type ${name}. It may have any of their other fields. */`,
      `export interface ${name}Set extends EntitySet, Partial<Omit<${name}, keyof EntitySet>> {}`,
    ]),
    '',
    '/** The types of items by their resources. */',
    `export interface ItemTypes {`,
    ...resources.map(({ name, item }) => `  readonly '${name}': ${item.$id}`),
    '}',
    '',
    '/** The types of sets by the resources of their items. */',
    `export interface SetTypes {`,
    ...resources.map(({ name, item }) => `  readonly '${name}': ${item.$id}Set`),
    '}',
  ].join('\n')
  const types = await format(text, { ...(await resolveConfig(FILE)), parser: 'typescript' })
  // A new time of the file would make all that is built outdated.
  if (!existsSync(FILE) || readFileSync(FILE, 'utf8') !== types) writeFileSync(FILE, types)
}

function withoutEntityFields(item: ItemSchema<unknown>): TSchema {
  const own = Object.entries(item.properties).filter(
    ([name]) => toField(item, name) !== toField(Entity, name),
  )
  return Type.Object(Object.fromEntries(own))
}

const toInterface = (
  name: string,
  schema: TSchema,
  description: string,
  base = '',
  ...more: readonly string[]
): string =>
  `\n/** ${description} */\nexport interface ${name}${base} ${toBody(schema, name, ...more)}`

/**
 * @param name that of its interface, if it has one
 * @param more lines before the fields
 */
const toBody = (schema: TSchema, name = '', ...more: readonly string[]): string =>
  [
    '{',
    ...more,
    ...Object.keys(schema.properties).map((field) =>
      toField(schema, field, DECLARED[`${name}.${field}`]),
    ),
    ...(schema.additionalProperties === true
      ? ['/** Any other field. */', '[field: string]: unknown']
      : []),
    '}',
  ].join('\n')

/** Returns the line of a field and its docstring, or nothing if there is no such field. */
function toField(object: TSchema, name: string, declared?: string): string {
  const schema: TSchema | undefined = object.properties[name]
  if (schema === undefined) return ''
  const [first] = (schema.anyOf ?? []) as TSchema[]
  const description = schema.description ?? first?.description
  if (description === undefined) throw new Error(`${name} has no description`)
  return `/** ${description} */\n${name}${isAlwaysThere(object, name) ? '' : '?'}: ${declared ?? toType(schema)}`
}

/** Returns the type of the values that a schema allows. */
function toType(schema: TSchema): string {
  const { anyOf, type, items, properties } = schema
  if (anyOf !== undefined) return (anyOf as TSchema[]).map(toType).join(' | ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (type === 'integer') return 'number'
  if (type === 'array') return `(${toType(items as TSchema)})[]`
  if (type !== 'object') return String(type ?? 'unknown')
  if (Object.keys(properties as object).length === 0) return 'Record<string, unknown>'
  return NAMES.get(toKey(schema)) ?? toBody(schema)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await writeItemTypes()
