import type { TObject, TSchema } from '@sinclair/typebox'

import type { ResponseObject } from './responses.js'

/** How a route declares itself: its schemas, which judge, and what the document says of it. */
export interface OperationSchema {
  /** A name that no other operation has. */
  readonly operationId: string
  /** The group that it is listed in; for the routes of a resource, the resource's name. */
  readonly tags: readonly string[]
  /** What it does, in a few words. */
  readonly summary: string
  readonly description?: string
  /** Empty for a route that takes no credentials. */
  readonly security?: readonly object[]
  readonly params?: TObject
  readonly querystring?: TObject
  readonly headers?: TObject
  readonly body?: TSchema
  /** The content type of the body, where it isn't JSON. */
  readonly consumes?: readonly string[]
  /** All that it answers, by status: `responses(…)` of `schemas/responses.ts`, when it is asked for. */
  readonly responses: () => Readonly<Record<string, ResponseObject>>
}
