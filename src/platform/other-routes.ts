import { Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'

import { CLUSTERS } from '../domain/jobs/clusters.js'
import type { OperationSchema } from '../http/openapi/responses.js'
import { AUTH_ERRORS, responses } from '../http/openapi/responses.js'
import { Success } from '../http/envelope-schema.js'
import { Cluster, EntityCount } from '../domain/jobs/cluster.js'

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

const NAMES: readonly EntityCount['name'][] = ['Jobs', 'Materials', 'Workflows', 'Properties']

const LIST_CLUSTERS = {
  operationId: 'other-clusters',
  tags: ['other'],
  summary: 'List the clusters',
  description: 'A job can name one of them. The mock runs nothing on any of them.',
  responses: () => responses(Success(Type.Array(Cluster)), AUTH_ERRORS),
} satisfies OperationSchema

const COUNT_ENTITIES = {
  operationId: 'other-entity-counts',
  tags: ['other'],
  summary: 'Count the items of all accounts',
  description: 'It needs no credentials.',
  security: [],
  responses: () => responses(Success(Type.Array(EntityCount)), []),
} satisfies OperationSchema
