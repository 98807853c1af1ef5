import { fileURLToPath } from 'node:url'

import fastify from 'fastify'
import type { FastifyInstance } from 'fastify'

import { OptionsInvalid } from './errors.js'
import { completeOptions } from './options.js'
import type { Options } from './options.js'
import { packageVersion } from './package-version.js'
import { Controls } from './controls/controls.js'
import cors, { originsIn } from './plugins/cors.js'
import faults from './plugins/faults/faults.js'
import journal from './plugins/journal.js'
import { sendFailure } from './plugins/jsend.js'
import jsend from './plugins/jsend.js'
import jsonBody from './plugins/json-body.js'
import { isLoopback, isLoopbackOrigin } from './plugins/loopback-guard.js'
import notFound, { MAX_PARAM_LENGTH } from './plugins/not-found.js'
import protocolErrors, {
  MAX_HEADER_SIZE,
  answerClientError,
} from './plugins/connection/protocol-errors.js'
import { RequestLog } from './plugins/request-log.js'
import extraListener from './plugins/connection/extra-listener.js'
import gracefulShutdown from './plugins/connection/graceful-shutdown.js'
import sendJson from './plugins/send-json.js'
import { schemaController } from './plugins/schema-controller.js'
import { controlRoutes } from './routes/controls/control-routes.js'
import { explorer } from './routes/pages/explorer.js'
import { ListQueryCompiler } from './query/list-query.js'
import { toDelay } from './schemas/fault.js'
import { validateFixtures, loadFixtures } from './fixtures/load-fixtures.js'
import type { FixtureLists } from './fixtures/load-fixtures.js'
import { Store } from './store/store.js'
import { watchFixtures } from './fixtures/reload-fixtures.js'
import { version20181001 } from './versions/2018-10-01.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** The accounts, sessions and items of this server. */
    readonly store: Store
    /** The faults and the journal of this server. */
    readonly controls: Controls
    /** The options it was built with, defaults and all. */
    readonly settings: Settings
  }
}

/** The options of a server in process: `fixtures` may also be the lists themselves, by name. */
export type BuildOptions = Partial<Omit<Options, 'fixtures'>> & {
  readonly fixtures?: string | FixtureLists
}

/** The options of a server with all defaults filled in. */
export type Settings = Readonly<Options>

/** The fixtures that come with the package. */
const SHIPPED_FIXTURES = fileURLToPath(new URL('../fixtures', import.meta.url))

/**
 * Builds a server that is ready for `app.inject` or `app.listen`. All state lives on it: two of
 * them never meet.
 * @throws OptionsInvalid, FixturesInvalid
 */
export async function buildApp({ fixtures, ...rest }: BuildOptions = {}): Promise<FastifyInstance> {
  const isFolder = fixtures === undefined || typeof fixtures === 'string'
  const settings = completeOptions(isFolder ? { ...rest, fixtures } : rest)
  if (settings.watch && !isFolder)
    throw new OptionsInvalid('watch needs a folder of fixtures, not lists')
  const folder = settings.fixtures ?? SHIPPED_FIXTURES
  const loaded = isFolder ? await loadFixtures(folder) : validateFixtures(structuredClone(fixtures))
  const store = new Store(loaded, settings)
  const controls = new Controls(store, settings.journal)
  const listQueries = new ListQueryCompiler(settings.queryBudget)
  const level = settings.logLevel ?? 'warn'

  const app = fastify({
    // Without a logger no request gets a child of it.
    logger: level !== 'silent' && { level, base: null },
    logController: new RequestLog(level),
    schemaController,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: MAX_PARAM_LENGTH },
    http: {
      maxHeaderSize: MAX_HEADER_SIZE,
      requireHostHeader: false,
    },
    frameworkErrors: sendFailure,
    clientErrorHandler: answerClientError,
    return503OnClosing: false, // its answer has no envelope; ours says `Connection: close` too
  })
  app.decorate('store', store)
  app.decorate('controls', controls)
  app.decorate('settings', settings)
  app.register(journal, { requests: controls.journal })
  app.register(protocolErrors)
  app.register(gracefulShutdown)
  app.register(extraListener)
  if (settings.cors) {
    app.register(cors, { under: '/api', allows: originsIn(settings.corsOrigin) })
    app.register(cors, { under: '/__admin', allows: isLoopbackOrigin })
  }
  const latency = toDelay(settings.latency)
  app.register(faults, { under: '/api', rules: controls.faults, latency })
  app.register(jsonBody)
  app.register(jsend)
  app.register(sendJson)
  app.register(notFound)
  app.register(explorer, { document: '/api/2018-10-01/swagger.json' })
  app.register(version20181001, {
    store,
    listQueries,
    queryBudget: settings.queryBudget,
    loginEnvelope: settings.loginEnvelope,
    readOnly: settings.readOnly,
    prefix: '/api/2018-10-01',
  })
  if (settings.admin ?? isLoopback(settings.host)) {
    app.register(controlRoutes, {
      store,
      controls,
      listQueries,
      host: settings.host,
      version: packageVersion(),
      prefix: '/__admin',
    })
  }
  if (settings.watch) app.addHook('onClose', watchFixtures(folder, store, app.log))
  await app.ready()
  return app
}
