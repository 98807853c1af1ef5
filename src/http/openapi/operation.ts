import type { TObject, TSchema } from '@sinclair/typebox'

import { toObject } from '@materials-mock/json'
import { findExample } from './examples.js'
import type { DocumentExamples, ParameterExamples } from './examples.js'
import type { MediaType, OperationSchema } from './responses.js'

export type Components = Record<string, object>

/** The failures of a document, with their names, by their JSON texts. */
export type SharedFailures = Map<string, { readonly name: string; readonly response: object }>

export interface OperationContext {
  readonly components: Components
  readonly failures: SharedFailures
  readonly examples: DocumentExamples
  /** Whether a request can ask for a failure with `Prefer`. */
  readonly hasFaults: boolean
}

/** Converts a route's schema to an operation of OpenAPI 3.1 (section 4.8.10, Operation Object). */
export function toOperationObject(schema: OperationSchema, context: OperationContext): object {
  const { operationId, tags, summary, description, security, body, consumes } = schema
  const parameters = [
    ...toParameterObjects('path', schema.params, context),
    ...toParameterObjects('query', schema.querystring, context),
    ...toParameterObjects('header', schema.headers, context),
    ...(context.hasFaults ? [{ $ref: '#/components/parameters/Prefer' }] : []),
  ]
  const responses = Object.entries(schema.responses()).map(([status, { content, ...rest }]) => {
    const contents = Object.entries(content).map(([type, media]) => toContent(type, media, context))
    const response = { ...rest, content: Object.assign({}, ...contents) }
    return [status, status === '200' ? response : shareFailure(status, response, context.failures)]
  })
  return {
    operationId,
    tags,
    summary,
    ...(description !== undefined && { description }),
    ...(security !== undefined && { security }),
    parameters,
    ...(body !== undefined && {
      requestBody: {
        required: body.default === undefined,
        content: toContent(consumes?.[0] ?? 'application/json', { schema: body }, context),
      },
    }),
    responses: Object.fromEntries(responses),
  }
}

/** Returns a reference to a failure, because most operations have the same failures. */
function shareFailure(status: string, response: object, failures: SharedFailures): object {
  const text = JSON.stringify(response)
  const { name } = failures.get(text) ?? { name: `Failure-${status}-${failures.size + 1}` }
  failures.set(text, { name, response })
  return { $ref: `#/components/responses/${name}` }
}

function toParameterObjects(
  location: 'path' | 'query' | 'header',
  schema: TObject | undefined,
  { components, examples: { parameters } }: OperationContext,
): object[] {
  return Object.entries(schema?.properties ?? {}).map(([name, property]) => {
    const { description, examples: _, 'x-consume': type, ...rest } = property
    const examples = parameters[name]
    const isText = type !== undefined
    return {
      name,
      in: location,
      required: location === 'path' || (schema?.required ?? []).includes(name),
      description,
      schema: isText
        ? toTextSchema(type, rest['x-content'], components)
        : extractComponents(rest, components),
      ...(examples && { examples: isText ? toTextExamples(examples) : examples }),
    }
  })
}

/**
 * JSON Schema, section 8.2. Clients that are generated from an object's schema, or from a parameter
 * with `content`, do not send JSON.
 */
const toTextSchema = (type: string, content: TSchema, components: Components): object => ({
  type: 'string',
  contentMediaType: type,
  contentSchema: extractComponents(content, components),
})

const toTextExamples = (examples: ParameterExamples): ParameterExamples =>
  Object.fromEntries(
    Object.entries(examples).map(([name, { value, ...rest }]) => [
      name,
      { ...rest, value: JSON.stringify(value) },
    ]),
  )

function toContent(
  type: string,
  { schema, examples }: MediaType,
  context: OperationContext,
): object {
  const example = findExample(schema, context.examples)
  return {
    [type]: {
      schema: extractComponents(schema, context.components),
      ...(examples ? { examples } : example !== undefined && { example }),
    },
  }
}

/** Keywords of our schemas that are not part of JSON Schema, or that the document replaces. */
const OMITTED_KEYS: ReadonlySet<string> = new Set(['$id', 'x-consume', 'expected'])

/** Moves each part with an `$id` to the components (OpenAPI 3.1, section 4.8.24). */
function extractComponents(value: unknown, components: Components): unknown {
  if (Array.isArray(value)) return value.map((each) => extractComponents(each, components))
  if (typeof value !== 'object' || value === null) return value
  const { $id } = toObject(value)
  if (typeof $id === 'string' && $id in components) return toReference($id)
  const shown = Object.fromEntries(
    Object.entries(value)
      .filter(([key, each]) => !(OMITTED_KEYS.has(key) && typeof each === 'string'))
      .map(([key, each]) => [key, extractComponents(each, components)]),
  )
  if (typeof $id !== 'string') return shown
  components[$id] = shown
  return toReference($id)
}

const toReference = ($id: string): object => ({ $ref: `#/components/schemas/${$id}` })
