import { isJsonObject } from '../../json/json.js'
import type { Json, JsonObject } from '../../json/json.js'
import { isDbRef } from '../values/path.js'

/** Returns the first key of an object, which decides whether MongoDB reads it as operators. */
export const getFirstKey = (value: JsonObject): string | undefined => Object.keys(value)[0]

/** Whether a value is an object whose first key starts with `$`. It may be a DBRef. */
export const startsWithDollar = (value: Json): value is JsonObject =>
  isJsonObject(value) && getFirstKey(value)?.startsWith('$') === true

/** Whether a value is an object of operators, such as `{"$gt": 1}`. */
export const isOperatorObject = (value: Json): value is JsonObject =>
  startsWithDollar(value) && !isDbRef(value)
