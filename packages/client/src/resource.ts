import { ApiError } from './api-error.js'
import type { Job, Material } from './item-types.js'
import type { Patch } from './patch-types.js'
import type { FieldPath } from './paths.js'
import type { AnyFields, AnySort, Listed, NoFields, Projection, Query } from './query-types.js'
import type { RequestOptions, RequestParts, Transport } from './transport.js'

/** The page of a list that names no limit, and the largest page. */
const DEFAULT_LIMIT = 50
const MAX_LIMIT = 500

/** The fields that every item has. */
export interface AnyItem {
  readonly _id: string
}

/**
 * A new item, with any of its fields. The server assigns the `_id`, and completes other fields. It takes any text for
 * one of several: those of an imported JSON file have no narrower type.
 */
export type NewItem<Item> = Sent<Omit<Item, '_id'>>

/** The condition that tells sets from other items. */
interface OfKind<Kind extends boolean> {
  readonly isEntitySet?: Kind | object | null
}

/** The sets that a list has: none if its query asks for `{ isEntitySet: false }`. */
type SetsOf<Sets, Kind> = [Kind] extends [false] ? never : Sets

type Sent<Value> = Value extends string
  ? Value | (string & NoFields)
  : Value extends boolean
    ? boolean
    : Value extends readonly (infer Element)[]
      ? readonly Sent<Element>[]
      : Value extends object
        ? { readonly [Field in keyof Value]?: Sent<Value[Field]> }
        : Value

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

/** A page of a list. */
export interface Page<Item> {
  readonly items: Item[]
  /** The number of items on all pages; undefined if the server does not send it (`X-Total-Count`). */
  readonly total: number | undefined
}

/** A structure file, from which a material is made. */
export interface StructureFile {
  /** The text of a POSCAR or a CIF. */
  readonly content: string
  /** Its format (default: a CIF if `data_` is first after comments, else a POSCAR). */
  readonly format?: 'poscar' | 'cif'
  /** The name of the material (default: the name in the file). */
  readonly name?: string
  readonly tags?: readonly string[]
}

/** What only one resource has. */
export interface ResourceActions {
  readonly jobs: {
    /** Submits a job, and returns it. */
    submit(id: string, options?: RequestOptions): Promise<Job>
  }
  readonly materials: {
    /** Creates a material from a structure file, and returns it. */
    import(file: StructureFile, options?: RequestOptions): Promise<Material>
  }
}

/**
 * The items of one resource, and their sets. With `{ isEntitySet: false }` in the query, a list has no sets.
 * Every method throws ApiError for a response that is not a success.
 */
export interface Resource<Item extends AnyItem, Sets = never> {
  /** Lists the items that match a query, in the order and with the fields of a projection. */
  list<
    const Chosen extends AnyFields<Item> = NoFields,
    const Order extends AnySort<Item> = NoFields,
    Kind extends boolean = boolean,
  >(
    query?: Query<Item> & OfKind<Kind>,
    projection?: Projection<Item, Chosen, Order>,
    options?: ListOptions<Item>,
  ): Promise<Listed<Item, Chosen, SetsOf<Sets, Kind>>[]>
  /**
   * Lists one page, from `skip` on, with the number of items on all pages. It sends the page, the query
   * and the first path of `sort` in the form of the newest lists, too, unless the list refuses it or the server says
   * that its lists read `query` and `projection` (`X-Mock-Lists`).
   */
  page<
    const Chosen extends AnyFields<Item> = NoFields,
    const Order extends AnySort<Item> = NoFields,
    Kind extends boolean = boolean,
  >(
    query?: Query<Item> & OfKind<Kind>,
    projection?: Projection<Item, Chosen, Order>,
    options?: RequestOptions,
  ): Promise<Page<Listed<Item, Chosen, SetsOf<Sets, Kind>>>>
  /**
   * Lists page by page, as `page` does. `limit` is the size of a page (default: 500). No page is empty.
   * Items that are created or deleted meanwhile can move other items to another page.
   */
  pages<
    const Chosen extends AnyFields<Item> = NoFields,
    const Order extends AnySort<Item> = NoFields,
    Kind extends boolean = boolean,
  >(
    query?: Query<Item> & OfKind<Kind>,
    projection?: Projection<Item, Chosen, Order>,
    options?: RequestOptions,
  ): AsyncIterableIterator<Listed<Item, Chosen, SetsOf<Sets, Kind>>[]>
  /** Lists all items from `skip` on, page by page. `limit` is not allowed. */
  all<
    const Chosen extends AnyFields<Item> = NoFields,
    const Order extends AnySort<Item> = NoFields,
    Kind extends boolean = boolean,
  >(
    query?: Query<Item> & OfKind<Kind>,
    projection?: Projection<Item, Chosen, Order> & { readonly limit?: never },
    options?: RequestOptions,
  ): Promise<Listed<Item, Chosen, SetsOf<Sets, Kind>>[]>
  /** Returns the item with an `_id`. */
  get(id: string, options?: RequestOptions): Promise<Item | Sets>
  /** Creates an item, and returns it with the fields that the server adds. */
  create(item: NewItem<Item>, options?: RequestOptions): Promise<Item>
  /** Changes an item (PATCH), and returns it. */
  update(id: string, patch: Patch<Item>, options?: RequestOptions): Promise<Item | Sets>
  /** Deletes an item. */
  remove(id: string, options?: RequestOptions): Promise<void>
  /** Copies an item, and returns the copy. */
  copy(id: string, options?: RequestOptions): Promise<Item | Sets>
  /** Makes an item the default of its owner, and returns it. */
  setDefault(id: string, options?: RequestOptions): Promise<Item | Sets>
}

export function createResource<Item extends AnyItem>(
  transport: Transport,
  name: string,
): Resource<Item> & ResourceActions[keyof ResourceActions] {
  const { send, exchange } = transport
  const path = `/${name}`

  const read = async (
    parameters: RequestParts['parameters'] & object,
    signal: AbortSignal | undefined,
  ): Promise<Page<never>> => {
    const { json, headers } = await exchange('GET', path, { parameters, signal })
    if (!Array.isArray(json.data)) throw new ApiError(`the data of ${path} must be a list`, 200)
    const total = headers.get('X-Total-Count')
    return { items: json.data as never[], total: total === null ? undefined : Number(total) }
  }

  const readPage = async (
    query: object | undefined,
    projection: ListPlace,
    { signal }: RequestOptions = {},
  ): Promise<Page<never>> => {
    const readDocumented = (): Promise<Page<never>> => read({ query, projection }, signal)
    if ((transport.lists ?? 'migrated') !== 'migrated') return readDocumented()
    // Undefined parameters are left out.
    const newest = { advancedSearches: query && [query], ...toNewestPlace(projection) }
    return read({ query, projection, ...newest }, signal).catch(async (error: ApiError) => {
      if (transport.lists || error.code !== 'PARAMETER_INVALID') throw error
      const page = await readDocumented()
      transport.lists = 'documented'
      return page
    })
  }

  const resource: Resource<Item> & ResourceActions['jobs'] & ResourceActions['materials'] = {
    list: async (query, projection, { signal, ...parameters } = {}) =>
      (await read({ query, projection, ...parameters }, signal)).items,
    page: (query, projection, options) =>
      readPage(query, { skip: 0, limit: DEFAULT_LIMIT, ...projection }, options),
    async *pages(query, projection, options) {
      const { skip: first = 0, limit = MAX_LIMIT } = projection ?? {}
      for (let skip = first; ; skip += limit) {
        const place = { ...projection, skip, limit }
        const { items } = await readPage(query, place, options)
        if (items.length > 0) yield items
        if (items.length < limit) return
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
    submit: async (id, options) => send('POST', `${toItemPath(path, id)}/submit`, options),
    import: (body, options) => send('POST', `${path}/import`, { body, ...options }),
  }
  return resource
}

/** @throws TypeError for an `_id` that can't be a segment of a URL, such as `..` */
function toItemPath(path: string, id: string): string {
  if (/^\.{0,2}$/.test(id)) throw new TypeError(`an _id must not be "${id}"`)
  return `${path}/${encodeURIComponent(id)}`
}

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
  const [[path, direction] = []] = Object.entries(sort)
  return { limit, skip, sort: direction === -1 ? `-${path}` : path, globalSearch: true }
}
