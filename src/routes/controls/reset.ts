import type { FastifyInstance } from 'fastify'

import type { ControlOptions } from './control-options.js'

/** `POST /reset`: restores the state right after the start. Snapshots remain. */
export async function resetRoute(
  app: FastifyInstance,
  { controls }: Pick<ControlOptions, 'controls'>,
): Promise<void> {
  app.post('/reset', async () => {
    controls.reset()
    return {}
  })
}
