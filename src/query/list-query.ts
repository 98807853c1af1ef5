import { LRUCache } from 'lru-cache'

import type { JsonObject } from '../json/json.js'
import type { Work } from '../work/work.js'
import type { ListRequest } from './list-parameters.js'
import { DEFAULT_LIMIT } from './list-querystring.js'
import type { Projection } from './list-querystring.js'
import { mayHavePositional } from './projection/array-fields.js'
import { compileFields } from './projection/compile-fields.js'
import type { CompiledFields } from './projection/compile-fields.js'
import { compileSelector } from './selector/compile-selector.js'
import type { Selector } from './selector/compile-selector.js'
import { compileSort } from './sort/compile-sort.js'
import type { SortSpec } from './sort/compile-sort.js'

/** The parameters of a list request, parsed and valid against `ListQuerystring`. */
export interface ListQuery {
  readonly query?: JsonObject
  readonly projection?: Projection
}

/** A compiled list query: the items of a list, their order, and their fields. */
export interface CompiledListQuery {
  readonly selector: Selector
  /** The sort; undefined for natural order. */
  readonly sort: SortSpec | undefined
  readonly skip: number
  readonly limit: number
  /** The compiled `fields`; undefined for whole items. */
  readonly fields: CompiledFields | undefined
}

/** The size of a cache, in characters of text. */
const CACHE_SIZE = 1_000_000

/** The size of a compiled text in the cache, in characters. */
const COMPILED_SIZE = 500

/** Compiles list queries, and caches parsed requests and compiled queries. Each app has its own. */
export class ListQueryCompiler {
  readonly #requests = createCache<ListRequest>()
  readonly #fields = createCache<CompiledFields>()
  readonly #compiled = new WeakMap<ListQuery, CompiledListQuery>()

  /** Returns the parsed parameters of a list. The same URL returns the same object. */
  parseOnce(url: string, parse: () => ListRequest): ListRequest {
    return getOrSet<string, ListRequest>(this.#requests, url, parse)
  }

  /**
   * Compiles a list query. The same object returns the same result.
   * @throws QueryInvalid for a query that MongoDB rejects or that is not supported
   * @throws ProjectionInvalid for a sort or fields that MongoDB rejects or that are not supported
   * @throws BoundExceeded for a `$regex` that is too long or too expensive to compile
   */
  compile(listQuery: ListQuery): CompiledListQuery {
    return getOrSet<ListQuery, CompiledListQuery>(this.#compiled, listQuery, () => {
      const { query = {}, projection = {} } = listQuery
      const selector = compileSelector(query)
      return {
        selector,
        sort: compileSort(projection.sort ?? {}),
        skip: projection.skip ?? 0,
        limit: projection.limit ?? DEFAULT_LIMIT,
        fields: this.#compileFields((projection.fields ?? {}) as JsonObject, query, selector),
      }
    })
  }

  /** Returns the compiled list query if it is compiled already. */
  findCompiled(listQuery: ListQuery): CompiledListQuery | undefined {
    return this.#compiled.get(listQuery)
  }

  /**
   * Compiles a list query, and runs work with it.
   * @throws as `compile` does, and the errors of the work
   */
  *run<Result>(
    listQuery: ListQuery,
    toWork: (compiled: CompiledListQuery) => Work<Result>,
  ): Work<Result> {
    const compiled = this.compile(listQuery)
    yield 'compiling the query'
    return yield* toWork(compiled)
  }

  /**
   * Returns the same function for equal fields: an entry's cached JSON is valid for one function. A
   * positional `$` depends on the query.
   */
  #compileFields(
    fields: JsonObject,
    query: JsonObject,
    selector: Selector,
  ): CompiledFields | undefined {
    if (Object.keys(fields).length === 0) return undefined
    const text = JSON.stringify(fields)
    const [key, positions] = mayHavePositional(text)
      ? [`${JSON.stringify(query)}${text}`, selector]
      : [text, undefined]
    return getOrSet(this.#fields, key, () => compileFields(fields, positions))
  }
}

const createCache = <Value extends object>(): LRUCache<string, Value> =>
  new LRUCache({
    maxSize: CACHE_SIZE,
    sizeCalculation: (_value, text) => text.length + COMPILED_SIZE,
  })

/** A Map, a WeakMap or an LRUCache. */
interface Cache<Key, Value> {
  get(key: Key): Value | undefined
  set(key: Key, value: Value): unknown
}

function getOrSet<Key, Value>(
  cache: Cache<Key, Value>,
  key: Key,
  create: (key: Key) => Value,
): Value {
  const cached = cache.get(key)
  if (cached !== undefined) return cached
  const value = create(key)
  cache.set(key, value)
  return value
}
