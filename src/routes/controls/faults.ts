import type { FastifyInstance } from 'fastify'

import { Fault } from '../../schemas/fault.js'

/** Lists, adds and removes the rules by which requests under `/api` fail. */
export async function faultRoutes(app: FastifyInstance): Promise<void> {
  app.get('/', async ({ sandbox }) => sandbox.controls.faults.list())

  app.post<{ Body: Fault }>('/', { schema: { body: Fault } }, async ({ body, sandbox }) =>
    sandbox.controls.faults.add(body),
  )

  app.delete('/', async ({ sandbox }) => {
    sandbox.controls.faults.clear()
    return {}
  })

  app.delete<{ Params: { id: string } }>('/:id', async ({ params, sandbox }) => {
    sandbox.controls.faults.remove(params.id)
    return {}
  })
}
