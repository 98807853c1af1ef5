import { defineOperation, findVisibility } from './control.js'
import type { ControlOptions } from './control.js'

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
    isAtomic: true,
    *work({ query: { accountId }, sandbox: { store } }) {
      const isVisible = findVisibility(store, accountId)
      const resources: Record<string, number> = {}
      for (const [name, collection] of store.collections) {
        const { entries } = yield* collection.view(isVisible)
        resources[name] = entries.length
      }
      return {
        status: 'ok' as const,
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
