import type { FastifyInstance } from 'fastify'

import { ItemNotFound } from '../errors.js'
import { jobFiles } from '../store/job-files.js'
import { JOB_FILES } from './own-operations.js'
import type { ResourceOptions } from './resource.js'
import type { OneItem } from './write.js'

/** `GET /jobs/{id}/files`: what files a job has. Behind the auth plugin. */
export async function jobFileList(app: FastifyInstance, options: ResourceOptions): Promise<void> {
  const { store, collection } = options

  app.get<OneItem>('/:id/files', { schema: JOB_FILES }, async ({ params, accountId }) => {
    const entry = collection.findById(params.id, store.accepts(accountId))
    if (entry === undefined) throw new ItemNotFound(collection.resource, params.id)
    return jobFiles(entry.item)
  })
}
