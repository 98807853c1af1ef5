export { ApiError } from '@materials-mock/client'
export type { ApiErrorDetail } from '@materials-mock/client'
export { createClient } from '@materials-mock/client'
export type { Client } from '@materials-mock/client'
export type * from '@materials-mock/client'
export type { FieldPath, UpdatePath, ValueAt } from '@materials-mock/client'
export type { Patch, UpdateOperators } from '@materials-mock/client'
export type {
  Condition,
  FieldOperators,
  Fields,
  Listed,
  Part,
  Picked,
  Projection,
  Query,
  Sort,
  Without,
} from '@materials-mock/client'
export type {
  AnyItem,
  ListOptions,
  NewItem,
  Page,
  Resource,
  ResourceActions,
  StructureFile,
} from '@materials-mock/client'
export type {
  ClientOptions,
  Credentials,
  Fetch,
  RequestOptions,
  RequestParts,
} from '@materials-mock/client'
