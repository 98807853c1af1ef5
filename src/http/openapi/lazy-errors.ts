import type { CatalogueError } from '../../errors.js'

/** Returns errors that are made whenever they are read: a document reads them, and no start does. */
export const lazyErrors = (create: () => readonly CatalogueError[]): Iterable<CatalogueError> => ({
  [Symbol.iterator]: () => create()[Symbol.iterator](),
})
