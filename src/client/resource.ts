import { ApiError } from './api-error.js'
import type { Patch } from './patch-types.js'
import type { FieldPath } from './paths.js'
import type { AnyFields, Listed, NoFields, Part, Projection, Query } from './query-types.js'
import type { RequestOptions, Transport } from './transport.js'

/** The largest page of a list. */
const MAX_LIMIT = 500

/** The fields that every item has. */
export interface AnyItem {
  readonly _id: string
}

/** A new item, with any of its fields. The server assigns the `_id`, and completes other fields. */
export type NewItem<Item> = Part<Omit<Item, '_id'>>

/**
 * The options of a list: parameters of the platform's newest lists, in addition to a query and a
 * projection or instead of them.
 */
export interface ListOptions<Item> extends RequestOptions {
  /** Queries, all of which must match. */
  readonly advancedSearches?: readonly Query<Item>[]
  /** The maximum number of items, from 1 to 500. */
  readonly limit?: number
  /** The number of matching items to skip. */
  readonly skip?: number
  /** A path to sort by; a `-` before it means descending order. */
  readonly sort?: FieldPath<Item> | `-${FieldPath<Item>}`
  /** The `_id` of the set that the items are in. */
  readonly setId?: string
  /** Whether items in sets are listed too. Only a migrated list leaves them out. */
  readonly globalSearch?: boolean
}

/** The items of one resource. Every method throws ApiError for a response that is not a success. */
export interface Resource<Item extends AnyItem> {
  /** Lists the items that match a query, in the order and with the fields of a projection. */
  list<const Chosen extends AnyFields<Item> = NoFields>(
    query?: Query<Item>,
    projection?: Projection<Item, Chosen>,
    options?: ListOptions<Item>,
  ): Promise<Listed<Item, Chosen>[]>
  /**
   * Lists page by page. `limit` is the size of a page (default: 500). No page is empty. Items that are
   * created or deleted meanwhile can move other items to another page. It sends the page, the query and
   * the first path of `sort` in the form of the newest lists, too, unless the list refuses it.
   */
  pages<const Chosen extends AnyFields<Item> = NoFields>(
    query?: Query<Item>,
    projection?: Projection<Item, Chosen>,
    options?: RequestOptions,
  ): AsyncIterableIterator<Listed<Item, Chosen>[]>
  /** Lists all items from `skip` on, page by page. `limit` is not allowed. */
  all<const Chosen extends AnyFields<Item> = NoFields>(
    query?: Query<Item>,
    projection?: Projection<Item, Chosen> & { readonly limit?: never },
    options?: RequestOptions,
  ): Promise<Listed<Item, Chosen>[]>
  /** Returns the item with an `_id`. */
  get(id: string, options?: RequestOptions): Promise<Item>
  /** Creates an item, and returns it with the fields that the server adds. */
  create(item: NewItem<Item>, options?: RequestOptions): Promise<Item>
  /** Changes an item (PATCH), and returns it. */
  update(id: string, patch: Patch<Item>, options?: RequestOptions): Promise<Item>
  /** Deletes an item. */
  remove(id: string, options?: RequestOptions): Promise<void>
  /** Copies an item, and returns the copy. */
  copy(id: string, options?: RequestOptions): Promise<Item>
  /** Makes an item the default of its owner, and returns it. */
  setDefault(id: string, options?: RequestOptions): Promise<Item>
}

/** Creates the methods of one resource. */
export function createResource<Item extends AnyItem>(
  { send }: Transport,
  name: string,
): Resource<Item> {
  const path = `/${name}`
  const resource: Resource<Item> = {
    async list(query, projection, { signal, ...parameters } = {}) {
      const items = await send('GET', path, {
        parameters: { query, projection, ...parameters },
        ...(signal && { signal }),
      })
      if (!Array.isArray(items)) throw new ApiError(`the data of ${path} is not a list`, 200)
      return items as never
    },
    async *pages(query, projection, options) {
      const { skip: first = 0, limit = MAX_LIMIT, sort = {} } = projection ?? {}
      const [order] = Object.entries(sort)
      let hasFlatForm = true
      for (let skip = first; ; skip += limit) {
        const read = (): Promise<unknown[]> =>
          resource.list(query, { ...projection, skip, limit }, {
            ...(hasFlatForm && {
              ...(query && { advancedSearches: [query] }),
              ...(order && { sort: order[1] === 1 ? order[0] : `-${order[0]}` }),
              skip,
              limit,
              globalSearch: true,
            }),
            ...options,
          } as ListOptions<Item>)
        const page = await read().catch((error: unknown) => {
          const isRefused = error instanceof ApiError && error.code === 'PARAMETER_INVALID'
          if (!hasFlatForm || !isRefused) throw error
          hasFlatForm = false
          return read()
        })
        if (page.length > 0) yield page as never
        if (page.length < limit) return
      }
    },
    async all(query, projection, options) {
      const items = []
      for await (const page of resource.pages(query, projection, options)) items.push(...page)
      return items as never
    },
    get: async (id, options) => send('GET', toItemPath(path, id), options),
    create: (body, options) => send('PUT', `${path}/create`, { body, ...options }),
    update: async (id, body, options) => send('PATCH', toItemPath(path, id), { body, ...options }),
    async remove(id, options) {
      await send('DELETE', toItemPath(path, id), options)
    },
    copy: async (id, options) => send('POST', `${toItemPath(path, id)}/copy`, options),
    setDefault: async (id, options) => send('POST', `${toItemPath(path, id)}/set-default`, options),
  }
  return resource
}

/** @throws TypeError for an `_id` that can't be a segment of a URL, such as `..` */
function toItemPath(path: string, id: string): string {
  if (/^\.{0,2}$/.test(id)) throw new TypeError(`"${id}" is not an _id`)
  return `${path}/${encodeURIComponent(id)}`
}
