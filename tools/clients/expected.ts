/** The path of the API. */
export const PATH = '/api/2018-10-01'

/** A query that finds some of the shipped materials. */
export const QUERY = { formula: { $in: ['Si', 'Ge'] }, 'lattice.a': { $gt: 3 } }

/** A projection with a page and fields. */
export const PROJECTION = { sort: { name: 1 }, limit: 2, fields: { name: 1, formula: 1 } } as const

/** The parameters of a list, as every client takes them. */
export const PARAMETERS = { query: JSON.stringify(QUERY), projection: JSON.stringify(PROJECTION) }

/** The parameters of the platform's newest lists, which are typed. */
export const NEWEST = {
  advancedSearches: JSON.stringify([QUERY]),
  limit: 2,
  skip: 1,
  sort: '-name',
  globalSearch: true,
}

/** What a client must give. */
export interface Outcome {
  /** The items of the query and the projection. */
  readonly items: unknown
  /** The names of the items of the newest parameters. */
  readonly names: unknown
  /** The code of a query with an operator that does not exist. */
  readonly code: string | undefined
  /** The code of an item that does not exist. */
  readonly missing: string | undefined
}

/** The generators, by the files of `uses`. */
export const USERS = ['openapi-typescript', 'hey-api', 'orval']
