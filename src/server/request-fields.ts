import type { FastifyInstance } from 'fastify'

import type { Epoch, Budget } from '@materials-mock/work'
import type { AppliedOutcome } from '../controls/faults/fault-rules.js'
import type { UseCollector } from '../controls/footprint/footprint.js'
import type { RequestRecord } from '../controls/journal/journal-record.js'
import type { Sandbox } from '../controls/sandboxes/sandbox.js'
import type { CatalogueError } from '../errors.js'
import type { ListRequest } from '../http/list/parameters.js'
import type { HeldBody } from '../http/read-body.js'
import type { ResourceRoute } from '../http/resource-routes.js'
import type { Store } from '../store/store.js'

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * Whether any page may have sent this request: `--cors-origin '*'` lets it in, or its browser does not tell. It may
     * use what the mock itself has, and reaches no deployment.
     */
    isFromAnyPage: boolean
    /** `routeOptions.config`, which Fastify puts into a new object at each access. */
    routeConfig: FastifyRequest['routeOptions']['config']
    /** The sandbox that this request names; undefined for the main one. */
    namedSandbox: Sandbox | undefined
    /** The error of a request that names an unknown sandbox. */
    sandboxError: CatalogueError | undefined
    /** The sandbox that this request reads and changes. */
    readonly sandbox: Sandbox
    /** A copy of the store of the sandbox, for a request whose writes are not kept. */
    copiedStore: Store | undefined
    /** The items, sessions and files that this request reads and changes. */
    readonly store: Store
    /** The path of the request's sandbox: `/sandboxes/ann`, or empty. */
    readonly sandboxPath: string
    /** The epoch in which this request arrived; undefined before its sandbox is found. */
    epoch: Epoch | undefined
    /** The operation of the request, if its path is that of a resource. */
    resourceRoute: ResourceRoute | undefined
    /** The parameters of a list, once its route has parsed them. */
    list: ListRequest | undefined
    /** Whether no route has the method and the path of the request. */
    isUnrouted: boolean
    /**
     * The `_id` of the account that this request names, whether or not its token is valid, or else the account of its
     * bearer token; empty if there is none. Behind the auth plugin, it is the account of an open session.
     */
    accountId: string
    /** The token of this request, valid or not; empty if it has none. */
    token: string
    /** Whether the token belongs to an open session of the account, or is one of its preferences tokens. */
    isSignedIn: boolean
    /**
     * The mark of a request of this server's own page: `own`, or `replay` for one of the journal that
     * the page sends again. Requests with `own` are not recorded, and faults do not affect them.
     */
    pageMark: 'own' | 'replay' | undefined
    /** The record of this request in the journal, or undefined if it is not recorded. */
    journalRecord: RequestRecord | undefined
    /** The entry of this request in the footprint, or undefined if it does not count. */
    use: UseCollector | undefined
    /** The body, if it is read before its parser asks for it. */
    keptBody: Promise<HeldBody> | undefined
    /** The outcome of a fault that applies to this request. */
    fault: AppliedOutcome | undefined
    /** The time for all the work of this request; undefined before its first work. */
    budget: Budget | undefined
  }
}

/**
 * Decorates requests with all fields that they have here. A request is one to the main sandbox, without an account,
 * until a step of `admit` finds more.
 */
export function decorateRequests(app: FastifyInstance, main: Sandbox): void {
  app.decorateRequest('isFromAnyPage', false)
  app.decorateRequest('routeConfig')
  app.decorateRequest('namedSandbox', undefined)
  app.decorateRequest('sandboxError', undefined)
  app.decorateRequest('copiedStore', undefined)
  app.decorateRequest('epoch', undefined)
  app.decorateRequest('resourceRoute', undefined)
  app.decorateRequest('list', undefined)
  app.decorateRequest('isUnrouted', false)
  app.decorateRequest('accountId', '')
  app.decorateRequest('token', '')
  app.decorateRequest('isSignedIn', false)
  app.decorateRequest('pageMark', undefined)
  app.decorateRequest('journalRecord', undefined)
  app.decorateRequest('use', undefined)
  app.decorateRequest('keptBody', undefined)
  app.decorateRequest('fault', undefined)
  app.decorateRequest('budget', undefined)
  app.decorateRequest('sandbox', {
    getter() {
      return this.namedSandbox ?? main
    },
  })
  app.decorateRequest('store', {
    getter() {
      return this.copiedStore ?? this.sandbox.store
    },
  })
  app.decorateRequest('sandboxPath', {
    getter() {
      return this.sandbox.path
    },
  })
}
