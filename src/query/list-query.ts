import { LRUCache } from 'lru-cache'

import type { JsonObject } from '../json/json.js'
import { DEFAULT_LIMIT } from '../schemas/list-querystring.js'
import type { Projection } from '../schemas/list-querystring.js'
import { Budget } from './budget.js'
import { parseParameter } from './parse-parameter.js'
import { compileFields } from './projection/compile-fields.js'
import type { Fields } from './projection/compile-fields.js'
import { compileSelector } from './selector/compile-selector.js'
import type { Selector } from './selector/compile-selector.js'
import { compileSort } from './sort/compile-sort.js'
import type { SortSpec } from './sort/sort-spec.js'

/** The parameters of a list, parsed and valid against `ListQuerystring`. */
export interface ListQuery {
  readonly query?: JsonObject
  readonly projection?: Projection
}

/** A compiled list query: which items a list has, and which of their fields. */
export interface CompiledListQuery {
  readonly selector: Selector
  /** Undefined for natural order. */
  readonly sort: SortSpec | undefined
  readonly skip: number
  readonly limit: number
  /** Undefined for whole items. */
  readonly fields: Fields | undefined
  /** The time that is left to this one evaluation. */
  readonly budget: Budget
}

/** The number of characters that all cached texts of one parameter may have together. */
const CACHE_SIZE = 1_000_000

/** The number of characters added to each text, for what is compiled from it. */
const COMPILED_SIZE = 500

/** Compiles list queries, and caches what it parses and compiles by the text. One for each app. */
export class ListQueryCompiler {
  readonly #budgetMs: number
  readonly #parsed = { query: createCache<JsonObject>(), projection: createCache<JsonObject>() }
  readonly #fields = createCache<Fields>()
  readonly #selectors = new WeakMap<JsonObject, Selector>()
  readonly #pages = new WeakMap<Projection, CompiledProjection>()

  /** @param budgetMs the time that one evaluation may take, in ms */
  constructor(budgetMs: number) {
    this.#budgetMs = budgetMs
  }

  /**
   * Parses the JSON text of a parameter.
   * @throws QueryInvalid, ProjectionInvalid, BoundExceeded
   */
  parse(name: 'query' | 'projection', text: string): JsonObject {
    return getOrSet<string, JsonObject>(this.#parsed[name], text, () => parseParameter(name, text))
  }

  /** @throws QueryInvalid, ProjectionInvalid */
  compile({ query = ALL, projection = FIRST_PAGE }: ListQuery): CompiledListQuery {
    return {
      selector: getOrSet<JsonObject, Selector>(this.#selectors, query, compileSelector),
      ...getOrSet<Projection, CompiledProjection>(this.#pages, projection, this.#compileProjection),
      budget: new Budget(this.#budgetMs),
    }
  }

  readonly #compileProjection = (projection: Projection): CompiledProjection => ({
    sort: compileSort(projection.sort ?? {}),
    skip: projection.skip ?? 0,
    limit: projection.limit ?? DEFAULT_LIMIT,
    fields: this.#compileFields((projection.fields ?? {}) as JsonObject),
  })

  /** Equal fields are one function, by which an entry knows the text that it made last. */
  #compileFields(fields: JsonObject): Fields | undefined {
    if (Object.keys(fields).length === 0) return undefined
    return getOrSet(this.#fields, JSON.stringify(fields), () => compileFields(fields))
  }
}

type CompiledProjection = Omit<CompiledListQuery, 'selector' | 'budget'>

const ALL: JsonObject = {}
const FIRST_PAGE: Projection = {}

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
