import { LRUCache } from 'lru-cache'

import { InputPath } from '../json/input-path.js'
import type { JsonObject } from '../json/json.js'
import type { Work } from '../work/work.js'
import { DEFAULT_LIMIT } from './list-querystring.js'
import type { Projection } from './list-querystring.js'
import { parseParameter } from './parse-parameter.js'
import type { SelectorList } from './parse-parameter.js'
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

/** The size of the cache of one parameter, in characters of text. */
const CACHE_SIZE = 1_000_000

/** The size of a compiled text in the cache, in characters. */
const COMPILED_SIZE = 500

const EMPTY_QUERY: JsonObject = {}
const EMPTY_PROJECTION: Projection = {}

/** Parses and compiles list queries, and caches the results. Each app has its own. */
export class ListQueryCompiler {
  readonly #parsed = { query: createCache<JsonObject>(), projection: createCache<JsonObject>() }
  readonly #selectorLists = createCache<readonly JsonObject[]>()
  readonly #combined = createCache<JsonObject>()
  readonly #fields = createCache<CompiledFields>()
  readonly #selectors = new WeakMap<JsonObject, Selector>()
  readonly #projections = new WeakMap<Projection, CompiledProjection>()

  /**
   * Parses the JSON text of a parameter. Equal texts return the same object.
   * @throws as parseParameter does
   */
  parse(name: 'query' | 'projection', text: string): JsonObject {
    return getOrSet<string, JsonObject>(this.#parsed[name], text, () => parseParameter(name, text))
  }

  /**
   * Parses the JSON text of a list of selectors, and compiles each of them, so that errors have the path
   * of the selector. Equal texts return the same objects.
   * @throws as parseParameter and compileSelector do
   */
  parseSelectors(name: SelectorList, text: string): readonly JsonObject[] {
    return getOrSet<string, readonly JsonObject[]>(this.#selectorLists, name + text, () => {
      const selectors = parseParameter(name, text)
      for (const [index, selector] of selectors.entries())
        compileSelector(selector, new InputPath('query', name).child(index))
      return selectors
    })
  }

  /**
   * Returns one query for conditions that must all hold; undefined for no conditions. Equal conditions
   * count once, and equal lists of conditions return the same query. Each condition is compiled by itself
   * first, so that errors have the path that the client has sent.
   * @throws as `compileSelector` does
   */
  combine(conditions: readonly JsonObject[]): JsonObject | undefined {
    if (conditions.length < 2) return conditions[0]
    const byText = new Map(conditions.map((each) => [JSON.stringify(each), each]))
    byText.delete('{}')
    const [first = EMPTY_QUERY, second] = byText.values()
    if (second === undefined) return first
    return getOrSet<string, JsonObject>(this.#combined, [...byText.keys()].join(), () => {
      for (const query of byText.values()) this.compile({ query })
      return { $and: [...byText.values()] }
    })
  }

  /**
   * Compiles a list query. The same objects return the same selector and fields.
   * @throws QueryInvalid for a query that MongoDB rejects or that is not supported
   * @throws ProjectionInvalid for a sort or fields that MongoDB rejects or that are not supported
   * @throws BoundExceeded for a `$regex` that is too long or too expensive to compile
   */
  compile({ query = EMPTY_QUERY, projection = EMPTY_PROJECTION }: ListQuery): CompiledListQuery {
    const selector = getOrSet(this.#selectors, query, (key) => compileSelector(key))
    const { fieldsFor, ...page } = getOrSet<Projection, CompiledProjection>(
      this.#projections,
      projection,
      this.#compileProjection,
    )
    return {
      selector,
      ...page,
      fields: fieldsFor(query, selector),
    }
  }

  /** Returns the conditions of a query, if it is compiled already. */
  findTree(query: JsonObject): Selector['tree'] {
    return this.#selectors.get(query)?.tree ?? []
  }

  /** Returns the compiled list query if its parts are compiled already. */
  findCompiled({
    query = EMPTY_QUERY,
    projection = EMPTY_PROJECTION,
  }: ListQuery): CompiledListQuery | undefined {
    const isCompiled = this.#selectors.has(query) && this.#projections.has(projection)
    return isCompiled ? this.compile({ query, projection }) : undefined
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

  readonly #compileProjection = (projection: Projection): CompiledProjection => ({
    sort: compileSort(projection.sort ?? {}),
    skip: projection.skip ?? 0,
    limit: projection.limit ?? DEFAULT_LIMIT,
    fieldsFor: this.#compileFields((projection.fields ?? {}) as JsonObject),
  })

  /** Returns the same function for equal fields: an entry's cached JSON is valid for one function. */
  #compileFields(fields: JsonObject): CompiledProjection['fieldsFor'] {
    if (Object.keys(fields).length === 0) return () => undefined
    const text = JSON.stringify(fields)
    if (mayHavePositional(text)) {
      return (query, selector) =>
        getOrSet(this.#fields, `${JSON.stringify(query)}${text}`, () =>
          compileFields(fields, selector),
        )
    }
    const compiled = getOrSet(this.#fields, text, () => compileFields(fields))
    return () => compiled
  }
}

interface CompiledProjection extends Pick<CompiledListQuery, 'sort' | 'skip' | 'limit'> {
  /** Returns the fields for the items of a query, on which a positional `$` depends. */
  readonly fieldsFor: (query: JsonObject, selector: Selector) => CompiledFields | undefined
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
