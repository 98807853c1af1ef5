import type { FastifyInstance } from 'fastify'

/** `POST /reset`: restores the state right after the start. Snapshots remain. */
export async function resetRoute(app: FastifyInstance): Promise<void> {
  app.post('/reset', async ({ sandbox }) => {
    sandbox.controls.reset()
    return {}
  })
}
