import { LRUCache } from 'lru-cache'

import { getItemSchema, getNewItemSchema } from '@materials-mock/api'
import { quote, toObject } from '@materials-mock/json'
import type { JsonObject } from '@materials-mock/json'
import {
  DEFAULT_LIMIT,
  compileFields,
  compileSelector,
  compileSort,
  mayHavePositional,
} from '@materials-mock/query'
import type { CompiledFields, CompiledListQuery, ListQuery, Selector } from '@materials-mock/query'
import type { Work } from '@materials-mock/work'
import { ParameterInvalid } from '../../errors.js'
import type { Collection } from '../../store/collection.js'
import type { VisibilityFilter } from '../../store/entry.js'
import { describeEncoding } from './json-parameter.js'
import { combineQueries, isFieldPath, toQuery } from './parameters.js'
import type { ListRequest } from './parameters.js'

const CACHE_SIZE = 1_000_000

const COMPILED_SIZE = 500

export class ListQueryCompiler {
  readonly #requests = createCache<ListRequest>()
  readonly #fields = createCache<CompiledFields>()
  readonly #compiled = new WeakMap<ListQuery, CompiledListQuery>()

  /** Returns the parsed parameters of a list. The same URL returns the same object. */
  parseOnce(url: string, parse: () => ListRequest): ListRequest {
    return getOrSet<string, ListRequest>(this.#requests, url, parse)
  }

  /**
   * The same object returns the same result.
   * @throws QueryInvalid, ProjectionInvalid for what MongoDB rejects; BoundExceeded for an
   * expensive `$regex`
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
        fields: this.#compileFields(toObject(projection.fields), query, selector),
      }
    })
  }

  /** @throws as `compile` does, and the errors of the work */
  *run<Result>(
    listQuery: ListQuery,
    toWork: (compiled: CompiledListQuery) => Work<Result>,
  ): Work<Result> {
    const compiled = this.compile(listQuery)
    yield 'compiling the query'
    return yield* toWork(compiled)
  }

  /**
   * The same function for equal fields: an entry's cached JSON is valid for one function. A
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

/**
 * Equalities become conditions on fields of the schema or of some visible item, which is searched
 * in small steps.
 * @throws ParameterInvalid for any other name, and as `ListQueryCompiler.run`
 */
export function* runListRequest<Result>(
  listQueries: ListQueryCompiler,
  collection: Collection,
  listRequest: ListRequest,
  isVisible: VisibilityFilter,
  toWork: (compiled: CompiledListQuery) => Work<Result>,
): Work<Result> {
  const { equalities, query, projection } = listRequest
  if (equalities === undefined) return yield* listQueries.run(listRequest, toWork)
  const equal = yield* resolveEqualities(collection, equalities, isVisible)
  const combined = combineQueries([equal, query ?? {}])
  return yield* listQueries.run({ query: combined, projection }, toWork)
}

/** Returns the list query of a URL without reading items: an alias always stands for its field. */
export function toListQuery({ equalities, query, projection }: ListRequest): ListQuery {
  if (equalities === undefined) return { query, projection }
  const paths = [...equalities].map(([name, text]) => [ALIASES.get(name) ?? name, text] as const)
  return { query: combineQueries([toQuery(new Map(paths)), query ?? {}]), projection }
}

/** Parameters of the platform's newer lists, with the paths of their fields. */
const ALIASES: ReadonlyMap<string, string> = new Map([['ownerId', 'owner._id']])

function* resolveEqualities(
  collection: Collection,
  equalities: ReadonlyMap<string, string>,
  isVisible: VisibilityFilter,
): Work<JsonObject> {
  const paths = new Map<string, string>()
  for (const [name, text] of equalities) {
    const path = (yield* isField(collection, name, isVisible)) ? name : ALIASES.get(name)
    if (path === undefined) throw new ParameterInvalid(describeUnknown(name, collection.resource))
    if (paths.has(path))
      throw new ParameterInvalid(`${quote(name)} and ${path} are the same field; give one of them`)
    paths.set(path, text)
  }
  return toQuery(paths)
}

function* isField(
  collection: Collection,
  name: string,
  isVisible: VisibilityFilter,
): Work<boolean> {
  if (isInSchema(collection.resource, name)) return true
  if (!isFieldPath(name)) return false
  const selector = compileSelector({ [name]: { $exists: true } })
  const options = { selector, sort: undefined, skip: 0, limit: 1 }
  return (yield* collection.find(options, isVisible)).length > 0
}

/** Whether the schema of a resource's items, or of new ones, has a field of this name. */
const isInSchema = (resource: string, name: string): boolean =>
  [getItemSchema(resource), getNewItemSchema(resource)].some(({ properties }) =>
    Object.hasOwn(toObject(properties), name),
  )

const describeUnknown = (name: string, resource: string): string =>
  `${quote(name)} is not a parameter: no item of ${resource} has such a field. The parameters are query, projection, limit, skip, sort and the fields, and with --lists both also advancedSearches, setId and globalSearch. query and projection are JSON: ${EXAMPLE}`

const EXAMPLE = [
  describeEncoding('query', { formula: 'Si' }),
  describeEncoding('projection', { limit: 10, skip: 10 }),
].join('&')

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
