import { Ajv2020 } from 'ajv/dist/2020.js'
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'

import { buildApp } from '../../../src/server/app.js'

/** The parts of an OpenAPI document that a check reads. */
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>
  readonly components: { readonly responses: Readonly<Record<string, object>> }
}

/** The parts of a response that the document describes. */
export type CheckedResponse = Pick<LightMyRequestResponse, 'statusCode' | 'headers' | 'payload'>

/** @throws Error for a response that is not as the document describes it */
export type ResponseCheck = (method: string, url: string, response: CheckedResponse) => void

const BASE = '/api/2018-10-01'

const CONTROLS = '/__admin'

/** The errors that a request may cause on a path or with a method that has no operation. */
const UNDOCUMENTED_ERRORS: ReadonlySet<string> = new Set([
  'METHOD_NOT_ALLOWED',
  'ROUTE_NOT_FOUND',
  'REQUEST_MALFORMED',
  'PREFERENCE_INVALID',
  'BODY_INVALID',
  'BODY_TOO_LARGE',
  'BOUND_EXCEEDED',
  'CONTENT_TYPE_UNSUPPORTED',
])

/** The errors that any operation may have, as the description of the document says. */
const ANYWHERE: ReadonlySet<string> = new Set([
  'FAULT_INJECTED',
  'FAULT_FAILED',
  'STATE_REPLACED',
  'SANDBOX_NOT_FOUND',
])

/** The headers that HTTP, CORS and faults add to any response. */
const UNDOCUMENTED_HEADERS =
  /^(allow|connection|content-length|content-type|date|keep-alive|preference-applied|retry-after|transfer-encoding|vary|access-control-.*)$/

interface Operation {
  readonly responses: Readonly<Record<string, DocumentedResponse | { readonly $ref: string }>>
}

interface DocumentedResponse {
  readonly headers?: Readonly<Record<string, unknown>>
  readonly content: Readonly<
    Record<
      string,
      | { readonly schema?: unknown; readonly examples?: Readonly<Record<string, unknown>> }
      | undefined
    >
  >
}

/**
 * Returns a response of an operation, which may be one that operations share, and its path in the document.
 * @param path the path of the response or of the reference to it
 */
export function findResponse(
  document: Document,
  path: readonly string[],
  response: DocumentedResponse | { readonly $ref: string } | undefined,
): { readonly path: readonly string[]; readonly response: DocumentedResponse | undefined } {
  if (response === undefined || !('$ref' in response)) return { path, response }
  const name = response.$ref.split('/').at(-1) ?? ''
  const shared = document.components.responses[name] as DocumentedResponse | undefined
  return { path: ['components', 'responses', name], response: shared }
}

/** The checks by the options that their documents depend on. */
const checks = new Map<string, Promise<ResponseCheck>>()

/**
 * Returns the check for the responses of a server: the status, the headers, the body and the error
 * code must be in its document. Servers with the same resources and options share one check.
 */
export function findResponseCheck(served: FastifyInstance): Promise<ResponseCheck> {
  const { store, settings } = served
  const resources = [...store.collections.keys()]
  const { loginEnvelope, readOnly } = settings
  const oidc = served.hasRoute({ method: 'POST', url: '/oidc/token' })
  const hasControls = served.hasRoute({ method: 'GET', url: `${CONTROLS}/health` })
  const key = JSON.stringify([resources, loginEnvelope, readOnly, oidc, hasControls])
  const check = checks.get(key) ?? createCheck()
  checks.set(key, check)
  return check

  async function createCheck(): Promise<ResponseCheck> {
    const fixtures = Object.fromEntries(resources.map((name) => [name, []]))
    const options = { fixtures, loginEnvelope, readOnly, oidc, admin: true } as const
    const app = await buildApp({ ...options, logLevel: 'silent' })
    const document = await app.inject(`${BASE}/swagger.json`)
    const controls = await app.inject(`${CONTROLS}/openapi.json`)
    await app.close()
    const checkPlatform = shareCheck(document.payload, BASE)
    const checkControl = shareCheck(controls.payload, CONTROLS)
    return (method, url, response) => {
      if (!url.startsWith(`${CONTROLS}/`)) checkPlatform(method, url, response)
      else if (hasControls) checkControl(method, url, response)
    }
  }
}

/** The checks by the texts of their documents. */
const checksOfDocuments = new Map<string, ResponseCheck>()

/** Returns the one check of all documents with the same text. */
function shareCheck(document: string, basePath: string): ResponseCheck {
  const check =
    checksOfDocuments.get(document) ?? createResponseCheck(JSON.parse(document), basePath)
  checksOfDocuments.set(document, check)
  return check
}

/** The page receives a failure with 200; everybody else with the status in its header. */
function asOthersReceive(response: CheckedResponse): CheckedResponse {
  const { 'x-mock-status': status = response.statusCode, ...headers } = response.headers
  return { statusCode: Number(status), headers, payload: response.payload }
}

/** Creates the check for responses against a document, whose paths are relative to a base path. */
export function createResponseCheck(document: Document, basePath = BASE): ResponseCheck {
  // The document is no schema: there is nothing in it that a check of it as one would find.
  const ajv = new Ajv2020({
    strict: false,
    validateFormats: false,
    validateSchema: false,
    meta: false,
  })
  ajv.addSchema(document, 'document')
  const templates = Object.keys(document.paths).toSorted(
    (one, other) => one.split('{').length - other.split('{').length,
  )
  const patterns = templates.map(
    (template) => [new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]*')}$`), template] as const,
  )

  return (method, url, response) => {
    const [path = ''] = url.split('?')
    const isBelowBase = path.startsWith(basePath)
    const rest = (isBelowBase ? path.slice(basePath.length) : path).replace(/\/$/, '')
    if (!isBelowBase && document.paths[rest] === undefined) return
    const key = method === 'HEAD' ? 'get' : method.toLowerCase()
    const findOperation = (template: string) =>
      document.paths[template]?.[key] as Operation | undefined
    const template =
      patterns.find(([pattern, each]) => pattern.test(rest) && findOperation(each))?.[1] ?? rest
    const mismatch = findMismatch(
      findOperation(template),
      ['paths', template, key],
      method,
      asOthersReceive(response),
    )
    if (mismatch === undefined) return
    throw new Error(
      `${method} ${url} responds with ${response.statusCode}, but ${mismatch}: ${response.payload}`,
    )
  }

  function findMismatch(
    operation: Operation | undefined,
    path: readonly string[],
    method: string,
    { statusCode, headers, payload }: CheckedResponse,
  ): string | undefined {
    if (method === 'OPTIONS' && statusCode === 204) return undefined
    const { path: responsePath, response: documented } = findResponse(
      document,
      [...path, 'responses', String(statusCode)],
      operation?.responses[statusCode],
    )
    const documentedHeaders = new Set(
      Object.keys(documented?.headers ?? {}).map((name) => name.toLowerCase()),
    )
    const header = Object.keys(headers).find(
      (name) => !UNDOCUMENTED_HEADERS.test(name) && !documentedHeaders.has(name),
    )
    if (header !== undefined) return `the document does not have its header ${header}`
    if (documented !== undefined && Object.keys(documented.content).length === 0)
      return payload === '' ? undefined : 'the document has no body'
    const type = String(headers['content-type'])
    const isOther = documented?.content[type] !== undefined
    if (!isOther && type !== 'application/json; charset=utf-8') return `the content type is ${type}`
    if (method === 'HEAD') return payload === '' ? undefined : 'a HEAD has a body'
    if (isOther) return undefined
    const body = JSON.parse(payload)
    const code = statusCode < 400 ? undefined : body.data?.code
    const isUndocumented = operation === undefined && UNDOCUMENTED_ERRORS.has(code)
    if (isUndocumented || ANYWHERE.has(code))
      return validate(['components', 'schemas', 'Failure'], body)
    if (documented === undefined) return 'the document has no such status'
    const { examples } = documented.content['application/json'] ?? {}
    if (code !== undefined && examples?.[code] === undefined) return `the document has no ${code}`
    return validate([...responsePath, 'content', 'application/json', 'schema'], body)
  }

  /** Returns the errors of a body by the schema at a path of the document. */
  function validate(path: readonly string[], body: unknown): string | undefined {
    const pointer = path.map((key) => key.replaceAll('~', '~0').replaceAll('/', '~1'))
    const $ref = `document#/${pointer.map(encodeURIComponent).join('/')}`
    const validator = ajv.getSchema($ref)
    if (validator === undefined) throw new Error(`the document has nothing at ${$ref}`)
    return validator(body) ? undefined : ajv.errorsText(validator.errors)
  }
}
