import { fileURLToPath } from 'node:url'

import fastify from 'fastify'
import type { FastifyInstance } from 'fastify'

import { OptionsInvalid } from './errors.js'
import { completeOptions } from './options.js'
import type { Options } from './options.js'
import { packageVersion } from './package-version.js'
import cors, { originsIn } from './plugins/cors.js'
import faults from './plugins/faults.js'
import journal from './plugins/journal.js'
import { sendFailure } from './plugins/jsend.js'
import jsend from './plugins/jsend.js'
import jsonBody from './plugins/json-body.js'
import { isLoopback, isLoopbackOrigin } from './plugins/local-only.js'
import notFound, { MAX_PARAM_LENGTH } from './plugins/not-found.js'
import rawHttp, { MAX_HEADER_SIZE, answerClientError } from './plugins/raw-http.js'
import { RequestLog } from './plugins/request-log.js'
import secondAddress from './plugins/second-address.js'
import unanswered from './plugins/unanswered.js'
import { schemaController } from './plugins/validation.js'
import { admin } from './routes/admin.js'
import { explorer } from './routes/explorer.js'
import { ListingReader } from './routes/listing.js'
import { toDelay } from './schemas/fault.js'
import { checkFixtures, readFixtures } from './store/fixtures.js'
import type { FixtureLists } from './store/fixtures.js'
import { Store } from './store/store.js'
import { watchFixtures } from './store/watch.js'
import { version20181001 } from './versions/2018-10-01.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** All that this server holds. */
    readonly store: Store
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
  const loaded = isFolder ? await readFixtures(folder) : checkFixtures(structuredClone(fixtures))
  const store = new Store(loaded, settings)
  const listings = new ListingReader(settings.queryBudget)
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
  app.decorate('settings', settings)
  app.register(journal, { requests: store.journal })
  app.register(rawHttp)
  app.register(unanswered)
  app.register(secondAddress)
  if (settings.cors) {
    app.register(cors, { under: '/api', allows: originsIn(settings.corsOrigin) })
    app.register(cors, { under: '/__admin', allows: isLoopbackOrigin })
  }
  const latency = toDelay(settings.latency)
  app.register(faults, { under: '/api', rules: store.faults, latency })
  app.register(jsonBody)
  app.register(jsend)
  app.register(notFound)
  app.register(explorer, { document: '/api/2018-10-01/swagger.json' })
  app.register(version20181001, {
    store,
    listings,
    queryBudget: settings.queryBudget,
    loginEnvelope: settings.loginEnvelope,
    readOnly: settings.readOnly,
    prefix: '/api/2018-10-01',
  })
  if (settings.admin ?? isLoopback(settings.host)) {
    const version = packageVersion()
    app.register(admin, { store, listings, host: settings.host, version, prefix: '/__admin' })
  }
  if (settings.watch) app.addHook('onClose', watchFixtures(folder, store, app.log))
  await app.ready()
  return app
}
