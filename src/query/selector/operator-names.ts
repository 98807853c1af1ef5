import { isJsonObject } from '../../json/json.js'
import type { Json, JsonObject } from '../../json/json.js'
import { DB_REF_FIELDS, isDbRef } from '../values/db-ref.js'

/** MongoDB's query operators that are not supported here, at the top level or on a field. */
export const UNSUPPORTED_OPERATORS: ReadonlySet<string> = new Set([
  '$where',
  '$function',
  '$accumulator',
  '$text',
  '$near',
  '$nearSphere',
  '$geoNear',
  '$within',
  '$geoWithin',
  '$geoIntersects',
  '$sampleRate',
])

/** The keys that MongoDB reads as operators without a field, or as fields of a DBRef. */
export const TOP_LEVEL_KEYS: ReadonlySet<string> = new Set([
  '$and',
  '$or',
  '$nor',
  '$alwaysTrue',
  '$alwaysFalse',
  '$comment',
  '$expr',
  '$where',
  '$text',
  '$jsonSchema',
  '$sampleRate',
  ...DB_REF_FIELDS,
])

/** The keys that MongoDB reads as operators of a field in the entries of `$all`. */
export const FIELD_OPERATORS: ReadonlySet<string> = new Set([
  '$lt',
  '$lte',
  '$gt',
  '$gte',
  '$eq',
  '$ne',
  '$in',
  '$nin',
  '$size',
  '$all',
  '$exists',
  '$mod',
  '$type',
  '$regex',
  '$options',
  '$elemMatch',
  '$near',
  '$nearSphere',
  '$geoNear',
  '$within',
  '$geoWithin',
  '$geoIntersects',
  '$bitsAllSet',
  '$bitsAllClear',
  '$bitsAnySet',
  '$bitsAnyClear',
])

/** Returns the first key of an object, which decides whether MongoDB reads it as operators. */
export const getFirstKey = (value: JsonObject): string | undefined => Object.keys(value)[0]

/** Whether a value is an object whose first key starts with `$`. It may be a DBRef. */
export const startsWithDollar = (value: Json): value is JsonObject =>
  isJsonObject(value) && getFirstKey(value)?.startsWith('$') === true

/** Whether a value is an object of operators, such as `{"$gt": 1}`. */
export const isOperatorObject = (value: Json): value is JsonObject =>
  startsWithDollar(value) && !isDbRef(value)
