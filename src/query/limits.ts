/** The largest number of bytes (UTF-8) of the JSON of one parameter. */
export const MAX_BYTES = 32 * 1024

/** The largest number of levels of objects and arrays in a parameter; `{"a": 1}` has one level. */
export const MAX_DEPTH = 50

/** The largest number of levels of an item. No recursive function overflows the stack with it. */
export const MAX_ITEM_DEPTH = 100

/** The largest number of entries of one array, and of fields of one update. */
export const MAX_ENTRIES = 1000

/** The largest number of characters of a pattern. */
export const MAX_PATTERN = 1000

/** The largest number of characters of a pattern's translation to JavaScript. */
export const MAX_TRANSLATION = 16_000

/** The largest estimated size of a compiled pattern, in nodes (see `Fragment.size`). */
export const MAX_PATTERN_SIZE = 2000

/** The largest number of Unicode sets, such as `\p{L}`, in a translation. */
export const MAX_UNICODE_SETS = 8

/** The largest number of characters of all patterns of a query, of `fields` or of an update. */
export const MAX_PATTERNS_LENGTH = 4 * MAX_PATTERN

/**
 * The largest estimated size of all these patterns, in nodes. V8 compiles them at the first item, which
 * can't be interrupted.
 */
export const MAX_PATTERNS_SIZE = 2 * MAX_PATTERN_SIZE
