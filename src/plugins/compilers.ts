import { createRequire } from 'node:module'

import type { BuildCompilerFromPool } from '@fastify/ajv-compiler'
import type { FastifyServerOptions } from 'fastify'

/** What `compile` gives, as Fastify calls it: the verdict, with the errors beside it. */
type Validate = ReturnType<ReturnType<BuildCompilerFromPool>>

/** Fastify's maker of validators, put off: Ajv is loaded, and a schema compiled, at its first value. */
const buildValidator: BuildCompilerFromPool = (...options) => {
  let compile: ReturnType<BuildCompilerFromPool> | undefined
  return (route) => {
    let validate: Validate | undefined
    const judge = (value: unknown) => {
      compile ??= loadBuilder()(...options)
      validate ??= compile(route)
      const isValid = validate(value)
      judge.errors = validate.errors
      return isValid
    }
    judge.errors = undefined as Validate['errors']
    return judge as Validate
  }
}

/**
 * How Fastify makes functions of schemas. Those that judge are compiled when they are needed, so
 * that a start pays for none. Those of responses write nothing: they are for the OpenAPI document
 * alone, since fast-json-stringify would drop unknown fields.
 */
export const schemaController = {
  compilersFactory: { buildValidator, buildSerializer: () => () => JSON.stringify },
} satisfies FastifyServerOptions['schemaController']

const loadBuilder = (): BuildCompilerFromPool =>
  createRequire(import.meta.url)('@fastify/ajv-compiler')()
