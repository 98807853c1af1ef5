import type { FastifyInstance } from 'fastify'

import type { ControlOptions } from './control-options.js'
import { OPERATIONS } from './operations/operations.js'

/** `GET /health`: the package's version, the uptime in seconds, and the size of each resource. */
export async function healthRoute(
  app: FastifyInstance,
  { version }: Pick<ControlOptions, 'version'>,
): Promise<void> {
  const start = performance.now()

  app.get('/health', { schema: OPERATIONS.health }, async ({ sandbox: { store } }) => ({
    status: 'ok',
    version,
    uptime: Math.round(performance.now() - start) / 1000,
    resources: Object.fromEntries([...store.collections].map(([name, { size }]) => [name, size])),
  }))
}
