import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'

import { StringEnum, Text } from '@materials-mock/json'
import { Success } from '../http/envelope-schema.js'
import { AUTH_ERRORS, responses } from '../http/openapi/responses.js'
import type { OperationSchema } from '../http/openapi/responses.js'

/** `GET /other/clusters`: the clusters that a job can name. Behind the auth plugin. */
export async function clusterRoute(app: FastifyInstance): Promise<void> {
  app.get('/other/clusters', { schema: LIST_CLUSTERS }, async () => CLUSTERS)
}

/** `GET /other/entity-counts`: the numbers that the platform's web page shows to everybody. */
export async function entityCountRoute(app: FastifyInstance): Promise<void> {
  app.get('/other/entity-counts', { schema: COUNT_ENTITIES }, async ({ store }) =>
    NAMES.map((name) => ({ name, count: store.collections.get(name.toLowerCase())?.size ?? 0 })),
  )
}

const NAMES = ['Jobs', 'Materials', 'Workflows', 'Properties'] as const

const LIST_CLUSTERS: OperationSchema = {
  operationId: 'other-clusters',
  tags: ['other'],
  summary: 'List the clusters',
  description: 'A job can name one of them. The mock runs nothing on any of them.',
  responses: () => responses(Success(Type.Array(Cluster)), AUTH_ERRORS),
}

const COUNT_ENTITIES: OperationSchema = {
  operationId: 'other-entity-counts',
  tags: ['other'],
  summary: 'Count the items of all accounts',
  description: 'This request needs no credentials.',
  security: [],
  responses: () => responses(Success(Type.Array(EntityCount)), []),
}

/** A cluster that runs jobs, and its queues. */
const Cluster = Type.Object(
  {
    hostname: Text('cluster-001.example.com'),
    displayName: Text('cluster-001'),
    queues: Type.Array(Type.Object({ NAME: Text('D') })),
  },
  { $id: 'Cluster' },
)
type Cluster = Static<typeof Cluster>

const EntityCount = Type.Object(
  {
    name: StringEnum(NAMES, { examples: ['Materials'] }),
    count: Type.Integer({ minimum: 0, examples: [74] }),
  },
  { $id: 'EntityCount' },
)

/** They run nothing. A job that names no cluster gets the first. */
const CLUSTERS: readonly Cluster[] = [
  {
    hostname: 'cluster-001.example.com',
    displayName: 'cluster-001',
    queues: [{ NAME: 'D' }, { NAME: 'OR' }, { NAME: 'OR4' }, { NAME: 'SR' }],
  },
]
