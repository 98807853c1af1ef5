import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'

import { Text } from '@materials-mock/json'
import { Always, ENTITY_FIELDS, EntitySchema } from './entity-fields.js'

export const Project = EntitySchema('Project', {
  name: Always(ENTITY_FIELDS.name),
  slug: Always(Text('demo-default', 'The name in URLs.')),
  description: Type.Optional(
    Type.Union([Type.String(), Type.Null()], { description: 'The purpose of the project.' }),
  ),
})
export type Project = Static<typeof Project>
