import type { FastifyInstance } from 'fastify'

import { OPERATIONS } from './operations.js'

/** `POST /reset`: restores the state right after the start. Snapshots remain. */
export async function resetRoute(app: FastifyInstance): Promise<void> {
  app.post('/reset', { schema: OPERATIONS.reset }, async ({ sandbox }) => {
    sandbox.controls.reset()
    return {}
  })
}
