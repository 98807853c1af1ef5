import type { FastifyInstance } from 'fastify'

import { Fault } from '../../schemas/fault.js'
import type { ControlOptions } from './control-options.js'

/** Lists, adds and removes the rules by which requests under `/api` fail. */
export async function faultRoutes(
  app: FastifyInstance,
  { controls: { faults } }: Pick<ControlOptions, 'controls'>,
): Promise<void> {
  app.get('/', async () => faults.list())

  app.post<{ Body: Fault }>('/', { schema: { body: Fault } }, async ({ body }) => faults.add(body))

  app.delete('/', async () => {
    faults.clear()
    return {}
  })

  app.delete<{ Params: { id: string } }>('/:id', async ({ params }) => {
    faults.remove(params.id)
    return {}
  })
}
