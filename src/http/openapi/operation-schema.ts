import type { TObject, TSchema } from '@sinclair/typebox'

import type { ResponseObject } from './responses.js'

/** The schema of a documented route: for the validation, and for its operation in the document. */
export interface OperationSchema {
  /** A unique name. */
  readonly operationId: string
  /** The group of the operation. For the routes of a resource, it is the resource's name. */
  readonly tags: readonly string[]
  /** What the route does, in a few words. */
  readonly summary: string
  readonly description?: string
  /** Empty for a route that needs no credentials. */
  readonly security?: readonly object[]
  readonly params?: TObject
  readonly querystring?: TObject
  readonly headers?: TObject
  readonly body?: TSchema
  /** The content type of the body (default: JSON). */
  readonly consumes?: readonly string[]
  /** Returns the responses by status, as `responses()` of `responses.ts` creates them. */
  readonly responses: () => Readonly<Record<string, ResponseObject>>
}
