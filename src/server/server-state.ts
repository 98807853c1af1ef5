import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'

import type { Sandbox } from '../controls/sandboxes/sandbox.js'
import type { Sandboxes } from '../controls/sandboxes/sandboxes.js'
import type { Scenarios } from '../controls/scenarios.js'
import type { Callers } from '../http/callers.js'
import type { Options } from '../options.js'
import type { Store } from '../store/store.js'

export type Settings = Readonly<Options>

/** All state of one server: two servers share nothing. */
export interface ServerState {
  readonly settings: Settings
  readonly sandboxes: Sandboxes
  readonly scenarios: Scenarios
  readonly callers: Callers
  readonly convertedCounts: ReadonlyMap<string, number>
  /** The URL before `/api`; undefined for that of each request. */
  readonly baseUrl: string | undefined
}

declare module 'fastify' {
  interface FastifyInstance extends ServerState {
    /** The store, the faults and the journal outside of all sandboxes. */
    readonly store: Store
    readonly controls: Sandbox
  }
}

async function serverState(app: FastifyInstance, state: ServerState): Promise<void> {
  app.decorate('settings', state.settings)
  app.decorate('sandboxes', state.sandboxes)
  app.decorate('scenarios', state.scenarios)
  app.decorate('callers', state.callers)
  app.decorate('convertedCounts', state.convertedCounts)
  app.decorate('baseUrl', state.baseUrl)
  app.decorate('store', state.sandboxes.main.store)
  app.decorate('controls', state.sandboxes.main)
}

export default fp(serverState, { name: 'server-state' })
