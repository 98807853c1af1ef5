export const MAX_BYTES = 32 * 1024

/** The largest number of levels of objects and arrays in a parameter; `{"a": 1}` has one level. */
export const MAX_DEPTH = 50

/** The largest number of levels of an item. No recursive function overflows the stack with it. */
export const MAX_ITEM_DEPTH = 100

/** The largest number of paths of a sort, as in MongoDB. */
export const MAX_SORT_PATHS = 32

/** The largest number of entries of one array, and of fields of one update. */
export const MAX_ENTRIES = 1000

export const MAX_LIMIT = 500
