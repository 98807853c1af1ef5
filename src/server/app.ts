import fastify from 'fastify'
import type { FastifyInstance } from 'fastify'

import { controlRoutes } from '../admin/control-routes.js'
import { parseLatency } from '../admin/faults/fault.js'
import { PendingRequests } from '../admin/faults/inject-fault.js'
import { readTestRun } from '../admin/mutation/mutation.js'
import type { TestRun } from '../admin/mutation/mutation.js'
import { createMutator } from '../admin/mutation/mutator.js'
import { createObserver } from '../admin/mutation/observer.js'
import type { Sandbox } from '../admin/sandbox.js'
import { Sandboxes } from '../admin/sandboxes/sandboxes.js'
import { Scenarios } from '../admin/scenarios.js'
import { OptionsInvalid } from '../errors.js'
import { AnswerRecorder } from '../fixtures/answer-recorder.js'
import { FixtureReloader } from '../fixtures/fixture-reloader.js'
import { loadFixtures, validateFixtures } from '../fixtures/load-fixtures.js'
import type { InlineFixtures } from '../fixtures/load-fixtures.js'
import { StateFolder } from '../fixtures/state/state-folder.js'
import { parseAllowedOrigins } from '../http/cors.js'
import jsend, { sendFailure } from '../http/envelope.js'
import jsonBody from '../http/json-body.js'
import { isLoopback } from '../http/loopback-guard.js'
import { rewriteTarget } from '../http/request-target.js'
import runWork from '../http/run-work.js'
import { schemaController } from '../http/schema-controller.js'
import sendJson from '../http/send-json.js'
import { checkIsOptions, completeOptions } from '../options.js'
import type { Options } from '../options.js'
import { packagePath, readPackageVersion } from '../package.js'
import { BASE_PATH, createResourceRoutes, version20181001 } from '../platform/2018-10-01.js'
import { STORAGE_PATH, storageRoutes } from '../platform/file-routes.js'
import { checkOidcAccount, oidcRoutes } from '../platform/oidc-routes.js'
import { version1 } from '../platform/user-routes.js'
import { ListQueryCompiler } from '../query/list-query.js'
import { LoadedFixtures } from '../store/loaded-fixtures.js'
import type { Store } from '../store/store.js'
import { admit } from './admit.js'
import { conclude } from './conclude.js'
import { watchConnections } from './connection/connections.js'
import {
  MAX_HEADER_SIZE,
  REQUEST_TIMEOUT,
  handleClientError,
  sendProtocolErrors,
} from './connection/protocol-errors.js'
import { createLogStream } from './log/log-stream.js'
import { RequestLog } from './log/request-log.js'
import { MAX_PARAM_LENGTH } from './not-found.js'
import openapi from './openapi.js'
import { pages } from './pages/pages.js'
import { readTlsFiles } from './tls.js'
import { createPassOn } from './upstream/pass-on.js'
import type { PassOn } from './upstream/pass-on.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** The accounts, sessions and items of this server, outside of its sandboxes. */
    readonly store: Store
    /** The faults and the journal of this server, outside of its sandboxes. */
    readonly controls: Sandbox
    readonly sandboxes: Sandboxes
    readonly scenarios: Scenarios
    /** The options of this server, with the defaults. */
    readonly settings: Settings
    /** The numbers of values of Extended JSON in the fixtures, by their files. */
    readonly convertedCounts: ReadonlyMap<string, number>
  }
}

/** The options of a server in process. */
export type BuildOptions = Partial<Omit<Options, 'fixtures'>> & {
  /** The path of a folder or a file of fixtures, or an array of items for each resource. */
  readonly fixtures?: string | InlineFixtures
}

/** The options of a server, with the defaults filled in. */
export type Settings = Readonly<Options>

/** The directory of the fixtures that come with the package. */
const SHIPPED_FIXTURES = packagePath('fixtures')

/** The directories that `npm run bundle` makes, from `src` and from `dist` alike. */
const BUNDLED_PAGES = packagePath('dist/ui')

/**
 * Builds a server that is ready for `app.inject` and `app.listen`. All state lives on the instance, so
 * two servers share nothing.
 * @param testRun what `materials-mock mutate` asks for (default: the values of its variables)
 * @throws OptionsInvalid, FixturesInvalid, StateInvalid
 */
export async function buildApp(
  options: BuildOptions = {},
  testRun: TestRun = readTestRun(process.env),
): Promise<FastifyInstance> {
  checkIsOptions(options)
  const { fixtures, ...rest } = options
  const isDirectory = fixtures === undefined || typeof fixtures === 'string'
  const settings = completeOptions(isDirectory ? { ...rest, fixtures } : rest)
  if (settings.watch && !isDirectory)
    throw new OptionsInvalid('watch needs a folder or a file of fixtures, not lists')
  const state = settings.state === undefined ? undefined : await StateFolder.open(settings.state)
  try {
    return await compose(settings, isDirectory ? undefined : fixtures, state, testRun)
  } catch (error) {
    await state?.close()
    throw error
  }
}

async function compose(
  settings: Settings,
  inlineFixtures: InlineFixtures | undefined,
  state: StateFolder | undefined,
  { mutation, footprintFolder }: TestRun,
): Promise<FastifyInstance> {
  const directory = settings.fixtures ?? SHIPPED_FIXTURES
  const reloader =
    inlineFixtures === undefined && state === undefined ? new FixtureReloader(directory) : undefined
  const loaded =
    inlineFixtures === undefined
      ? await loadFixtures(directory, (name) => state?.has(name) !== true)
      : await validateFixtures(inlineFixtures)
  const listQueries = new ListQueryCompiler()
  const { lists, readOnly } = settings
  const resourceRoutes = createResourceRoutes({ listQueries, lists, readOnly })
  const apiPaths = new Set<string>()
  const listTemplates = (store: Store): string[] => [
    ...apiPaths,
    ...Array.from(resourceRoutes.list(store), ({ path }) => path),
  ]
  const fixtures = new LoadedFixtures(state?.addResources(loaded) ?? loaded, settings)
  const templates = settings.upstream === undefined ? listTemplates : undefined
  const sandboxes = new Sandboxes(fixtures, settings.journal, templates)
  const scenarios = new Scenarios(fixtures, loaded.scenarios, templates)
  const { store } = sandboxes.main
  state?.resume(store)
  checkOidcAccount(settings.oidcAccount, store.accounts)

  const app = createServer(settings)
  app.server.maxHeadersCount = 0 // Node would drop headers after the 2000th without an error
  app.addHook('onRoute', ({ url, config }) => {
    if (url.startsWith('/api/') && config?.operations === undefined) apiPaths.add(url)
  })
  app.decorate('store', store)
  app.decorate('controls', sandboxes.main)
  app.decorate('sandboxes', sandboxes)
  app.decorate('scenarios', scenarios)
  app.decorate('settings', settings)
  app.decorate('convertedCounts', loaded.convertedCounts)
  const hasControls = settings.admin ?? isLoopback(settings.host)
  const pendingRequests = new PendingRequests()
  const mutate = mutation && createMutator(mutation)
  const observe = footprintFolder === undefined ? undefined : createObserver(footprintFolder)
  watchConnections(app)
  sendProtocolErrors(app)
  admit(app, {
    sandboxes,
    resourceRoutes,
    journalSize: settings.journal,
    controlsHost: hasControls ? settings.host : undefined,
    origins: settings.cors && parseAllowedOrigins(settings.corsOrigin),
    latency: settings.latency === undefined ? undefined : parseLatency(settings.latency),
    pendingRequests,
    passOn: await connectUpstream(app, settings),
    hasFootprint: hasControls || mutate !== undefined || observe !== undefined,
    mutate,
  })
  conclude(app, { pendingRequests, save: state && (() => state.flush()), observe })
  app.addHook('preClose', async () => pendingRequests.releaseAll())
  app.register(runWork, { scheduler: store.scheduler, budgetMs: settings.queryBudget })
  app.register(jsonBody)
  app.register(jsend)
  app.register(sendJson)
  app.register(openapi, { basePath: BASE_PATH, resourceRoutes })
  app.register(pages, { directory: BUNDLED_PAGES })
  app.register(version20181001, {
    resourceRoutes,
    loginEnvelope: settings.loginEnvelope,
    prefix: BASE_PATH,
  })
  const { host, sessionTtl, oidcAccount: username } = settings
  app.register(version1, { prefix: '/api/v1' })
  app.register(storageRoutes, { readOnly, prefix: STORAGE_PATH })
  if (settings.oidc ?? isLoopback(host))
    app.register(oidcRoutes, { host, username, sessionTtl, prefix: '/oidc' })
  if (hasControls) {
    app.register(controlRoutes, {
      sandboxes,
      scenarios,
      listQueries,
      lists,
      host,
      version: readPackageVersion(),
      readOnly,
      reloader,
      prefix: '/__admin',
    })
  }
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

/** Creates the server without routes. */
const createServer = ({
  logLevel: level = 'warn',
  logFormat = 'text',
  tlsCert,
  tlsKey,
}: Settings): FastifyInstance => {
  const tls = readTlsFiles(tlsCert, tlsKey)
  const http = {
    maxHeaderSize: MAX_HEADER_SIZE,
    requireHostHeader: false, // admit checks it
  }
  return fastify({
    // Without a logger, Fastify creates no child logger for each request.
    logger: level !== 'silent' && { level, base: null, stream: createLogStream(logFormat) },
    logController: new RequestLog(level),
    schemaController,
    pluginTimeout: 0, // each plugin and route would set a timer
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: MAX_PARAM_LENGTH },
    // A client that does not shake hands would hold the close of the server.
    ...(tls === undefined ? { http } : { https: { ...http, ...tls, handshakeTimeout: 5000 } }),
    requestTimeout: REQUEST_TIMEOUT,
    rewriteUrl: rewriteTarget,
    frameworkErrors: sendFailure,
    clientErrorHandler: handleClientError,
    return503OnClosing: false, // Fastify's 503 has no envelope; connections closes instead
  }) as FastifyInstance
}

/** Creates the function that passes requests on, and records the answers, as the options ask. */
async function connectUpstream(
  app: FastifyInstance,
  { upstream, upstreamRecord }: Settings,
): Promise<PassOn | undefined> {
  if (upstream === undefined) return undefined
  if (upstreamRecord === undefined) return createPassOn({ upstream })
  const recorder = await AnswerRecorder.open(upstreamRecord, {
    scheduler: app.store.scheduler,
    logError: (message) => app.log.error(message),
  })
  app.addHook('onClose', () => recorder.close())
  return createPassOn({ upstream, onAnswer: (answer) => recorder.record(answer) })
}
