import type { FastifyInstance } from 'fastify'

import type { Fault } from '../../schemas/fault.js'
import { OPERATIONS } from './operations/operations.js'

/** Lists, adds and removes the rules by which requests under `/api` fail. */
export async function faultRoutes(app: FastifyInstance): Promise<void> {
  app.get('/', { schema: OPERATIONS.faults }, async ({ sandbox }) => sandbox.controls.faults.list())

  app.post<{ Body: Fault }>('/', { schema: OPERATIONS.addFault }, async ({ body, sandbox }) =>
    sandbox.controls.faults.add(body),
  )

  app.delete('/', { schema: OPERATIONS.removeFaults }, async ({ sandbox }) => {
    sandbox.controls.faults.clear()
    return {}
  })

  app.delete<{ Params: { id: string } }>(
    '/:id',
    { schema: OPERATIONS.removeFault },
    async ({ params, sandbox }) => {
      sandbox.controls.faults.remove(params.id)
      return {}
    },
  )
}
