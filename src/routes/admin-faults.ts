import type { FastifyInstance } from 'fastify'

import { Fault } from '../schemas/fault.js'
import type { AdminOptions } from './admin.js'

/** The rules that make requests under `/api` go wrong: to list, add and take out. */
export async function faultRoutes(
  app: FastifyInstance,
  { store: { faults } }: Pick<AdminOptions, 'store'>,
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
