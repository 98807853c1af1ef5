import { DB_REF_FIELDS } from '../../values/path.js'
import { ARRAYS } from './arrays.js'
import { BITS } from './bits.js'
import { COMPARISON } from './comparison.js'
import { ELEMENT } from './element.js'
import { ITEMS } from './items.js'
import { LOGIC, NEGATION } from './logic.js'

export const FIELD_OPERATORS = { ...NEGATION, ...COMPARISON, ...ARRAYS, ...ELEMENT, ...BITS }

export const TOP_LEVEL_OPERATORS = { ...LOGIC, ...ITEMS }

/** MongoDB's operators of queries that are not supported, by the place where MongoDB allows them. */
export const UNSUPPORTED_QUERY_OPERATORS = {
  topLevel: ['$where', '$text', '$sampleRate'],
  field: ['$near', '$nearSphere', '$geoNear', '$within', '$geoWithin', '$geoIntersects'],
  expression: ['$function', '$accumulator'],
}

/** The keys that MongoDB reads as top-level operators, or as fields of a DBRef. */
export const TOP_LEVEL_KEYS: ReadonlySet<string> = new Set([
  ...Object.keys(TOP_LEVEL_OPERATORS),
  ...UNSUPPORTED_QUERY_OPERATORS.topLevel,
  ...DB_REF_FIELDS,
])

/** The keys that MongoDB reads as operators on a field. */
export const FIELD_KEYS: ReadonlySet<string> = new Set([
  ...Object.keys(FIELD_OPERATORS),
  ...UNSUPPORTED_QUERY_OPERATORS.field,
])
