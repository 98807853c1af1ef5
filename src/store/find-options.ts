import type { CompiledListQuery } from '../query/list-query.js'

/** The part of a list query that decides which items are found, and in which order. */
export type FindOptions = Omit<CompiledListQuery, 'fields' | 'budget'>
