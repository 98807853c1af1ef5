import type { TSchema } from '@sinclair/typebox'
import fastify from 'fastify'
import type { FastifyInstance, FastifyPluginAsync, FastifyServerOptions } from 'fastify'

import { parseLatency } from '@materials-mock/api'
import type { ReadLists } from '@materials-mock/api'
import { compileValidator } from '@materials-mock/json'
import type { HttpPart } from '@materials-mock/json'
import type { Scheduler } from '@materials-mock/work'
import { controlRoutes, operationTable } from '../controls/control-routes.js'
import type { Operation } from '../controls/control.js'
import { PendingRequests } from '../controls/faults/inject-fault.js'
import type { FaultOptions } from '../controls/faults/inject-fault.js'
import { createOperations } from '../controls/operations.js'
import { Sandbox } from '../controls/sandboxes/sandbox.js'
import { Sandboxes } from '../controls/sandboxes/sandboxes.js'
import { Scenarios } from '../controls/scenarios.js'
import type { SymmetryThread } from './symmetry-thread.js'
import type { FixtureReloader, ReloadLogger } from '../fixtures/fixture-reloader.js'
import type { FixturesContent } from '../fixtures/validate-fixtures.js'
import { Callers, isLoopback } from '../http/callers.js'
import jsend, { sendFailure } from '../http/envelope.js'
import jsonBody from '../http/json-body.js'
import { ListQueryCompiler } from '../http/list/compile.js'
import { rewriteTarget } from '../http/request-target.js'
import runWork from '../http/run-work.js'
import sendJson from '../http/send-json.js'
import { BASE_PATH, createResourceRoutes, version20181001 } from '../platform/2018-10-01.js'
import { STORAGE_PATH, storageRoutes } from '../platform/file-routes.js'
import { checkOidcAccount, oidcRoutes } from '../platform/oidc-routes.js'
import { version1 } from '../platform/user-routes.js'
import { LoadedFixtures } from '../store/loaded-fixtures.js'
import type { Fixtures } from '../store/loaded-fixtures.js'
import type { Store } from '../store/store.js'
import admit from './admit.js'
import conclude from './conclude.js'
import type { ConcludeOptions } from './conclude.js'
import type { Network } from './connection/network.js'
import { RequestLog } from './log/request-log.js'
import { MAX_PARAM_LENGTH } from './not-found.js'
import openapi from './openapi.js'
import showJobs from './show-jobs.js'
import serverState from './server-state.js'
import type { Settings } from './server-state.js'
import type { PassOn } from './upstream/pass-on.js'

export interface KeptState {
  /** Adds the resources that a reset restores to fixtures, sorted by name. */
  addResources(fixtures: Fixtures): Fixtures
  resume(sandboxes: Sandboxes): void
  startSaving(store: Store, logger: ReloadLogger): void
  /** Waits until the current state is saved, or until the save has failed; undefined if it is saved. */
  flush(): Promise<void> | undefined
  close(): Promise<void>
}

/** What a server uses of the machine that it runs on. In a browser it has neither files nor connections. */
export interface Surroundings {
  /** The URL before `/api`, for a server whose requests do not say it. */
  readonly baseUrl?: string
  readonly version: string
  /** Opens what the lines of the log are written to (default: no log). */
  readonly openLog?: () => { write(line: string): void }
  /** How the server meets the network; undefined for one that is given its requests. */
  readonly network?: Network
  readonly reloader?: FixtureReloader | undefined
  /** The thread that searches symmetry; undefined where a search may hold everybody. */
  readonly symmetry?: SymmetryThread
  readonly state?: KeptState | undefined
  /** Connects the deployment that requests are passed on to. */
  readonly connectUpstream?:
    ((app: FastifyInstance, scheduler: Scheduler) => Promise<PassOn>) | undefined
  readonly mutate?: FaultOptions['mutate']
  readonly observe?: ConcludeOptions['observe']
  readonly pages?: FastifyPluginAsync | undefined
}

/** @throws OptionsInvalid, FixturesInvalid */
export async function compose(
  settings: Settings,
  loaded: FixturesContent,
  surroundings: Surroundings,
): Promise<FastifyInstance> {
  const {
    version,
    openLog,
    network,
    reloader,
    state,
    connectUpstream,
    mutate,
    observe,
    pages,
    symmetry,
  } = surroundings
  const listQueries = new ListQueryCompiler()
  const { strict, readOnly } = settings
  const lists: ReadLists = strict ? 'strict' : settings.lists
  const announcedLists = settings.upstream === undefined ? lists : undefined
  const resourceRoutes = createResourceRoutes({ listQueries, lists, announcedLists, readOnly })
  const apiPaths = new Set<string>()
  const listTemplates = (store: Store): string[] => [
    ...apiPaths,
    ...Array.from(resourceRoutes.list(store), ({ path }) => path),
  ]
  const fixtures = new LoadedFixtures(state?.addResources(loaded) ?? loaded, settings)
  const templates = settings.upstream === undefined ? listTemplates : undefined
  const limits = { capacity: settings.journal, bodyBytes: settings.journalBody }
  const createSandbox = (name?: string): Sandbox => new Sandbox(fixtures, limits, templates, name)
  const sandboxes = new Sandboxes(createSandbox)
  const scenarios = new Scenarios(fixtures, loaded.scenarios, createSandbox)
  const { store } = sandboxes.main
  const controlOptions = { version, readOnly, strict, lists, listQueries, reloader }
  const operations: readonly Operation[] = createOperations(controlOptions, sandboxes, scenarios)
  state?.resume(sandboxes)
  checkOidcAccount(settings.oidcAccount, store.accounts)

  const app = createServer(settings, openLog, network)
  app.addHook('onRoute', ({ url, config }) => {
    if (url.startsWith('/api/') && config?.operations === undefined) apiPaths.add(url)
  })
  const hasControls = settings.admin ?? isLoopback(settings.host)
  const pendingRequests = new PendingRequests()
  const passOn = await connectUpstream?.(app, store.scheduler)
  network?.watch(app)
  app.register(serverState, {
    settings,
    sandboxes,
    scenarios,
    callers: new Callers(settings),
    convertedCounts: loaded.convertedCounts,
    baseUrl: surroundings.baseUrl,
  })
  app.register(admit, {
    resourceRoutes,
    hasControls,
    isFromNetwork: (request) => network?.isFromNetwork(request) === true,
    latency: settings.latency === undefined ? undefined : parseLatency(settings.latency),
    pendingRequests,
    passOn,
    hasFootprint: hasControls || mutate !== undefined || observe !== undefined,
    mutate,
  })
  app.register(conclude, {
    pendingRequests,
    save: state && (() => state.flush()),
    listQueries,
    observe,
  })
  app.register(runWork, {
    scheduler: store.scheduler,
    budgetMs: settings.queryBudget,
    elsewhere: symmetry?.search,
  })
  app.register(jsonBody)
  app.register(jsend)
  app.register(sendJson)
  app.register(showJobs)
  app.register(openapi, { basePath: BASE_PATH, resourceRoutes })
  app.register(operationTable, { operations })
  if (pages !== undefined) app.register(pages)
  app.register(version20181001, {
    resourceRoutes,
    loginEnvelope: settings.loginEnvelope,
    announcedLists,
    strict,
    prefix: BASE_PATH,
  })
  const { host, sessionTtl, oidcAccount: username } = settings
  app.register(version1, { prefix: '/api/v1' })
  app.register(storageRoutes, { readOnly, prefix: STORAGE_PATH })
  if (settings.oidc ?? isLoopback(host))
    app.register(oidcRoutes, { username, sessionTtl, prefix: '/oidc' })
  if (hasControls) app.register(controlRoutes, { ...controlOptions, prefix: '/__admin' })
  app.addHook('onClose', async () => symmetry?.close())
  const loadScenarios = scenarios.load.bind(scenarios)
  reloader?.connect({ store, logger: app.log, names: loaded.resources.keys(), loadScenarios })
  if (settings.watch) reloader?.watch()
  app.addHook('onClose', async () => reloader?.stop())
  if (state !== undefined) app.addHook('onClose', () => state.close())
  try {
    await app.ready()
  } catch (error) {
    await app.close()
    throw error
  }
  state?.startSaving(store, app.log)
  return app
}

function createServer(
  { logLevel: level = 'warn' }: Settings,
  openLog: Surroundings['openLog'],
  network: Network | undefined,
): FastifyInstance {
  return fastify({
    // Without a logger, Fastify creates no child logger for each request.
    logger: openLog !== undefined && level !== 'silent' && { level, base: null, stream: openLog() },
    logController: new RequestLog(level),
    schemaController,
    pluginTimeout: 0, // each plugin and route would set a timer
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: MAX_PARAM_LENGTH },
    rewriteUrl: rewriteTarget,
    frameworkErrors: sendFailure,
    ...network?.options,
  }) as FastifyInstance
}

/**
 * TypeBox validates requests. Responses have no schema: fast-json-stringify drops unknown fields.
 */
const schemaController = {
  compilersFactory: {
    buildValidator: () => compileFastifyValidator as never,
    buildSerializer: () => () => JSON.stringify,
  },
} satisfies FastifyServerOptions['schemaController']

function compileFastifyValidator({ schema, httpPart }: { schema: TSchema; httpPart: HttpPart }) {
  const validate = compileValidator(schema, httpPart)
  return (value: unknown) => {
    const error = validate(value)
    return error === undefined || { error }
  }
}
