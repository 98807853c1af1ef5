import { Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'

import { BoundExceeded, FaultNotFound } from '../../errors.js'
import { toTexts } from '../../http/send-json.js'
import { Nothing, operation } from '../control.js'
import { Fault, FaultRule } from './fault.js'

const LIST = operation('faults-list', 'List the fault rules', Type.Array(FaultRule), {
  description: 'The rules in the order in which they were added, with the numbers of matches.',
})

const ADD = operation('faults-add', 'Add a fault rule', FaultRule, {
  description: 'The first rule that matches a request under `/api` applies.',
  body: Fault,
  errors: [new BoundExceeded('there must be at most 200 fault rules; remove some first')],
})

const CLEAR = operation('faults-clear', 'Remove all fault rules', Nothing, {
  description: 'From then on, requests are answered as usual.',
})

const REMOVE = operation('faults-remove', 'Remove a fault rule', Nothing, {
  description: 'Other rules stay.',
  params: Type.Object({
    id: Type.String({ description: 'The _id of the rule.', examples: ['1'] }),
  }),
  errors: [new FaultNotFound('1')],
})

/** Lists, adds and removes the rules by which requests under `/api` fail. */
export async function faultRoutes(app: FastifyInstance): Promise<void> {
  app.get('/', { schema: LIST }, async ({ sandbox }, reply) =>
    reply.sendList(await reply.runWork(toTexts(sandbox.faults.list()))),
  )

  app.post<{ Body: Fault }>('/', { schema: ADD }, async ({ body, sandbox }, reply) =>
    reply.runStep(() => sandbox.faults.add(body)),
  )

  app.delete('/', { schema: CLEAR }, async ({ sandbox }) => {
    sandbox.faults.clear()
    return {}
  })

  app.delete<{ Params: { id: string } }>(
    '/:id',
    { schema: REMOVE },
    async ({ params, sandbox }) => {
      sandbox.faults.remove(params.id)
      return {}
    },
  )
}
