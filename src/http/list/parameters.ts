import type { ReadLists } from '@materials-mock/api'
import { FORBIDDEN_NAMES, InputPath, isJsonObject, parseIfJson, quote } from '@materials-mock/json'
import type { Json, JsonObject } from '@materials-mock/json'
import { MAX_BYTES, MAX_LIMIT, Projection, compileSelector } from '@materials-mock/query'
import { BoundExceeded, ParameterInvalid } from '../../errors.js'
import { describeRightForm, parseParameter } from './json-parameter.js'
import type { JsonParameter, SelectorList } from './json-parameter.js'

export type UrlParameters = Readonly<Record<string, string | readonly string[] | undefined>>

/** The parameters of the URL of a request, before its route has parsed them. */
export const parametersOf = ({ query }: { readonly query: unknown }): UrlParameters =>
  query as UrlParameters

export interface ListRequest {
  /** All conditions except the equalities. */
  readonly query?: JsonObject | undefined
  readonly projection?: Projection | undefined
  /** The texts that fields must equal, by the names of plain parameters. */
  readonly equalities?: ReadonlyMap<string, string> | undefined
}

const JSON_NAMES = ['query', 'projection', 'advancedSearches'] as const

/** The parameters of the newest client that are not in the documentation. */
const UNDOCUMENTED_NAMES = ['advancedSearches', 'setId', 'globalSearch'] as const

/** The parsers of flat parameters. A key of `projection` takes precedence over a flat parameter. */
const FLAT_PARAMETERS = {
  limit: (text: string) => parseInteger('limit', text, 1, MAX_LIMIT),
  skip: (text: string) => parseInteger('skip', text, 0, Infinity),
  sort: parseSort,
}

const FLAT_NAMES = Object.keys(FLAT_PARAMETERS)

/** The name of a parameter that only bypasses caches. */
export const CACHE_BUSTER = '_'

const READ_NAMES: ReadonlySet<string> = new Set([
  ...JSON_NAMES,
  ...UNDOCUMENTED_NAMES,
  ...FLAT_NAMES,
])

/** Matches items that are in no set. */
const TOP_LEVEL: JsonObject = { 'inSet._id': { $exists: false } }

/**
 * Without `query`, `projection` and `advancedSearches`, other parameters are equalities on fields;
 * with one of these, they are refused. A `migrated` list drops what it does not read, as the
 * platform does.
 * @throws ParameterInvalid, BoundExceeded, and as parseParameter and compileSelector do
 */
export function parseListParameters(parameters: UrlParameters, lists: ReadLists): ListRequest {
  if (lists === 'migrated') return parseMigrated(parameters)
  const isShort = isShortForm(parameters)
  refuseBrackets(parameters, isShort)
  if (lists === 'strict' && isShort) refuseShortForm(parameters)
  if (lists === 'documented' || lists === 'strict') refuseUndocumented(parameters)
  if (!isShort) refuseUnknown(parameters)
  const queries = [...parseSetId(parameters), ...parseSearches(parameters)]
  parseGlobalSearch(parameters)
  const equalities = isShort ? parseEqualities(parameters) : undefined
  const query = readJson(parameters, 'query')
  const projection = readJson(parameters, 'projection')
  const parsed = projection === undefined ? undefined : parseParameter('projection', projection)
  const flat = isShort || lists === 'both' ? parseFlatParameters(parameters) : {}
  // The query comes last, because the last condition decides a positional `$` of its projection.
  if (query !== undefined) queries.push(parseParameter('query', query))
  return { query: combineQueries(queries), projection: mergeProjection(parsed, flat), equalities }
}

/** Whether no parameter is JSON, so that the parameters are equalities. */
const isShortForm = (parameters: UrlParameters): boolean =>
  JSON_NAMES.every((name) => parameters[name] === undefined)

function parseMigrated(parameters: UrlParameters): ListRequest {
  const membership = parseSetId(parameters)
  const isGlobal = parseGlobalSearch(parameters) || membership.length > 0
  const searches = parseSearches(parameters)
  return {
    query: combineQueries([...searches, ...membership, ...(isGlobal ? [] : [TOP_LEVEL])]),
    projection: mergeProjection(undefined, parseFlatParameters(parameters)),
  }
}

/**
 * Some generated clients send brackets, which would have no effect.
 * @throws ParameterInvalid
 */
function refuseBrackets(parameters: UrlParameters, isShort: boolean): void {
  const name = Object.keys(parameters).find((each) =>
    isShort ? each.includes('[') : /^(?:query|projection)\[/.test(each),
  )
  if (name === undefined) return
  const right = describeRightForm(findParameter(name.split('[')[0] ?? ''))
  throw new ParameterInvalid(
    `${quote(name)} is not a parameter; send JSON without brackets: ${right}`,
  )
}

const findParameter = (key: string): 'query' | 'projection' =>
  key === 'projection' || key in Projection.properties ? 'projection' : 'query'

function parseEqualities(parameters: UrlParameters): ReadonlyMap<string, string> | undefined {
  const equalities = new Map<string, string>()
  let bytes = 0
  for (const name of Object.keys(parameters)) {
    const text = name === CACHE_BUSTER ? undefined : readSingle(parameters, name)
    if (text === undefined) continue
    refuseObject(name, text)
    if (READ_NAMES.has(name)) continue
    bytes += Buffer.byteLength(name) + Buffer.byteLength(text)
    equalities.set(name, text)
  }
  if (bytes > MAX_BYTES)
    throw new BoundExceeded(`plain parameters must have at most ${MAX_BYTES} bytes, not ${bytes}`)
  return equalities.size > 0 ? equalities : undefined
}

/** JavaScript's text of an object that was not converted before it was put into a URL. */
const OBJECT_TEXT = '[object Object]'

/** @throws ParameterInvalid for the text of an object, which no field equals */
function refuseObject(name: string, text: string): void {
  const parameter = findParameter(name)
  if (text === OBJECT_TEXT) {
    throw new ParameterInvalid(
      `${quote(name)} is an object that was not converted to JSON; send ${describeRightForm(parameter)}`,
    )
  }
  if (text.startsWith('{') && isJsonObject(parseIfJson(text))) {
    throw new ParameterInvalid(
      `${quote(name)} is a JSON object, which no field equals; send ${parameter}={${JSON.stringify(name)}:${text}} encoded`,
    )
  }
}

/** Whether a text can be the dotted path of a field in a query. */
export const isFieldPath = (text: string): boolean =>
  text.split('.').every((each) => /^[^$]/.test(each) && !FORBIDDEN_NAMES.has(each))

export const toQuery = (equalities: ReadonlyMap<string, string>): JsonObject =>
  Object.fromEntries([...equalities].map(([path, text]) => [path, toEquality(text)]))

/** Equal to the text, or also to the number or boolean that it stands for in JSON. */
function toEquality(text: string): Json {
  if (text === 'true' || text === 'false') return { $in: [text, text === 'true'] }
  const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text) ? Number(text) : NaN
  return Number.isFinite(number) ? { $in: [text, number] } : text
}

/**
 * Ignores all others.
 * @throws ParameterInvalid for a repeated parameter or a wrong value
 */
function parseFlatParameters(parameters: UrlParameters): Projection {
  const given: Record<string, unknown> = {}
  for (const [name, parse] of Object.entries(FLAT_PARAMETERS)) {
    const text = readSingle(parameters, name)
    if (text !== undefined) given[name] = parse(text)
  }
  return given
}

function parseInteger(name: string, text: string, minimum: number, maximum: number): number {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : NaN
  if (value >= minimum && value <= maximum) return value
  const range = maximum === Infinity ? ', 0 or more' : ` from ${minimum} to ${maximum}`
  throw new ParameterInvalid(`${name} must be an integer${range}, not ${quote(text)}`)
}

function parseSort(text: string): NonNullable<Projection['sort']> {
  const isDescending = text.startsWith('-')
  const field = isDescending ? text.slice(1) : text
  if (isFieldPath(field) && !/^-|[\s,]/.test(field)) return { [field]: isDescending ? -1 : 1 }
  throw new ParameterInvalid(
    `sort must be one field, such as name, or -name for the reverse order, not ${quote(text)}`,
  )
}

/** @throws ParameterInvalid for a parameter that the documentation does not have */
function refuseUndocumented(parameters: UrlParameters): void {
  const names = [...UNDOCUMENTED_NAMES, ...(isShortForm(parameters) ? [] : FLAT_NAMES)]
  const name = names.find((each) => parameters[each] !== undefined)
  if (name === undefined) return
  const right = describeRightForm(name === 'limit' || name === 'skip' ? 'projection' : 'query')
  throw new ParameterInvalid(
    `${name} is not documented, and the server reads documented lists; send query and projection: ${right}`,
  )
}

/** @throws ParameterInvalid for a parameter that a JSON parameter would leave without effect */
function refuseUnknown(parameters: UrlParameters): void {
  const name = Object.keys(parameters).find(
    (each) => !READ_NAMES.has(each) && each !== CACHE_BUSTER,
  )
  if (name === undefined) return
  const given = JSON_NAMES.find((each) => parameters[each] !== undefined)
  throw new ParameterInvalid(
    `${quote(name)} is not a parameter that a list has beside ${given}; send ${describeRightForm(findParameter(name))}`,
  )
}

/** @throws ParameterInvalid for a parameter of the short form */
function refuseShortForm(parameters: UrlParameters): void {
  const [name] = Object.keys(parameters)
  if (name === undefined) return
  const right = describeRightForm(findParameter(name))
  throw new ParameterInvalid(
    `${quote(name)} is not documented, and the server is --strict; send query and projection: ${right}`,
  )
}

function parseSearches(parameters: UrlParameters): readonly JsonObject[] {
  const text = readJson(parameters, 'advancedSearches')
  return text === undefined ? [] : parseSelectors('advancedSearches', text)
}

/**
 * Compiles each, so that errors have its path.
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
 * Undefined for none. Equal queries count once; each is compiled first, so that errors have the
 * path that the client has sent.
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
    : { ...flat, ...projection }

/** @throws ParameterInvalid if it is repeated */
function readSingle(parameters: UrlParameters, name: string): string | undefined {
  const given = parameters[name]
  if (given === undefined || typeof given === 'string') return given
  throw new ParameterInvalid(`${quote(name)} is given ${given.length} times; give it once`)
}

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
