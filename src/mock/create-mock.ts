import type { FastifyInstance } from 'fastify'

import { copyInParts } from '@materials-mock/json'
import { Budget, checkEpoch, runToEnd, toWork } from '@materials-mock/work'
import type { Work } from '@materials-mock/work'
import { callOperation, isAtomic } from '../controls/control.js'
import type { VerifiedRequests } from '../controls/journal/verify-requests.js'
import type { Sandbox } from '../controls/sandboxes/sandbox.js'
import { createMembers, toRequest } from './members.js'
import type { CallOperation, Mock } from './members.js'

/** Sends a request to a server without using the network, and returns the response as `fetch` would. */
export type SendRequest = (app: FastifyInstance, request: Request) => Promise<Response>

/**
 * Creates the mock of a server.
 * @param origin the URL of the server
 */
export function createMock(app: FastifyInstance, origin: string, send: SendRequest): Mock {
  const { sandboxes, settings } = app

  const create = (sandboxName?: string): Mock => {
    const find = (): Sandbox =>
      sandboxName === undefined ? sandboxes.main : sandboxes.get(sandboxName)

    const call: CallOperation = (
      request,
      toInput = () => ({}),
      toReturned = (result) => result as never,
    ) => {
      const operation = app.operations.get(request)!
      const run = (sandbox: Sandbox): never => {
        const taken = { sandbox, origin, params: {}, query: {}, body: undefined, ...toInput() }
        const runWork = (work: Work<unknown>): unknown =>
          sandbox.store.scheduler.run(work, new Budget(settings.queryBudget))
        return callOperation(operation, { ...taken, defaultLimit: Infinity }, runWork) as never
      }
      if (isAtomic(operation)) {
        const sandbox = operation.isShared === true ? sandboxes.main : find()
        return toReturned(runToEnd(copyResult(run(sandbox))))
      }
      return (async () => {
        const sandbox = find()
        const { epoch } = sandbox.store
        await sandbox.store.catchUp()
        checkEpoch(epoch)
        const copying = toWork(copyResult(await run(sandbox)), 'writing the response')
        return toReturned(await sandbox.store.scheduler.run(copying, new Budget(Infinity)))
      })()
    }

    const members = createMembers(call, {
      listResources: () => [...find().store.collections.keys()],
      listAll: async (query, projection) =>
        call('GET /requests', () => ({ query: { query, projection } })),
      listVerified: async (verification) => (verification as unknown as VerifiedRequests).requests,
      createSandbox: create,
    })
    return {
      ...(members as Mock), // an atomic operation returns no promise
      url: origin + find().path,
      app,
      fetch: async (input, init) => send(app, toRequest(origin, sandboxName, input, init)),
      close: async () => {
        if (sandboxName === undefined) await app.close()
        else if (sandboxes.find(sandboxName) !== undefined) sandboxes.end(sandboxName)
      },
    }
  }
  return create()
}

/** Copies a result, so that it is the caller's own. `structuredClone` would return arrays that Jest's are not equal to. */
function* copyResult<Result>(result: Result): Generator<void, Result, void> {
  return result === undefined ? result : ((yield* copyInParts(result)) as Result)
}
