// The client
export { createClient } from './create-client.js'
export type { Client } from './create-client.js'
export { readCredentials } from './transport.js'
export type {
  ClientOptions,
  Credentials,
  Fetch,
  RequestOptions,
  RequestParts,
} from './transport.js'
export { ApiError, toApiError } from './api-error.js'
export type { ApiErrorDetail } from './api-error.js'
export { toNewestPlace } from './resource.js'
export type {
  AnyItem,
  ListOptions,
  ListPlace,
  NewItem,
  Page,
  Resource,
  ResourceActions,
  StructureFile,
} from './resource.js'

// The types of queries, fields, sorts and updates
export type {
  Condition,
  FieldOperators,
  Fields,
  Listed,
  Part,
  Picked,
  Projection,
  Query,
  QueryOperators,
  Sort,
  Without,
} from './query-types.js'
export type { FieldPath, UpdatePath, ValueAt } from './paths.js'
export type { Patch, UpdateOperators } from './patch-types.js'

// The types of items, made from the schemas of packages/api
export type * from './item-types.js'
export type * from './property-types.js'
export type * from './workflow-types.js'
