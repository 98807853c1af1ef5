import { ParameterInvalid } from '../errors.js'
import type { JsonObject } from '../json/json.js'
import { quote } from '../json/quote.js'
import { combineQueries, isFieldPath, toQuery } from '../query/list-parameters.js'
import type { ListRequest } from '../query/list-parameters.js'
import type { CompiledListQuery, ListQuery, ListQueryCompiler } from '../query/list-query.js'
import { describeEncoding } from '../query/parse-parameter.js'
import { compileSelector } from '../query/selector/compile-selector.js'
import { getItemSchema, getNewItemSchema } from '../resources/schemas.js'
import type { Work } from '../work/work.js'
import type { Collection } from './collection.js'
import type { VisibilityFilter } from './entry.js'

/**
 * Compiles the parameters of a list, and runs work with the result. Equalities become conditions. Their
 * names must be fields of the resource's schema or of some visible item, which is searched in small
 * steps.
 * @throws ParameterInvalid for any other name, and as `ListQueryCompiler.run` does
 */
export function* runListRequest<Result>(
  listQueries: ListQueryCompiler,
  collection: Collection,
  listRequest: ListRequest,
  isVisible: VisibilityFilter,
  toWork: (compiled: CompiledListQuery) => Work<Result>,
): Work<Result> {
  const { equalities, ...listQuery } = listRequest
  if (equalities === undefined) return yield* listQueries.run(listRequest, toWork)
  const equal = yield* resolveEqualities(collection, equalities, isVisible)
  const query = combineQueries([equal, listQuery.query ?? {}]) ?? equal
  return yield* listQueries.run({ ...listQuery, query }, toWork)
}

/** Returns the list query of a URL without reading items: an alias always stands for its field. */
export function toListQuery({ equalities, ...listQuery }: ListRequest): ListQuery {
  if (equalities === undefined) return listQuery
  const paths = [...equalities].map(([name, text]) => [ALIASES.get(name) ?? name, text] as const)
  const equal = toQuery(new Map(paths))
  return { ...listQuery, query: combineQueries([equal, listQuery.query ?? {}]) ?? equal }
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
    Object.hasOwn(properties as object, name),
  )

const describeUnknown = (name: string, resource: string): string =>
  `${quote(name)} is not a parameter: no item of ${resource} has such a field. The parameters are query, projection, limit, skip, sort and the fields, and with --lists both also advancedSearches, setId and globalSearch. query and projection are JSON: ${EXAMPLE}`

const EXAMPLE = [
  describeEncoding('query', { formula: 'Si' }),
  describeEncoding('projection', { limit: 10, skip: 10 }),
].join('&')
