import fastify from 'fastify'
import type { FastifyInstance } from 'fastify'

import type { Controls } from '../admin/controls.js'
import { parseLatency } from '../admin/faults/latency.js'
import { Sandboxes } from '../admin/sandboxes/sandboxes.js'
import { OptionsInvalid } from '../errors.js'
import { loadFixtures, validateFixtures } from '../fixtures/load-fixtures.js'
import type { InlineFixtures } from '../fixtures/load-fixtures.js'
import type { StateFolder } from '../fixtures/state/state-folder.js'
import { reloadFixturesOnChange } from '../fixtures/watch-fixtures.js'
import { completeOptions } from '../options.js'
import type { Options } from '../options.js'
import { packagePath, readPackageVersion } from '../package.js'
import connections from './connection/connections.js'
import protocolErrors from './connection/protocol-errors.js'
import cors, { parseAllowedOrigins } from '../http/cors.js'
import changeResponse from '../admin/faults/hooks/change-response.js'
import faults from '../admin/faults/hooks/faults.js'
import journal from '../admin/journal/record-requests.js'
import headRoutes from './head-routes.js'
import matchedRoute from '../http/matched-route.js'
import jsend from '../http/envelope.js'
import jsonBody from '../http/json-body.js'
import { isLoopback, isLoopbackOrigin } from '../http/loopback.js'
import notFound from './not-found.js'
import openapi from './openapi.js'
import { createPageRequestFilter } from '../http/page-requests.js'
import type { PassOn } from './upstream/pass-on.js'
import runWork from '../http/run-work.js'
import sandbox from '../admin/sandboxes/find-sandbox.js'
import unknownSandbox from '../admin/sandboxes/unknown-sandbox.js'
import sendJson from '../http/send-json.js'
import { createServerOptions } from './server-options.js'
import { ListQueryCompiler } from '../query/list-query.js'
import { controlRoutes } from '../admin/control-routes.js'
import { checkOidcAccount } from '../platform/oidc/oidc-account.js'
import { explorer } from './pages/explorer.js'
import { page } from './pages/page.js'
import { LoadedFixtures } from '../store/loaded-fixtures.js'
import type { Store } from '../store/store.js'
import { checkIsOptions } from '../json/validation/check-is-options.js'
import { version20181001 } from '../platform/2018-10-01.js'
import { unversioned } from '../platform/unversioned.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** The accounts, sessions and items of this server, outside of its sandboxes. */
    readonly store: Store
    /** The faults and the journal of this server, outside of its sandboxes. */
    readonly controls: Controls
    readonly sandboxes: Sandboxes
    /** The options of this server, with the defaults. */
    readonly settings: Settings
  }
}

/** The options of a server in process. `fixtures` is a directory, or arrays of items by resource. */
export type BuildOptions = Partial<Omit<Options, 'fixtures'>> & {
  /** A folder or a file of fixtures, or an array of items for each resource. */
  readonly fixtures?: string | InlineFixtures
}

/** The options of a server, with the defaults filled in. */
export type Settings = Readonly<Options>

/** The path of the API's version that most clients use. */
const BASE_PATH = '/api/2018-10-01'

/** The directory of the fixtures that come with the package. */
const SHIPPED_FIXTURES = packagePath('fixtures')

/** The directories that `npm run bundle` makes, from `src` and from `dist` alike. */
const BUNDLED_PAGE = packagePath('dist/ui')
const BUNDLED_EXPLORER = packagePath('dist/explorer')

/**
 * Builds a server that is ready for `app.inject` and `app.listen`. All state lives on the instance,
 * so that two servers share nothing.
 * @throws OptionsInvalid, FixturesInvalid, StateInvalid
 */
export async function buildApp(options: BuildOptions = {}): Promise<FastifyInstance> {
  checkIsOptions(options)
  const { fixtures, ...rest } = options
  const isDirectory = fixtures === undefined || typeof fixtures === 'string'
  const settings = completeOptions(isDirectory ? { ...rest, fixtures } : rest)
  if (settings.watch && !isDirectory)
    throw new OptionsInvalid('watch needs a folder or a file of fixtures, not lists')
  const { StateFolder } =
    settings.state === undefined ? {} : await import('../fixtures/state/state-folder.js')
  const state = await StateFolder?.open(settings.state as string)
  try {
    return await compose(settings, isDirectory ? undefined : fixtures, state)
  } catch (error) {
    await state?.close()
    throw error
  }
}

async function compose(
  settings: Settings,
  inlineFixtures: InlineFixtures | undefined,
  state: StateFolder | undefined,
): Promise<FastifyInstance> {
  const directory = settings.fixtures ?? SHIPPED_FIXTURES
  const loaded =
    inlineFixtures === undefined
      ? await loadFixtures(directory, (name) => state?.has(name) !== true)
      : validateFixtures(inlineFixtures)
  const sandboxes = new Sandboxes(
    new LoadedFixtures(state?.addResources(loaded) ?? loaded, settings),
    settings.journal,
  )
  const { store, controls } = sandboxes.main
  state?.resume(store)
  checkOidcAccount(settings.oidcAccount, store.accounts)
  const listQueries = new ListQueryCompiler()

  const app = fastify(createServerOptions(settings))
  app.decorate('store', store)
  app.decorate('controls', controls)
  app.decorate('sandboxes', sandboxes)
  app.decorate('settings', settings)
  const hasControls = settings.admin ?? isLoopback(settings.host)
  const isPageRequest = createPageRequestFilter(hasControls ? settings.host : undefined)
  app.register(headRoutes)
  app.register(matchedRoute)
  app.register(sandbox, { sandboxes })
  app.register(runWork, { scheduler: store.scheduler, budgetMs: settings.queryBudget })
  app.register(changeResponse)
  app.register(journal, { capacity: settings.journal, isPageRequest })
  app.register(connections)
  app.register(protocolErrors)
  if (settings.cors) {
    const isAllowed = parseAllowedOrigins(settings.corsOrigin)
    const own = { '/__admin': isLoopbackOrigin, '/oidc': isLoopbackOrigin }
    app.register(cors, { origins: { '/api': isAllowed, '/storage': isAllowed, ...own } })
  }
  app.register(unknownSandbox)
  const latency = parseLatency(settings.latency)
  app.register(faults, { pathPrefix: '/api', latency, isPageRequest })
  app.register(jsonBody)
  app.register(jsend)
  app.register(sendJson)
  app.register(notFound, { passOn: await createPassOn(app, settings) })
  app.register(openapi, { basePath: BASE_PATH })
  app.register(page, { directory: BUNDLED_PAGE })
  app.register(explorer, { directory: BUNDLED_EXPLORER })
  app.register(version20181001, {
    resources: new Set(store.collections.keys()),
    listQueries,
    loginEnvelope: settings.loginEnvelope,
    lists: settings.lists,
    readOnly: settings.readOnly,
    prefix: BASE_PATH,
  })
  const { host, readOnly, sessionTtl, oidcAccount: username } = settings
  const isOidcServed = settings.oidc ?? isLoopback(host)
  app.register(unversioned, { host, readOnly, isOidcServed, username, sessionTtl })
  if (hasControls) {
    app.register(controlRoutes, {
      sandboxes,
      listQueries,
      host,
      version: readPackageVersion(),
      readOnly,
      prefix: '/__admin',
    })
  }
  if (settings.watch) app.addHook('onClose', reloadFixturesOnChange(directory, store, app.log))
  if (state !== undefined) {
    // The response of a write waits until the write is saved.
    app.addHook('onSend', async ({ method }) => {
      if (!['GET', 'HEAD', 'OPTIONS'].includes(method)) await state.flush()
    })
    app.addHook('onClose', () => state.close())
  }
  await app.ready()
  state?.startSaving(store, app.log)
  return app
}

/** Creates what passes requests on with `--upstream`. Without it, the modules are not loaded. */
async function createPassOn(
  app: FastifyInstance,
  { upstream, upstreamRecord }: Settings,
): Promise<PassOn | undefined> {
  if (upstream === undefined) return undefined
  const passOn = await import('./upstream/pass-on.js')
  if (upstreamRecord === undefined) return passOn.createPassOn({ upstream })
  const { AnswerRecorder } = await import('../fixtures/answer-recorder.js')
  const recorder = await AnswerRecorder.open(upstreamRecord, {
    scheduler: app.store.scheduler,
    logError: (message) => app.log.error(message),
  })
  app.addHook('onClose', () => recorder.close())
  return passOn.createPassOn({ upstream, onAnswer: (answer) => recorder.record(answer) })
}
