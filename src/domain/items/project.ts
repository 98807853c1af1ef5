import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'

import { ENTITY_FIELDS, ItemId } from './entity-fields.js'

/**
 * A project as it is stored and sent. All fields but `_id` are optional, and unknown fields are
 * valid.
 */
export const Project = Type.Object(
  {
    _id: ItemId,
    ...ENTITY_FIELDS,
    slug: Type.Optional(Type.String({ examples: ['demo-default'] })),
    description: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  },
  {
    $id: 'Project',
    additionalProperties: true,
    description: 'A project. Unknown fields are valid.',
  },
)
export type Project = Static<typeof Project>
