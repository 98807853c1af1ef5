import type { Store } from '../../store/store.js'
import type { Work } from '../../work/work.js'
import { collectExamples } from './examples.js'
import type { DocumentExamples } from './examples.js'
import { toOperationObject } from './operation.js'
import type { Components, SharedFailures } from './operation.js'
import type { OperationSchema } from './responses.js'

/** A route of the document, as it was registered. */
export interface DocumentedRoute {
  /** The whole path, in Fastify's syntax: `/api/2018-10-01/materials/:id`. */
  readonly path: string
  readonly methods: readonly string[]
  readonly schema: OperationSchema
}

/** The server that a document describes. */
export interface DocumentedServer {
  /** The URL of the server or of a sandbox: `http://localhost:4000`. */
  readonly origin: string
  /** The path that the document's paths are relative to: `/api/2018-10-01`. */
  readonly basePath: string
}

/** The parts of a document that do not follow from its routes. */
export interface DocumentFrame {
  readonly info: object
  readonly security: readonly object[]
  readonly securitySchemes?: object
}

/**
 * Creates the OpenAPI 3.1 document of routes from the schemas that validate their requests. The path of
 * a route outside the base path is complete, and the route has a server of its own.
 */
export function* createDocument(
  routes: readonly DocumentedRoute[],
  { origin, basePath }: DocumentedServer,
  { info, security, securitySchemes }: DocumentFrame,
  store: Store,
): Work<object> {
  const components: Components = {}
  const failures: SharedFailures = new Map()
  const paths: Record<string, Record<string, object>> = {}
  const byTag = new Map<string, DocumentExamples>()
  for (const { path, methods, schema } of routes) {
    const [tag = ''] = schema.tags
    const examples = byTag.get(tag) ?? collectExamples(tag, store)
    byTag.set(tag, examples)
    const context = { components, failures, examples }
    const isBelowBase = path.startsWith(`${basePath}/`)
    const shownPath = isBelowBase ? path.slice(basePath.length) : path
    const operations = (paths[shownPath.replace(/:(\w+)/g, '{$1}')] ??= {})
    for (const method of methods) {
      operations[method.toLowerCase()] = {
        ...toOperationObject(schema, { ...context, hasFaults: path.startsWith('/api/') }),
        ...(!isBelowBase && { servers: [{ url: origin, description: 'The root of this server' }] }),
      }
    }
    yield 'writing the response'
  }
  return {
    openapi: '3.1.1',
    info,
    servers: [{ url: origin + basePath, description: 'This server' }],
    security,
    tags: listTags(routes),
    paths,
    components: {
      schemas: components,
      responses: Object.fromEntries(
        [...failures.values()].map(({ name, response }) => [name, response]),
      ),
      ...(securitySchemes && { securitySchemes, parameters: { Prefer: PREFER } }),
    },
  }
}

/** Lists the tags of routes in their order. The tag of the document itself comes last. */
function listTags(routes: readonly DocumentedRoute[]): object[] {
  const names = new Set(routes.flatMap(({ schema }) => schema.tags))
  if (names.delete('contract')) names.add('contract')
  return [...names].map((name) => ({
    name,
    description: TAG_DESCRIPTIONS[name] ?? `The resource /${name}`,
  }))
}

const TAG_DESCRIPTIONS: Readonly<Record<string, string>> = {
  session: 'Logging in and out',
  oidc: 'Signing in with a device code (RFC 8628)',
  contract: 'This document',
  controls: 'What only a mock has',
}

/** The parameter has no example, because the explorer would send the example with every request. */
const PREFER = {
  name: 'Prefer',
  in: 'header',
  required: false,
  description:
    'Makes this request fail, or delays it by ms: `code=503`, `delay=1500`, `fault=gateway-timeout` (RFC 7240)',
  schema: { type: 'string' },
}

/** The common fields of the `info` of each document. */
export const ABOUT = {
  contact: { name: 'The maintainers of materials-mock' },
  license: { name: 'MIT', identifier: 'MIT' },
}

/** The document of the platform's API. */
export const API_FRAME: DocumentFrame = {
  info: {
    title: 'Materials platform API',
    version: '2018-10-01',
    summary: 'Served from fixtures in memory by materials-mock',
    description: [
      'To log in, press _Sign in_, or send `POST /login` and enter the two values of the response under',
      '_Authorize_.',
      'Every response except the login and `/oidc` is in an envelope, one for success and one',
      'for failure.',
      'Each GET has a HEAD too. The response to OPTIONS has `Allow`.',
      'An unknown method of a path is a 405 `METHOD_NOT_ALLOWED` with `Allow`, and an unknown path is a',
      '404 `ROUTE_NOT_FOUND`.',
      'The header `X-Mock-Sandbox` or the path can name a sandbox; an unknown sandbox is a 404',
      '`SANDBOX_NOT_FOUND`.',
      '[A collection](/api/2018-10-01/postman.json) of all requests is for Postman, Bruno and Insomnia.',
    ].join(' '),
    ...ABOUT,
  },
  security: [{ accountId: [], authToken: [] }, { bearer: [] }],
  securitySchemes: {
    accountId: {
      type: 'apiKey',
      in: 'header',
      name: 'X-Account-Id',
      description: "The account's _id, from the response of the login",
    },
    authToken: {
      type: 'apiKey',
      in: 'header',
      name: 'X-Auth-Token',
      description: "The session's token, from the response of the login, or a preferences token",
    },
    bearer: {
      type: 'http',
      scheme: 'bearer',
      description: 'The same token, or the access token of /oidc/token, in place of both headers',
    },
  },
}
