import type { Store } from '../../store/store.js'
import { collectExamples } from './examples.js'
import { toOperationObject } from './operation.js'
import type { Components } from './operation.js'
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
  /** Its URL: `http://localhost:4000`, or that of a sandbox. */
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

/** The parts of an OpenAPI document that the tests use. */
export interface Document {
  readonly openapi: string
  readonly tags: readonly object[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>
  readonly components: { readonly schemas: Components }
}

/**
 * Creates the OpenAPI 3.1 document of routes from the schemas that validate their requests. A route
 * that is not below the base path has its whole path and a server of its own.
 */
export function createDocument(
  routes: readonly DocumentedRoute[],
  { origin, basePath }: DocumentedServer,
  { info, security, securitySchemes }: DocumentFrame,
  store: Store,
): Document {
  const components: Components = {}
  const paths: Record<string, Record<string, object>> = {}
  for (const { path, methods, schema } of routes) {
    const context = { components, examples: collectExamples(schema.tags[0] ?? '', store) }
    const isBelowBase = path.startsWith(`${basePath}/`)
    const shownPath = isBelowBase ? path.slice(basePath.length) : path
    const operations = (paths[shownPath.replace(/:(\w+)/g, '{$1}')] ??= {})
    for (const method of methods) {
      operations[method.toLowerCase()] = {
        ...toOperationObject(schema, { ...context, hasFaults: path.startsWith('/api/') }),
        ...(!isBelowBase && { servers: [{ url: origin, description: 'The root of this server' }] }),
      }
    }
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
      ...(securitySchemes && { securitySchemes, parameters: { Prefer: PREFER } }),
    },
  } as Document
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

/** It has no example, because the explorer would send the example with every request. */
const PREFER = {
  name: 'Prefer',
  in: 'header',
  required: false,
  description:
    'Makes this request fail, or delays it by ms: `code=503`, `delay=1500`, `fault=gateway-timeout` (RFC 7240)',
  schema: { type: 'string' },
}
