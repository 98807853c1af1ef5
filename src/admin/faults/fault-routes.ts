import type { FastifyInstance } from 'fastify'

import type { Fault } from './fault.js'
import { toTexts } from '../../http/to-texts.js'
import { OPERATIONS } from '../operations.js'

/** Lists, adds and removes the rules by which requests under `/api` fail. */
export async function faultRoutes(app: FastifyInstance): Promise<void> {
  app.get('/', { schema: OPERATIONS.faults }, async ({ sandbox }, reply) =>
    reply.sendList(await reply.runWork(toTexts(sandbox.controls.faults.list()))),
  )

  app.post<{ Body: Fault }>(
    '/',
    { schema: OPERATIONS.addFault },
    async ({ body, sandbox }, reply) => reply.runStep(() => sandbox.controls.faults.add(body)),
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
