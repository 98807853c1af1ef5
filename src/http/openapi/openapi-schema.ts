import { Type } from '@sinclair/typebox'

/** An OpenAPI 3.1 document. It is sent without an envelope. */
export const OpenApi = Type.Object(
  { openapi: Type.String({ examples: ['3.1.1'] }) },
  { $id: 'OpenApi', description: 'An OpenAPI 3.1 document.' },
)
