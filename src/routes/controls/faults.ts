import type { FastifyInstance } from 'fastify'

import type { FaultRule } from '../../controls/faults.js'
import type { Fault } from '../../schemas/fault.js'
import type { Work } from '../../work/work.js'
import { OPERATIONS } from './operations/operations.js'

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

/** Writes each rule in a step of its own, as its bodies may have 1 MiB. */
function* toTexts(rules: readonly FaultRule[]): Work<Buffer[]> {
  const texts: Buffer[] = []
  for (const rule of rules) {
    texts.push(Buffer.from(JSON.stringify(rule)))
    yield 'writing the response'
  }
  return texts
}
