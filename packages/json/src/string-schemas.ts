import { Type } from '@sinclair/typebox'
import type { SchemaOptions, TLiteral, TOptional, TString, TUnion } from '@sinclair/typebox'

/** Returns the schema of one of several strings. */
export const StringEnum = <T extends string>(
  values: readonly T[],
  options: SchemaOptions = {},
): TUnion<TLiteral<T>[]> =>
  Type.Union(
    values.map((value) => Type.Literal(value)),
    options,
  )

/** Returns the schema of a text with an example. */
export const Text = (example: string, description?: string): TString =>
  Type.String({ ...(description !== undefined && { description }), examples: [example] })

/** Returns the schema of an optional text with an example. */
export const OptionalText = (example: string, description?: string): TOptional<TString> =>
  Type.Optional(Text(example, description))
