import type { TSchema } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'

import { COMPILED_CHECKS } from './compiled-checks.js'
import type { Check } from './compiled-checks.js'

/** Compiles a schema into a function that tells whether a value is valid, unless the bundler has. */
export function compileCheck(schema: TSchema): Check {
  const compiled = COMPILED_CHECKS[schema.$id ?? '']
  if (compiled !== undefined) return compiled
  const check = TypeCompiler.Compile(schema)
  return (value) => check.Check(value)
}
