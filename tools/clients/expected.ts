/** The path of the API. */
export const PATH = '/api/2018-10-01'

/** A query that finds some of the shipped materials. */
export const QUERY = { formula: { $in: ['Si', 'Ge'] }, 'lattice.a': { $gt: 3 } }

/** A projection with a page and fields. */
export const PROJECTION = { sort: { name: 1 }, limit: 2, fields: { name: 1, formula: 1 } } as const

/** The parameters of a list, as every client takes them. */
export const PARAMETERS = { query: JSON.stringify(QUERY), projection: JSON.stringify(PROJECTION) }

/** What a client must give. */
export interface Outcome {
  /** The items of the query and the projection. */
  readonly items: unknown
  /** The code of a query with an operator that does not exist. */
  readonly code: string | undefined
  /** The code of an item that does not exist. */
  readonly missing: string | undefined
}

/** The generators, by the files of `uses`. */
export const USERS = ['openapi-typescript', 'hey-api', 'orval']
