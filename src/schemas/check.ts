import type { TSchema } from '@sinclair/typebox'
import { Value, ValueErrorType } from '@sinclair/typebox/value'

import { expectation, quote } from './expectation.js'

/**
 * What is wrong with a value by a schema, in words, or undefined: `limit must be an integer from 1
 * to 500, not 501`. For values that no request brought.
 * @param name what the value is called where it is wrong as a whole
 */
export function faultOf(schema: TSchema, value: unknown, name: string): string | undefined {
  const error = Value.Errors(schema, value).First()
  if (error === undefined) return undefined
  const path = error.path.slice(1).replaceAll('/', '.') || name
  if (error.type === ValueErrorType.ObjectAdditionalProperties)
    return `${quote(path)} is not known in ${name}, which has ${Object.keys(schema.properties).join(', ')}`
  return `${path} must be ${expectation(error.schema)}, not ${quote(error.value)}`
}
