import type { FastifyInstance } from 'fastify'

import type { AdminOptions } from './admin.js'

/** `GET /health`: that it runs, which version, for how many seconds, and what it serves. */
export async function health(
  app: FastifyInstance,
  { store, version }: Pick<AdminOptions, 'store' | 'version'>,
): Promise<void> {
  const start = performance.now()

  app.get('/health', async () => ({
    status: 'ok',
    version,
    uptime: Math.round(performance.now() - start) / 1000,
    resources: Object.fromEntries([...store.collections].map(([name, { size }]) => [name, size])),
  }))
}
