import type { FastifyInstance } from 'fastify'

import { submitted } from '../store/job-status.js'
import { JOB_SUBMISSION } from './own-operations.js'
import { sendItem } from './send.js'
import type { OneItem, WriteOptions } from './write.js'

/** `POST /jobs/{id}/submit`: sets a job going. Behind the auth plugin. */
export async function jobSubmission(app: FastifyInstance, options: WriteOptions): Promise<void> {
  const { store, collection } = options

  app.post<OneItem>(
    '/:id/submit',
    { schema: JOB_SUBMISSION },
    async ({ params, accountId }, reply) => {
      const writer = store.writer(collection, accountId)
      const entry = writer.find(params.id)
      return sendItem(reply, writer.replace(entry, submitted(entry.item, Date.now())))
    },
  )
}
