import { Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'

import { listJobFiles } from '../../domain/jobs/job-files.js'
import { submitJob } from '../../domain/jobs/job-lifecycle.js'
import { ItemNotFound, JobNotSubmittable } from '../../errors.js'
import type { OperationSchema } from '../../openapi/operation-schema.js'
import { AUTH_ERRORS, responses } from '../../openapi/responses.js'
import { JobFile } from '../../schemas/jobs/job-file.js'
import { Success } from '../../schemas/jsend.js'
import { ItemParams, itemNotFound, itemPost } from './item-operations.js'
import type { ItemRoute } from './item-operations.js'
import type { ReadOptions } from './read-routes.js'
import type { WriteOptions } from './write-routes.js'

/** `GET /jobs/{id}/files`: lists the files of a job. Behind the auth plugin. */
export async function jobFileRoutes(app: FastifyInstance, options: ReadOptions): Promise<void> {
  const { store, collection } = options

  app.get<ItemRoute>('/:id/files', { schema: FILES }, async ({ params, accountId }) => {
    const entry = collection.findById(params.id, store.visibleTo(accountId))
    if (entry === undefined) throw new ItemNotFound(collection.resource, params.id)
    return listJobFiles(entry.item)
  })
}

/** `POST /jobs/{id}/submit`: submits a job. Behind the auth plugin. */
export async function jobSubmitRoute(app: FastifyInstance, options: WriteOptions): Promise<void> {
  const { store, collection } = options

  app.post<ItemRoute>('/:id/submit', { schema: SUBMIT }, async ({ params, accountId }, reply) =>
    reply.sendWritten(() => {
      const writer = store.writer(collection, accountId)
      const entry = writer.find(params.id)
      return writer.replace(entry, submitJob(entry.item, Date.now()))
    }),
  )
}

const FILES = {
  operationId: 'jobs-files',
  tags: ['jobs'],
  summary: 'List the files of a job',
  description: "The inputs of its workflow's units, in the order of the units.",
  params: ItemParams,
  responses: () => responses(Success(Type.Array(JobFile)), [...AUTH_ERRORS, itemNotFound('jobs')]),
} satisfies OperationSchema

const SUBMIT = {
  operationId: 'jobs-submit',
  tags: ['jobs'],
  summary: 'Submit a job',
  description: 'The job is active after --job-duration, and finished after twice that time.',
  ...itemPost('jobs', [new JobNotSubmittable('nothing', '"finished"')]),
} satisfies OperationSchema
