import { Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'

import { ScenarioNotFound } from '../../errors.js'
import { Nothing, operation } from '../control.js'
import type { Scenarios } from './scenarios.js'

const Names = Type.Array(Type.String(), { examples: [['empty account']] })

const LIST = operation('scenarios-list', 'List the names of the scenarios', Names, {
  description: 'Lists the names in the order of `scenarios.json`.',
})

const APPLY = operation('scenarios-apply', 'Apply a scenario', Nothing, {
  description:
    'Resets the state, and then replaces items, adds faults and changes the clock as the scenario says.',
  params: Type.Object({
    name: Type.String({ description: 'The name of the scenario.', examples: ['empty account'] }),
  }),
  errors: [new ScenarioNotFound('x', 'there are "empty account"')],
})

/** Lists and applies scenarios. */
export async function scenarioRoutes(
  app: FastifyInstance,
  { scenarios }: { readonly scenarios: Scenarios },
): Promise<void> {
  app.get('/', { schema: LIST }, async () => scenarios.names)

  app.post<{ Params: { name: string } }>(
    '/:name',
    { schema: APPLY },
    async ({ params, sandbox }, reply) => {
      await reply.runStep(() => scenarios.apply(params.name, sandbox))
      await sandbox.store.catchUp()
      return {}
    },
  )
}
