import type { TSchema } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'

/** Whether a value is valid against a schema. */
export type Check = (value: unknown) => boolean

/** Compiles a schema into a function that tells whether a value is valid. */
export function compileCheck(schema: TSchema): Check {
  const check = TypeCompiler.Compile(schema)
  return (value) => check.Check(value)
}
