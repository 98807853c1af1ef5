import type { FastifyInstance } from 'fastify'

import type { AdminOptions } from './admin.js'

/** `POST /reset`: all as at the start. Snapshots stay. */
export async function reset(
  app: FastifyInstance,
  { store }: Pick<AdminOptions, 'store'>,
): Promise<void> {
  app.post('/reset', async () => {
    store.reset()
    return {}
  })
}
