import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'

import type { Answers } from '../store/answers.js'
import type { Collection } from '../store/collection.js'
import { JSON_TYPE } from './jsend.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** What the answer is kept under; undefined where it is not kept. */
    answerKey: string | undefined
    /** The version of the collection that the request reads. */
    version: number
  }
}

/** What the plugin is registered with. */
export interface KeptAnswersOptions {
  readonly answers: Answers
  /** The collection that the scope's routes read. */
  readonly collection: Collection
}

/**
 * Answers a GET that the same account has sent before with what it was answered then, as long as
 * nothing was written to the collection since. Behind the auth plugin; for scopes whose answers
 * follow from the account, the URL and the collection alone.
 */
async function keptAnswers(app: FastifyInstance, options: KeptAnswersOptions): Promise<void> {
  const { answers, collection } = options
  app.decorateRequest('answerKey', undefined)
  app.decorateRequest('version', 0)

  app.addHook('onRequest', (request, reply, done) => {
    if (request.method !== 'GET') return done()
    const { version } = collection
    // No account's `_id` in a header has a line break, so that no two requests share a key.
    const key = `${version}\n${request.accountId}\n${request.url}`
    const body = answers.get(key)
    if (body !== undefined) return void reply.type(JSON_TYPE).send(body)
    request.answerKey = key
    request.version = version
    done()
  })

  app.addHook('onSend', (request, reply, payload, done) => {
    const { answerKey, version } = request
    // An answer that was evaluated while a write came in may be of the version before it.
    const isCurrent = version === collection.version && reply.statusCode === 200
    if (answerKey !== undefined && isCurrent && Buffer.isBuffer(payload))
      answers.set(answerKey, payload)
    done()
  })
}

export default fp(keptAnswers, { name: 'kept-answers', dependencies: ['auth'] })
