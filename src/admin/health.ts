import type { FastifyInstance } from 'fastify'

import type { ControlOptions } from './control-options.js'
import { OPERATIONS } from './operations.js'

/**
 * `GET /health`: the package's version, the uptime in seconds, whether the server is read-only, and the size
 * of each resource.
 */
export async function healthRoute(
  app: FastifyInstance,
  { version, readOnly }: Pick<ControlOptions, 'version' | 'readOnly'>,
): Promise<void> {
  const start = performance.now()

  app.get('/health', { schema: OPERATIONS.health }, async ({ sandbox: { store } }) => ({
    status: 'ok',
    version,
    uptime: Math.round(performance.now() - start) / 1000,
    readOnly,
    resources: Object.fromEntries([...store.collections].map(([name, { size }]) => [name, size])),
  }))
}
