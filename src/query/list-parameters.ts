import { ParameterInvalid } from '../errors.js'
import { InputPath } from '../json/input-path.js'
import { withoutUndefined } from '../json/json.js'
import type { JsonObject } from '../json/json.js'
import { quote } from '../json/quote.js'
import type { Projection } from './list-querystring.js'
import { parseParameter } from './parse-parameter.js'
import type { JsonParameter, SelectorList } from './parse-parameter.js'
import { describeRightForm } from './plain/describe-brackets.js'
import type { UrlParameters } from './plain/describe-brackets.js'
import {
  CACHE_BUSTER,
  FLAT_NAMES,
  parseFlatParameters,
  parsePlainParameters,
  readSingle,
  refuseBrackets,
} from './plain/plain-parameters.js'
import { compileSelector } from './selector/compile-selector.js'

/**
 * The parameters that a list reads. `documented` lists read the parameters of the platform's
 * documentation. The platform's newest client sends others, and `migrated` lists read only these.
 * `both` reads all of them.
 */
export const LISTS = ['both', 'documented', 'migrated'] as const
export type Lists = (typeof LISTS)[number]

/** The parsed parameters of a list. */
export interface ListRequest {
  /** All conditions except the equalities. */
  readonly query?: JsonObject
  readonly projection?: Projection
  /** The texts that fields must equal, by the names of plain parameters. */
  readonly equalities?: ReadonlyMap<string, string>
}

const JSON_NAMES = ['query', 'projection', 'advancedSearches'] as const

/** The parameters of the newest client that are not in the documentation. */
const UNDOCUMENTED_NAMES = ['advancedSearches', 'setId', 'globalSearch'] as const

/** The parameters on which the parsed parameters depend, except for equalities. */
const READ_NAMES: ReadonlySet<string> = new Set([
  ...JSON_NAMES,
  ...UNDOCUMENTED_NAMES,
  ...FLAT_NAMES,
])

/** Matches items that are in no set. */
const TOP_LEVEL: JsonObject = { 'inSet._id': { $exists: false } }

/**
 * Parses the parameters of a list. Without `query`, `projection` and `advancedSearches`, other
 * parameters are equalities; with one of these, they have no effect. A `migrated` list drops all
 * parameters that it does not read, as the platform does.
 * @throws ParameterInvalid for a parameter that is repeated, empty or wrong, or that is not read
 * @throws as parseParameter and compileSelector do
 */
export function parseListParameters(parameters: UrlParameters, lists: Lists): ListRequest {
  if (lists === 'migrated') return parseMigrated(parameters)
  refuseBrackets(parameters)
  if (lists === 'documented') refuseUndocumented(parameters)
  const membership = parseSetId(parameters)
  parseGlobalSearch(parameters)
  if (isShortForm(parameters)) {
    const { setId: _, globalSearch: __, ...others } = parameters
    const { equalities, projection } = parsePlainParameters(others)
    return withoutUndefined({
      query: combineQueries(membership),
      projection: mergeProjection(undefined, projection),
      equalities: equalities.size > 0 ? equalities : undefined,
    })
  }
  const query = readJson(parameters, 'query')
  const text = readJson(parameters, 'projection')
  const projection = mergeProjection(
    text === undefined ? undefined : parseParameter('projection', text),
    lists === 'documented' ? {} : parseFlatParameters(parameters),
  )
  const queries = [...membership, ...parseSearches(parameters)]
  // The query comes last, because the last condition decides a positional `$` of its projection.
  if (query !== undefined) queries.push(parseParameter('query', query))
  return withoutUndefined({ query: combineQueries(queries), projection })
}

/** Whether no parameter is JSON, so that the parameters are equalities. */
const isShortForm = (parameters: UrlParameters): boolean =>
  JSON_NAMES.every((name) => parameters[name] === undefined)

/**
 * Returns a text that is equal for parameters that parse to the same result; undefined if there may be
 * equalities or an error. A parameter that only bypasses caches has no effect.
 */
export function toCacheKey(parameters: UrlParameters, lists: Lists): string | undefined {
  const isShort = isShortForm(parameters)
  let key: string = lists
  for (const name in parameters) {
    const text = parameters[name]
    if (READ_NAMES.has(name)) {
      if (typeof text !== 'string') return undefined
      key += `&${name}=${text.length}:${text}`
    } else if (name !== CACHE_BUSTER && (isShort || name.includes('['))) {
      return undefined
    }
  }
  return key
}

function parseMigrated(parameters: UrlParameters): ListRequest {
  const membership = parseSetId(parameters)
  const isGlobal = parseGlobalSearch(parameters) || membership.length > 0
  const searches = parseSearches(parameters)
  return withoutUndefined({
    query: combineQueries([...searches, ...membership, ...(isGlobal ? [] : [TOP_LEVEL])]),
    projection: mergeProjection(undefined, parseFlatParameters(parameters)),
  })
}

/** @throws ParameterInvalid for a parameter that the documentation does not have */
function refuseUndocumented(parameters: UrlParameters): void {
  const names = [...UNDOCUMENTED_NAMES, ...(isShortForm(parameters) ? [] : FLAT_NAMES)]
  const name = names.find((each) => parameters[each] !== undefined)
  if (name === undefined) return
  const right = describeRightForm(name === 'limit' || name === 'skip' ? 'projection' : 'query')
  throw new ParameterInvalid(
    `${name} is not documented, and --lists is documented; send query and projection: ${right}`,
  )
}

function parseSearches(parameters: UrlParameters): readonly JsonObject[] {
  const text = readJson(parameters, 'advancedSearches')
  return text === undefined ? [] : parseSelectors('advancedSearches', text)
}

/**
 * Parses the JSON text of a list of selectors, and compiles each of them, so that errors have the path
 * of the selector.
 * @throws as parseParameter and compileSelector do
 */
export function parseSelectors(name: SelectorList, text: string): readonly JsonObject[] {
  const selectors = parseParameter(name, text)
  for (const [index, selector] of selectors.entries())
    compileSelector(selector, new InputPath('query', name).child(index))
  return selectors
}

function parseSetId(parameters: UrlParameters): JsonObject[] {
  const setId = readSingle(parameters, 'setId')
  if (setId === '') throw new ParameterInvalid('setId is empty; leave it out or give an _id')
  return setId === undefined ? [] : [{ 'inSet._id': setId }]
}

function parseGlobalSearch(parameters: UrlParameters): boolean {
  const text = readSingle(parameters, 'globalSearch')
  if (text === undefined || text === 'true' || text === 'false') return text === 'true'
  throw new ParameterInvalid(`globalSearch must be true or false, not ${quote(text)}`)
}

/**
 * Returns one query for queries that must all hold; undefined for no queries. Equal queries count once.
 * Each of several queries is compiled by itself first, so that errors have the path that the client has
 * sent.
 * @throws as compileSelector does
 */
export function combineQueries(queries: readonly JsonObject[]): JsonObject | undefined {
  if (queries.length < 2) return queries[0]
  const byText = new Map(queries.map((each) => [JSON.stringify(each), each]))
  byText.delete('{}')
  const [first = {}, second] = byText.values()
  if (second === undefined) return first
  for (const query of byText.values()) compileSelector(query)
  return { $and: [...byText.values()] }
}

/** Completes a projection with missing keys. Returns the same object, or undefined, if no key is missing. */
const mergeProjection = (
  projection: JsonObject | undefined,
  flat: Projection,
): Projection | undefined =>
  Object.keys(flat).every((name) => projection !== undefined && name in projection)
    ? projection
    : { ...flat, ...(projection as Projection | undefined) }

/** @throws ParameterInvalid for a parameter that is empty or is given more than once */
function readJson(parameters: UrlParameters, name: JsonParameter): string | undefined {
  const text = parameters[name]
  if (text === '') {
    const right = name === 'advancedSearches' ? 'a list of JSON objects' : 'a JSON object'
    throw new ParameterInvalid(`${name} is empty; leave it out or give ${right}`)
  }
  if (text === undefined || typeof text === 'string') return text
  const right = describeRightForm(name)
  throw new ParameterInvalid(`${name} is given ${text.length} times; give it once: ${right}`)
}
