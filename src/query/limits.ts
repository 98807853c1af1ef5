/** The number of bytes (UTF-8) allowed in the JSON of one parameter. */
export const MAX_BYTES = 32 * 1024

/** The number of nested objects and arrays allowed in a parameter; `{"a": 1}` has one level. */
export const MAX_DEPTH = 50

/** The number of entries allowed in one array, and of fields in one update. */
export const MAX_ENTRIES = 1000

/** The number of characters allowed in a `$regex`. */
export const MAX_PATTERN = 1000
