import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'

import { StringEnum } from '../../json/string-enum.js'

/** A cluster that runs jobs, and its queues. */
export const Cluster = Type.Object(
  {
    hostname: Type.String({ examples: ['cluster-001.example.com'] }),
    displayName: Type.String({ examples: ['cluster-001'] }),
    queues: Type.Array(Type.Object({ NAME: Type.String({ examples: ['D'] }) })),
  },
  { $id: 'Cluster' },
)
export type Cluster = Static<typeof Cluster>

/** The number of items of one kind, of all accounts. */
export const EntityCount = Type.Object(
  {
    name: StringEnum(['Jobs', 'Materials', 'Workflows', 'Properties'], { examples: ['Materials'] }),
    count: Type.Integer({ minimum: 0, examples: [74] }),
  },
  { $id: 'EntityCount' },
)
export type EntityCount = Static<typeof EntityCount>
