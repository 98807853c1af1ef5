import { Type } from '@sinclair/typebox'
import type { SchemaOptions, TLiteral, TOptional, TString, TUnion } from '@sinclair/typebox'

export const StringEnum = <T extends string>(
  values: readonly T[],
  options: SchemaOptions = {},
): TUnion<TLiteral<T>[]> =>
  Type.Union(
    values.map((value) => Type.Literal(value)),
    options,
  )

export const Text = (example: string, description?: string): TString =>
  Type.String({ ...(description !== undefined && { description }), examples: [example] })

export const OptionalText = (example: string, description?: string): TOptional<TString> =>
  Type.Optional(Text(example, description))
