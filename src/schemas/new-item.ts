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
export const NewItem = Type.Object(common, { description: 'An item without an _id' })

/** A material as a body gives it. */
export const NewMaterial = Type.Object(
  { ...Type.Omit(Material, ['_id']).properties, ...common },
  { description: 'A material without an _id' },
)

/** The schema of a resource's new items, which the changed fields of an item have to meet too. */
export const newItemOf = (resource: string): TObject =>
  resource === 'materials' ? NewMaterial : NewItem

/** The schema of a resource's new sets: items with a name. */
export const newSetOf = (resource: string): TObject =>
  Type.Object(
    {
      ...newItemOf(resource).properties,
      name: Type.String({ minLength: 1, examples: ['Semiconductors'] }),
    },
    { description: 'A set: an item with a name' },
  )

/** A structure file that a material is made of. */
export const Import = Type.Object(
  {
    name: Type.Optional(
      Type.Union([Type.String(), Type.Null()], {
        description: "The material's name; else the file's first line is it.",
        examples: ['Silicon FCC'],
      }),
    ),
    content: Type.String({ minLength: 1, description: 'The text of the file.' }),
    format: Type.Optional(Type.Literal('poscar', { description: 'VASP 5; the default.' })),
    tags: Type.Optional(Type.Array(Type.String())),
    'owner._id': Type.Optional(Type.Union([Type.String({ minLength: 1 }), Type.Null()])),
  },
  { additionalProperties: false, description: 'A structure file' },
)
export type Import = Static<typeof Import>

/** The URL parameters that move an item from one set to another; empty or missing is none. */
export const Move = Type.Object({
  oldSetId: Type.Optional(Type.String()),
  newSetId: Type.Optional(Type.String()),
})
export type Move = Static<typeof Move>
