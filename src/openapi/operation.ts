import type { TObject, TSchema } from '@sinclair/typebox'

import type { MediaType } from './responses.js'
import type { OperationSchema } from './operation-schema.js'
import { extractComponents } from './extract-components.js'
import type { Components } from './extract-components.js'
import { exampleOf } from './examples.js'
import type { DocumentExamples } from './examples.js'

/** What an operation is made with: where named schemas go, and what there is to show. */
export interface OperationContext {
  readonly components: Components
  readonly served: DocumentExamples
}

/** One operation as OpenAPI 3.1 has it (section 4.8.10, Operation Object). */
export function operationOf(schema: OperationSchema, context: OperationContext): object {
  const { operationId, tags, summary, description, security, body, consumes } = schema
  const parameters = [
    ...parametersOf('path', schema.params, context),
    ...parametersOf('query', schema.querystring, context),
    ...parametersOf('header', schema.headers, context),
    { $ref: '#/components/parameters/Prefer' },
  ]
  const responses = Object.entries(schema.responses()).map(([status, { content, ...rest }]) => [
    status,
    { ...rest, content: contentOf('application/json', content['application/json'], context) },
  ])
  return {
    operationId,
    tags,
    summary,
    ...(description !== undefined && { description }),
    ...(security !== undefined && { security }),
    parameters,
    ...(body !== undefined && {
      requestBody: {
        required: true,
        content: contentOf(consumes?.[0] ?? 'application/json', { schema: body }, context),
      },
    }),
    responses: Object.fromEntries(responses),
  }
}

function parametersOf(
  place: 'path' | 'query' | 'header',
  schema: TObject | undefined,
  { components, served }: OperationContext,
): object[] {
  return Object.entries(schema?.properties ?? {}).map(([name, property]) => {
    const { description, examples: _, 'x-consume': type, ...rest } = property as TSchema
    const examples = served.parameters[name]
    const media = { schema: extractComponents(rest, components), ...(examples && { examples }) }
    return {
      name,
      in: place,
      required: place === 'path' || (schema?.required ?? []).includes(name),
      description,
      ...(type === undefined ? media : { content: { [type]: media } }),
    }
  })
}

function contentOf(
  type: string,
  { schema, examples }: MediaType,
  { components, served }: OperationContext,
): object {
  const example = exampleOf(schema, served)
  return {
    [type]: {
      schema: extractComponents(schema, components),
      ...(examples ? { examples } : example !== undefined && { example }),
    },
  }
}
