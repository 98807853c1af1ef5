import { ValueErrorType } from '@sinclair/typebox/compiler'
import type { ValueError } from '@sinclair/typebox/compiler'

import { quote } from '../json/quote.js'
import { describeSchema } from './describe-schema.js'

/**
 * Describes an error of TypeBox for a message: `limit must be an integer from 1 to 500, not
 * 501`, `password is missing`, `"sorted" is not known in projection, which has sort, skip`.
 * @param root the name of the whole value, for an error at its root
 */
export function describeSchemaError(
  { type, path, schema, value }: ValueError,
  root: string,
): string {
  const names = path.slice(1).split('/').map(unescapePointer)
  const key = names.at(-1) ?? ''
  const parent = names.slice(0, -1).join('.')
  const within = parent === '' ? '' : ` in ${parent}`
  if (type === ValueErrorType.ObjectAdditionalProperties) {
    const known = Object.keys(schema.properties).join(', ')
    return `${quote(key)} is not known${within || ' here'}, which has ${known}`
  }
  if (type === ValueErrorType.ObjectRequiredProperty) return `${key} is missing${within}`
  return `${names.join('.') || root} must be ${describeSchema(schema)}, not ${quote(value)}`
}

/** Unescapes a name in a JSON Pointer (RFC 6901, section 4). */
const unescapePointer = (name: string): string => name.replaceAll('~1', '/').replaceAll('~0', '~')
