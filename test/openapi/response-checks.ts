import { Ajv2020 } from 'ajv/dist/2020.js'
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'

import { buildApp } from '../../src/app.js'
import type { Document } from '../../src/openapi/document.js'

/** What of one answer the document is asked about. */
export type Answer = Pick<LightMyRequestResponse, 'statusCode' | 'headers' | 'payload'>

/** Throws where an answer is not as the document has it. */
export type Check = (method: string, url: string, answer: Answer) => void

const BASE = '/api/2018-10-01'

/** Errors of paths and methods that no operation has; their bodies are read all the same. */
const OF_NO_OPERATION = new Set([
  'METHOD_NOT_ALLOWED',
  'ROUTE_NOT_FOUND',
  'REQUEST_MALFORMED',
  'PREFERENCE_INVALID',
  'BODY_INVALID',
  'BODY_TOO_LARGE',
  'BOUND_EXCEEDED',
  'CONTENT_TYPE_UNSUPPORTED',
])

/** Headers that HTTP, CORS and faults have of their own. */
const OF_NO_OPERATION_HEADERS =
  /^(allow|connection|content-length|content-type|date|keep-alive|preference-applied|retry-after|vary|access-control-.*)$/

interface Operation {
  readonly responses: Readonly<Record<string, DocumentedAnswer>>
}

interface DocumentedAnswer {
  readonly headers?: Readonly<Record<string, unknown>>
  readonly content: {
    readonly 'application/json': { readonly examples?: Readonly<Record<string, unknown>> }
  }
}

const checks = new Map<string, Promise<Check>>()

/**
 * The check for all answers of an app: each must have a status, headers, a body and an error code
 * that the document of such an app has. It is made once for all apps that serve the same.
 */
export function checkFor({ store, settings }: FastifyInstance): Promise<Check> {
  const resources = [...store.collections.keys()]
  const { loginEnvelope, readOnly } = settings
  const key = JSON.stringify([resources, loginEnvelope, readOnly])
  const known = checks.get(key) ?? makeCheck()
  checks.set(key, known)
  return known

  async function makeCheck(): Promise<Check> {
    const fixtures = Object.fromEntries(resources.map((name) => [name, []]))
    const app = await buildApp({ fixtures, loginEnvelope, readOnly, logLevel: 'silent' })
    const document = (await app.inject(`${BASE}/swagger.json`)).json<Document>()
    await app.close()
    return checkAgainst(document)
  }
}

/** The check against a document. */
export function checkAgainst(document: Document): Check {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  ajv.addSchema(document, 'document')
  const templates = Object.keys(document.paths).toSorted(
    (one, other) => one.split('{').length - other.split('{').length,
  )
  const patterns = templates.map(
    (template) => [new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]*')}$`), template] as const,
  )

  return (method, url, answer) => {
    const [path = ''] = url.split('?')
    if (!path.startsWith(BASE)) return
    const rest = path.slice(BASE.length).replace(/\/$/, '')
    const key = method === 'HEAD' ? 'get' : method.toLowerCase()
    const operationAt = (template: string) =>
      document.paths[template]?.[key] as Operation | undefined
    const template =
      patterns.find(([pattern, each]) => pattern.test(rest) && operationAt(each))?.[1] ?? rest
    const wrong = findWrong(operationAt(template), ['paths', template, key], method, answer)
    if (wrong === undefined) return
    throw new Error(
      `${method} ${url} answers ${answer.statusCode}, but ${wrong}: ${answer.payload}`,
    )
  }

  function findWrong(
    operation: Operation | undefined,
    place: readonly string[],
    method: string,
    { statusCode, headers, payload }: Answer,
  ): string | undefined {
    if (method === 'OPTIONS' && statusCode === 204) return undefined
    const documented = operation?.responses[statusCode]
    const header = Object.keys(headers).find(
      (name) => !OF_NO_OPERATION_HEADERS.test(name) && documented?.headers?.[name] === undefined,
    )
    if (header !== undefined) return `the document has no header ${header} of it`
    if (headers['content-type'] !== 'application/json; charset=utf-8')
      return `the content type is ${headers['content-type']}`
    if (method === 'HEAD') return payload === '' ? undefined : 'a HEAD has a body'
    const body = JSON.parse(payload)
    const code = statusCode < 400 ? undefined : body.data?.code
    const isOfNone = operation === undefined && OF_NO_OPERATION.has(code)
    if (isOfNone || code === 'FAULT_INJECTED')
      return invalid(['components', 'schemas', 'Failure'], body)
    if (documented === undefined) return 'the document has no such status'
    const { examples } = documented.content['application/json']
    if (code !== undefined && examples?.[code] === undefined) return `the document has no ${code}`
    const answerPlace = [...place, 'responses', String(statusCode)]
    return invalid([...answerPlace, 'content', 'application/json', 'schema'], body)
  }

  function invalid(place: readonly string[], body: unknown): string | undefined {
    const pointer = place.map((key) => key.replaceAll('~', '~0').replaceAll('/', '~1'))
    const $ref = `document#/${pointer.map(encodeURIComponent).join('/')}`
    const validate = ajv.getSchema($ref)
    if (validate === undefined) throw new Error(`the document has nothing at ${$ref}`)
    return validate(body) ? undefined : ajv.errorsText(validate.errors)
  }
}
