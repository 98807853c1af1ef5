import { Type } from '@sinclair/typebox'

import { LISTS } from '@materials-mock/api'
import { StringEnum, Text } from '@materials-mock/json'
import { Sizes, defineOperation, findVisibility } from './control.js'
import type { ControlOptions } from './control.js'

const Health = Type.Object(
  {
    status: Type.Literal('ok'),
    version: Text('1.0.0'),
    uptime: Type.Number({ description: 'The time since the start, in seconds.', examples: [12.7] }),
    readOnly: Type.Boolean({
      description: 'Whether the server has no routes that write.',
      examples: [false],
    }),
    strict: Type.Boolean({
      description:
        'Whether the server accepts only what the platform documents: the option `--strict`.',
      examples: [false],
    }),
    lists: StringEnum(LISTS, {
      description: 'How the lists of the platform read their parameters: the option `--lists`.',
      examples: ['both'],
    }),
    resources: Sizes,
  },
  { $id: 'Health' },
)

const HealthQuerystring = Type.Object({
  accountId: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'The account whose visible items are counted (default: all items).',
      examples: ['oEb32zJWy27miFESb'],
    }),
  ),
})

export function createHealthOperation({
  version,
  readOnly,
  strict,
  lists,
}: Pick<ControlOptions, 'version' | 'readOnly' | 'strict' | 'lists'>) {
  const start = performance.now()
  return defineOperation('GET /health', 'health', 'Get the version, the uptime and the sizes', {
    description:
      'Returns the version of the package, the time since the start, whether the server is read-only, and the number of items of each resource.',
    querystring: HealthQuerystring,
    success: Health,
    isAtomic: true,
    *work({ query: { accountId }, sandbox: { store } }) {
      const isVisible = findVisibility(store, accountId)
      const resources: Record<string, number> = {}
      for (const [name, collection] of store.collections) {
        const { entries } = yield* collection.view(isVisible)
        resources[name] = entries.length
      }
      return {
        status: 'ok',
        version,
        uptime: Math.round(performance.now() - start) / 1000,
        readOnly,
        strict,
        lists,
        resources,
      }
    },
  })
}
