import type { FastifyInstance } from 'fastify'

import { Nothing, operation } from './control.js'

const RESET = operation('reset', 'Restore the state right after the start', Nothing, {
  description:
    'Restores the items and the clock, ends all sessions, removes all faults, and clears the journal and the footprint. Snapshots stay.',
})

/** `POST /reset` */
export async function resetRoute(app: FastifyInstance): Promise<void> {
  app.post('/reset', { schema: RESET }, async ({ sandbox }) => {
    sandbox.controls.reset()
    return {}
  })
}
