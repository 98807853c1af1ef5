import type { FastifyInstance, FastifyRequest } from 'fastify'

import type { SandboxParameters, SandboxSummary } from './sandbox-schema.js'
import type { ControlOptions } from '../control-options.js'
import { SANDBOX_OPERATIONS } from './sandbox-operations.js'

/** Lists, makes and ends sandboxes. The routes are the same within a sandbox. */
export async function sandboxRoutes(
  app: FastifyInstance,
  { sandboxes }: Pick<ControlOptions, 'sandboxes'>,
): Promise<void> {
  const config = { isSharedBySandboxes: true }

  app.get('/', { schema: SANDBOX_OPERATIONS.list, config }, async (request) =>
    sandboxes.list().map((name) => toSummary(request, name)),
  )

  app.put<{ Params: SandboxParameters }>(
    '/:name',
    { schema: SANDBOX_OPERATIONS.make, config },
    async (request) => {
      const { name } = request.params
      sandboxes.make(name)
      return toSummary(request, name)
    },
  )

  app.delete<{ Params: SandboxParameters }>(
    '/:name',
    { schema: SANDBOX_OPERATIONS.end, config },
    async ({ params }) => {
      sandboxes.end(params.name)
      return {}
    },
  )
}

const toSummary = ({ protocol, host }: FastifyRequest, name: string): SandboxSummary => ({
  name,
  url: `${protocol}://${host}/sandboxes/${name}`,
})
