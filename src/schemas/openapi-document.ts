import { Type } from '@sinclair/typebox'

/** An OpenAPI 3.1 document, which has no envelope. */
export const OpenApi = Type.Object(
  { openapi: Type.String({ examples: ['3.1.1'] }) },
  { $id: 'OpenApi', description: 'An OpenAPI 3.1 document' },
)
