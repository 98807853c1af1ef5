import { Type } from '@sinclair/typebox'
import type { Static, TObject } from '@sinclair/typebox'

import { Material, SetMembership } from './material.js'

/** Whom a new item is to belong to: where there is no `_id`, or null, to the account that asks. */
const Owner = Type.Union([
  Type.Null(),
  Type.Object({ _id: Type.Optional(Type.Union([Type.String({ minLength: 1 }), Type.Null()])) }),
])

/** What the server itself reads of items, whichever resource they are of. Unknown fields pass. */
const common = {
  name: Type.Optional(Type.String({ examples: ['Silicon FCC'] })),
  tags: Type.Optional(Type.Array(Type.String(), { examples: [['elemental']] })),
  isDefault: Type.Optional(Type.Boolean()),
  isEntitySet: Type.Optional(Type.Boolean({ description: 'Whether it is a set of items.' })),
  inSet: Type.Optional(Type.Array(SetMembership)),
  owner: Type.Optional(Owner),
}

/** An item of any resource as a body gives it: without an `_id`, which the server assigns. */
export const NewItem = Type.Object(common, {
  $id: 'NewItem',
  additionalProperties: true,
  description: 'An item without an _id',
})

/** A material as a body gives it. */
export const NewMaterial = Type.Object(
  { ...Type.Omit(Material, ['_id']).properties, ...common },
  { $id: 'NewMaterial', additionalProperties: true, description: 'A material without an _id' },
)

/** The schema of a resource's new items, which the changed fields of an item have to meet too. */
export const newItemOf = (resource: string): TObject =>
  resource === 'materials' ? NewMaterial : NewItem

/** A set as a body gives it: an item with a name. */
const setOf = (item: TObject): TObject =>
  Type.Object(
    {
      ...item.properties,
      name: Type.String({ minLength: 1, examples: ['Semiconductors'] }),
    },
    {
      $id: `${item.$id}Set`,
      additionalProperties: true,
      description: 'A set: an item with a name',
      examples: [{ name: 'Semiconductors' }],
    },
  )

const NewItemSet = setOf(NewItem)
const NewMaterialSet = setOf(NewMaterial)

/** The schema of a resource's new sets. */
export const newSetOf = (resource: string): TObject =>
  resource === 'materials' ? NewMaterialSet : NewItemSet

/** Fields by their paths, or MongoDB's update operators; judged by `query/update.ts`. */
export const PatchBody = Type.Object(
  {},
  {
    $id: 'Patch',
    additionalProperties: true,
    description: "Fields to set, or MongoDB's update operators",
    examples: [{ 'metadata.checked': true }, { $push: { tags: 'checked' } }],
  },
)

/** Silicon as VASP has it: the two atoms of its primitive cell. */
const SILICON = [
  'Silicon FCC',
  '1.0',
  '3.348899 0.0 1.933488',
  '1.116300 3.157372 1.933488',
  '0.0 0.0 3.866975',
  'Si',
  '2',
  'direct',
  '0.0 0.0 0.0',
  '0.25 0.25 0.25',
].join('\n')

/** A structure file that a material is made of. */
export const ImportBody = Type.Object(
  {
    name: Type.Optional(
      Type.Union([Type.String(), Type.Null()], {
        description: "The material's name; else the file's first line is it.",
        examples: ['Silicon FCC'],
      }),
    ),
    content: Type.String({
      minLength: 1,
      description: 'The text of the file.',
      examples: [SILICON],
    }),
    format: Type.Optional(Type.Literal('poscar', { description: 'VASP 5; the default.' })),
    tags: Type.Optional(Type.Array(Type.String())),
    'owner._id': Type.Optional(Type.Union([Type.String({ minLength: 1 }), Type.Null()])),
  },
  { $id: 'Import', additionalProperties: false, description: 'A structure file' },
)
export type ImportBody = Static<typeof ImportBody>

/** The URL parameters that move an item from one set to another; empty or missing is none. */
export const MoveQuerystring = Type.Object({
  oldSetId: Type.Optional(Type.String({ description: 'The _id of the set that it leaves' })),
  newSetId: Type.Optional(Type.String({ description: 'The _id of the set that it joins' })),
})
export type MoveQuerystring = Static<typeof MoveQuerystring>
