import { ParameterInvalid } from '../errors.js'
import type { JsonObject } from '../json/json.js'
import { quote } from '../json/quote.js'
import type { ListQueryCompiler } from './list-query.js'
import type { Projection } from './list-querystring.js'
import { describeRightForm } from './plain/describe-brackets.js'
import {
  FLAT_NAMES,
  parseFlatParameters,
  parsePlainParameters,
  readSingle,
  refuseBrackets,
} from './plain/plain-parameters.js'
import type { UrlParameters } from './plain/describe-brackets.js'
import type { JsonParameter } from './parse-parameter.js'

/**
 * How a list reads its URL. `documented` is what the platform's documentation says. The platform's newest
 * client sends more beside it, and a `migrated` list reads that alone. `both` reads all of it.
 */
export type Lists = 'both' | 'documented' | 'migrated'

/** What the URL of a list asks for. */
export interface ListRequest {
  /** All conditions that must hold, but for the equalities. */
  readonly query?: JsonObject
  readonly projection?: Projection
  /** The texts that fields must be equal to, by the names of plain parameters. */
  readonly equalities?: ReadonlyMap<string, string>
}

const JSON_NAMES = ['query', 'projection', 'advancedSearches'] as const

/** What the newest client sends, and the documentation does not have. */
const UNDOCUMENTED_NAMES = ['advancedSearches', 'setId', 'globalSearch'] as const

/** What is in no set. */
const TOP_LEVEL: JsonObject = { 'inSet._id': { $exists: false } }

/**
 * Parses the parameters of a list. Without `query`, `projection` and `advancedSearches`, other parameters
 * are equalities; beside them, they have no effect. A `migrated` list drops all that it does not read,
 * as the platform's does.
 * @throws ParameterInvalid for a parameter that is repeated, empty or wrong, or that is not read
 * @throws as `ListQueryCompiler.parse` does
 */
export function parseListParameters(
  parameters: UrlParameters,
  lists: Lists,
  compiler: ListQueryCompiler,
): ListRequest {
  if (lists === 'migrated') return parseMigrated(parameters, compiler)
  refuseBrackets(parameters)
  if (lists === 'documented') refuseUndocumented(parameters)
  const membership = parseSetId(parameters)
  parseGlobalSearch(parameters)
  if (JSON_NAMES.every((name) => parameters[name] === undefined)) {
    const { setId: _, globalSearch: __, ...others } = parameters
    const { equalities, projection } = parsePlainParameters(others)
    return {
      ...toQuery(compiler, membership),
      ...toPage(projection),
      ...(equalities.size > 0 && { equalities }),
    }
  }
  const query = readJson(parameters, 'query')
  const text = readJson(parameters, 'projection')
  const projection = mergeProjection(
    text === undefined ? undefined : compiler.parse('projection', text),
    lists === 'documented' ? {} : parseFlatParameters(parameters),
  )
  return {
    ...toQuery(
      compiler,
      query === undefined ? [] : [compiler.parse('query', query)],
      parseSearches(parameters, compiler),
      membership,
    ),
    ...(projection && { projection }),
  }
}

function parseMigrated(parameters: UrlParameters, compiler: ListQueryCompiler): ListRequest {
  const membership = parseSetId(parameters)
  const isGlobal = parseGlobalSearch(parameters) || membership.length > 0
  const searches = parseSearches(parameters, compiler)
  return {
    ...toQuery(compiler, searches, membership, isGlobal ? [] : [TOP_LEVEL]),
    ...toPage(parseFlatParameters(parameters)),
  }
}

/** Returns a projection, if it says something. */
const toPage = (projection: Projection): Pick<ListRequest, 'projection'> =>
  Object.keys(projection).length === 0 ? {} : { projection }

/** @throws ParameterInvalid that names what the documentation does not have */
function refuseUndocumented(parameters: UrlParameters): void {
  const isShortForm = JSON_NAMES.every((name) => parameters[name] === undefined)
  const names = [...UNDOCUMENTED_NAMES, ...(isShortForm ? [] : FLAT_NAMES)]
  const name = names.find((each) => parameters[each] !== undefined)
  if (name === undefined) return
  const right = describeRightForm(name === 'limit' || name === 'skip' ? 'projection' : 'query')
  throw new ParameterInvalid(
    `${name} is not documented, and --lists is documented; send query and projection: ${right}`,
  )
}

function parseSearches(
  parameters: UrlParameters,
  compiler: ListQueryCompiler,
): readonly JsonObject[] {
  const text = readJson(parameters, 'advancedSearches')
  return text === undefined ? [] : compiler.parseSearches(text)
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

/** Returns all conditions as one query, if there are some. */
function toQuery(
  compiler: ListQueryCompiler,
  ...conditions: readonly (readonly JsonObject[])[]
): Pick<ListRequest, 'query'> {
  const query = compiler.combine(conditions.flat())
  return query === undefined ? {} : { query }
}

/** Returns a projection with the keys that it lacks. It is the same object if it lacks none. */
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
