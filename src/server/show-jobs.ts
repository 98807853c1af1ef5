import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'

import { asError } from '@materials-mock/json'
import { checkEpoch } from '@materials-mock/work'
import type { ItemRoute } from '../http/resource-routes.js'
import { findEpoch } from '../http/run-work.js'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether a route replaces all items, so that it waits for no jobs. */
    readonly replacesState?: boolean
    /** Whether no job changes what a route answers, so that it waits for none. */
    readonly ignoresJobs?: boolean
  }
}

/**
 * The results of a job can take seconds, so a request for one item that exists does not wait for them, nor does one
 * for an account or a session: a page can open meanwhile.
 */
async function showJobs(app: FastifyInstance): Promise<void> {
  app.addHook('preHandler', (request, _reply, done) => {
    const { replacesState, ignoresJobs, isPage } = request.routeConfig
    if (replacesState === true || isPage === true) return void done()
    const advancing = request.store.jobClock.advance()
    if (advancing !== undefined && ignoresJobs !== true && !isItemThere(request))
      return void resume(request, advancing, done)
    advancing?.catch((error: unknown) => request.log.error(error))
    done()
  })
}

export default fp(showJobs, { name: 'show-jobs', dependencies: ['admit', 'run-work'] })

/** Jobs do not count, because their own transition may be due. */
function isItemThere({ resourceRoute, params, store }: FastifyRequest): boolean {
  if (resourceRoute?.operation.returnsItem !== true || resourceRoute.resource === 'jobs')
    return false
  const { resource, id } = params as ItemRoute['Params']
  const collection = store.timed.get(resource)
  return collection?.isTimed === false && collection.find(id) !== undefined
}

/** A hook that is not async costs the other requests no promise. */
async function resume(
  request: FastifyRequest,
  advancing: Promise<void>,
  done: (error?: Error) => void,
): Promise<void> {
  try {
    await advancing
    const epoch = findEpoch(request)
    if (epoch !== undefined) checkEpoch(epoch)
    done()
  } catch (error) {
    done(asError(error))
  }
}
