import { Type } from '@sinclair/typebox'
import type { SchemaOptions, TLiteral, TUnion } from '@sinclair/typebox'

/** Returns the schema of one of several strings. */
export const StringEnum = <T extends string>(
  values: readonly T[],
  options: SchemaOptions = {},
): TUnion<TLiteral<T>[]> =>
  Type.Union(
    values.map((value) => Type.Literal(value)),
    options,
  )
