import { fileURLToPath } from 'node:url'

import fastify from 'fastify'
import type { FastifyInstance } from 'fastify'

import { completeOptions } from './options.js'
import type { Options } from './options.js'
import { sendFailure } from './plugins/jsend.js'
import jsend from './plugins/jsend.js'
import jsonBody from './plugins/json-body.js'
import notFound, { MAX_PARAM_LENGTH } from './plugins/not-found.js'
import rawHttp, { MAX_HEADER_SIZE, answerClientError } from './plugins/raw-http.js'
import { RequestLog } from './plugins/request-log.js'
import validation, { ajvOptions } from './plugins/validation.js'
import { ListingReader } from './routes/listing.js'
import { checkFixtures, readFixtures } from './store/fixtures.js'
import type { FixtureLists } from './store/fixtures.js'
import { Store } from './store/store.js'
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
  const loaded = isFolder
    ? await readFixtures(settings.fixtures ?? SHIPPED_FIXTURES)
    : checkFixtures(structuredClone(fixtures))
  const store = new Store(loaded, settings)

  const app = fastify({
    logger: { level: settings.logLevel ?? 'warn', base: null },
    logController: new RequestLog(),
    ajv: ajvOptions,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: MAX_PARAM_LENGTH },
    http: { maxHeaderSize: MAX_HEADER_SIZE, requireHostHeader: false },
    frameworkErrors: sendFailure,
    clientErrorHandler: answerClientError,
  })
  app.decorate('store', store)
  app.decorate('settings', settings)
  app.register(rawHttp)
  app.register(validation)
  app.register(jsonBody)
  app.register(jsend)
  app.register(notFound)
  app.register(version20181001, {
    store,
    listings: new ListingReader(settings.queryBudget),
    loginEnvelope: settings.loginEnvelope,
    prefix: '/api/2018-10-01',
  })
  await app.ready()
  return app
}
