import { Type } from '@sinclair/typebox'
import type { TObject, TProperties } from '@sinclair/typebox'

import { Job } from '../domain/items/job.js'
import { Project } from '../domain/items/project.js'
import { Property } from '../domain/items/property.js'
import { Workflow } from '../domain/items/workflow.js'
import { SetMembership, SetType } from '../domain/items/entity-fields.js'
import { Material } from '../domain/items/material.js'

/** The owner of a new item. Without an `_id`, or with null, it is the account of the request. */
const Owner = Type.Union([
  Type.Null(),
  Type.Object({
    _id: Type.Optional(Type.Union([Type.String({ minLength: 1 }), Type.Null()])),
    slug: Type.Optional(Type.String()),
    cls: Type.Optional(Type.Literal('Account')),
  }),
])

/** The fields that the server reads from the items of every resource. */
const COMMON_FIELDS = {
  _id: Type.Optional(
    Type.Union([Type.String(), Type.Null()], {
      description: 'It has no effect: the server assigns an _id of its own.',
    }),
  ),
  name: Type.Optional(Type.String({ examples: ['Silicon FCC'] })),
  tags: Type.Optional(Type.Array(Type.String(), { examples: [['elemental']] })),
  isDefault: Type.Optional(Type.Boolean()),
  isEntitySet: Type.Optional(Type.Boolean({ description: 'Whether it is a set of items.' })),
  entitySetType: Type.Optional(SetType),
  inSet: Type.Optional(Type.Array(SetMembership)),
  owner: Type.Optional(Owner),
}

/** The body of a new item of any resource. The server assigns an `_id` of its own. */
export const NewItem = Type.Object(COMMON_FIELDS, {
  $id: 'NewItem',
  additionalProperties: true,
  description: 'An item. The server assigns its _id.',
})

/** Returns the schema of the body of a new item, by that of the item. */
const toNewItem = (item: TObject, fields: TProperties = {}): TObject =>
  Type.Object(
    { ...item.properties, ...COMMON_FIELDS, ...fields },
    {
      $id: `New${item.$id}`,
      additionalProperties: true,
      description: `A ${item.$id?.toLowerCase()}. The server assigns its _id.`,
    },
  )

/** The body of a new material. */
export const NewMaterial = toNewItem(Material)

/** A reference to an item of another resource. */
const ItemReference = (description: string, example: string): TObject =>
  Type.Object(
    { _id: Type.String({ minLength: 1, examples: [example] }) },
    { additionalProperties: true, description },
  )

const JobMaterial = ItemReference('The material of the job.', 'K3b8xTqWn5RzLc7Fd')

/** The body of a new job. */
export const NewJob = toNewItem(Job, {
  workflow: Type.Optional(
    Type.Union([
      Type.Null(),
      Type.Object(
        {},
        {
          additionalProperties: true,
          description: 'The _id of a workflow, which is embedded, or a whole workflow.',
        },
      ),
    ]),
  ),
  _project: Type.Optional(
    Type.Union([
      Type.Null(),
      ItemReference('The project of the job. The default is that of the account.', '7Hn2'),
    ]),
  ),
  _material: Type.Optional(Type.Union([Type.Null(), Type.Literal('null'), JobMaterial])),
  _materials: Type.Optional(Type.Array(JobMaterial)),
  compute: Type.Optional(
    Type.Object(
      {},
      {
        additionalProperties: true,
        description: 'Where and how the job runs. Each field has a default.',
      },
    ),
  ),
})

const NEW_ITEMS: Readonly<Record<string, TObject>> = {
  materials: NewMaterial,
  jobs: NewJob,
  projects: toNewItem(Project),
  properties: toNewItem(Property),
  workflows: toNewItem(Workflow),
}

/** Returns the schema of a resource's new items. It also validates the fields that a PATCH changes. */
export const getNewItemSchema = (resource: string): TObject => NEW_ITEMS[resource] ?? NewItem

/** Returns the schema of new sets: of items with a name. */
const toSetSchema = (item: TObject): TObject =>
  Type.Object(
    {
      ...item.properties,
      name: Type.String({ minLength: 1, examples: ['Semiconductors'] }),
    },
    {
      $id: `${item.$id}Set`,
      additionalProperties: true,
      description: 'A set: an item with a name.',
      examples: [{ name: 'Semiconductors' }],
    },
  )

/** Returns the schema of a resource's new sets. */
export const getNewSetSchema = (resource: string): TObject =>
  toSetSchema(getNewItemSchema(resource))

/** Fields by path, or MongoDB's update operators. `query/update/` validates its content. */
export const PatchBody = Type.Object(
  {},
  {
    $id: 'Patch',
    additionalProperties: true,
    description:
      "The fields to set, by path, or MongoDB's update operators, beside which there may be arrayFilters.",
    examples: [
      { 'metadata.checked': true },
      { $push: { tags: 'checked' }, $mul: { 'metadata.scale': 2 } },
      { $set: { 'metadata.runs.$[run].ok': true }, arrayFilters: [{ 'run.code': 0 }] },
    ],
  },
)
