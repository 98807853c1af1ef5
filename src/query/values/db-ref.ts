import type { JsonObject } from '../../json/json.js'

/** The fields of a DBRef (https://www.mongodb.com/docs/manual/reference/database-references/#dbrefs). */
export const DB_REF_FIELDS: ReadonlySet<string> = new Set(['$ref', '$id', '$db'])

/** Whether an object is a DBRef, which is a value although its keys start with `$`. */
export const isDbRef = (value: JsonObject): boolean => '$ref' in value && '$id' in value
