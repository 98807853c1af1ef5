import type { OperationSchema } from './operation-schema.js'
import type { Store } from '../store/store.js'
import type { Components } from './extract-components.js'
import { operationOf } from './operation.js'
import { collectExamples } from './examples.js'

/** A route as it was registered. */
export interface DocumentedRoute {
  /** The path below the version's, as Fastify has it: `/materials/:id`. */
  readonly path: string
  readonly methods: readonly string[]
  readonly schema: OperationSchema
}

/** An OpenAPI document, as far as others read it. */
export interface Document {
  readonly openapi: string
  readonly tags: readonly object[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>
  readonly components: { readonly schemas: Components }
}

/**
 * The OpenAPI 3.1 document of routes, made of the very schemas that judge requests.
 * @param server the URL that all paths are below
 */
export function documentOf(
  routes: readonly DocumentedRoute[],
  server: string,
  store: Store,
): Document {
  const components: Components = {}
  const paths: Record<string, Record<string, object>> = {}
  for (const { path, methods, schema } of routes) {
    const context = { components, served: collectExamples(schema.tags[0] ?? '', store) }
    const operations = (paths[path.replace(/:(\w+)/g, '{$1}')] ??= {})
    for (const method of methods) operations[method.toLowerCase()] = operationOf(schema, context)
  }
  return {
    openapi: '3.1.1',
    info: INFO,
    servers: [{ url: server, description: 'This server' }],
    security: [{ accountId: [], authToken: [] }],
    tags: tagsOf(routes),
    paths,
    components: {
      schemas: components,
      parameters: { Prefer: PREFER },
      securitySchemes: SECURITY_SCHEMES,
    },
  } as Document
}

const INFO = {
  title: 'Materials platform API',
  version: '2018-10-01',
  summary: 'Served from fixtures in memory by materials-mock',
  description: [
    'Every answer but that of the login is in one envelope, of a success or of a failure.',
    'Each GET has a HEAD too. OPTIONS of a path answers with `Allow`.',
    'A method that a path does not have is a 405 `METHOD_NOT_ALLOWED` with `Allow`, and a path that',
    'is not here is a 404 `ROUTE_NOT_FOUND`.',
  ].join(' '),
  contact: { name: 'The maintainers of materials-mock' },
  license: { name: 'MIT', identifier: 'MIT' },
}

/** The groups of routes, in their order; that of the document itself comes last. */
function tagsOf(routes: readonly DocumentedRoute[]): object[] {
  const names = new Set(routes.flatMap(({ schema }) => schema.tags))
  names.delete('contract')
  return [...names, 'contract'].map((name) => ({
    name,
    description: TAGS[name] ?? `The resource /${name}`,
  }))
}

const TAGS: Readonly<Record<string, string>> = {
  session: 'Logging in and out',
  contract: 'This document',
}

/** No example of it, since the explorer would send that unasked. */
const PREFER = {
  name: 'Prefer',
  in: 'header',
  required: false,
  description:
    'How this one request is to fail or wait, in ms: `code=503`, `delay=1500` (RFC 7240)',
  schema: { type: 'string' },
}

const SECURITY_SCHEMES = {
  accountId: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Account-Id',
    description: "The account's _id, as the login answers it",
  },
  authToken: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Auth-Token',
    description: "The session's token, as the login answers it, or a preferences token",
  },
}
