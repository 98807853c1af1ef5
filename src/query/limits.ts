/** The number of bytes (UTF-8) allowed in the JSON of one parameter. */
export const MAX_BYTES = 32 * 1024

/** The number of nested objects and arrays allowed in a parameter; `{"a": 1}` has one level. */
export const MAX_DEPTH = 50

/** The number of entries allowed in one array, and of fields in one update. */
export const MAX_ENTRIES = 1000

/** The number of characters allowed in a pattern. */
export const MAX_PATTERN = 1000

/** The number of characters of JavaScript that a pattern may translate to. */
export const MAX_TRANSLATION = 16_000

/** The estimated size of a compiled pattern that is allowed, in nodes (see `Fragment.size`). */
export const MAX_PATTERN_SIZE = 2000

/** The number of Unicode sets, such as `\p{L}`, allowed in a translation. */
export const MAX_UNICODE_SETS = 8

/** The number of characters of all patterns of a query, of `fields` or of an update together. */
export const MAX_PATTERNS_LENGTH = 4 * MAX_PATTERN

/**
 * The estimated size of all these patterns together, in nodes. V8 compiles them at the first item,
 * which nothing interrupts.
 */
export const MAX_PATTERNS_SIZE = 2 * MAX_PATTERN_SIZE
