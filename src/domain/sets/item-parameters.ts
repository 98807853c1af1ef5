import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'

/** The URL parameter that names the account of a default item. */
export const DefaultQuerystring = Type.Object({
  accountId: Type.Optional(
    Type.String({ minLength: 1, description: 'The account. The default is your own.' }),
  ),
})
export type DefaultQuerystring = Static<typeof DefaultQuerystring>

/** The URL parameter that names the owner of a copy from a bank. */
export const CopyQuerystring = Type.Object({
  accountId: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'The owner of the copy. The default is your own account.',
    }),
  ),
})
export type CopyQuerystring = Static<typeof CopyQuerystring>

/** The URL parameters that move an item between sets. An empty or missing id means no set. */
export const MoveQuerystring = Type.Object({
  oldSetId: Type.Optional(
    Type.String({ description: 'The _id of the set to remove the item from.' }),
  ),
  newSetId: Type.Optional(Type.String({ description: 'The _id of the set to add the item to.' })),
})
export type MoveQuerystring = Static<typeof MoveQuerystring>
