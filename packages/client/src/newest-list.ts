/** The part and the order of a list, as `projection` has them. */
export interface ListPlace {
  readonly sort?: Readonly<Record<string, unknown>>
  readonly skip?: number
  readonly limit?: number
}

/**
 * Returns the parameters that the platform's newest client sends for the part and the order of a list. It sorts by
 * one path, the first. Those that are not given are undefined.
 */
export function toNewestPlace({ sort = {}, skip, limit }: ListPlace) {
  const [order] = Object.entries(sort)
  const [path, direction] = order ?? []
  return { limit, skip, sort: direction === -1 ? `-${path}` : path, globalSearch: true }
}
