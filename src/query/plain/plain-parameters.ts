import { BoundExceeded, ParameterInvalid } from '../../errors.js'
import { FORBIDDEN_NAMES } from '../../json/find-violation.js'
import { isJsonObject, parseIfJson } from '../../json/json.js'
import type { Json, JsonObject } from '../../json/json.js'
import { quote } from '../../json/quote.js'
import { MAX_BYTES, MAX_LIMIT } from '../limits.js'
import { Projection } from '../list-querystring.js'
import { describeBrackets, describeRightForm, parseScalar } from './describe-brackets.js'
import type { UrlParameters } from './describe-brackets.js'

/** The parameters of a list that has neither `query` nor `projection`. */
export interface PlainParameters {
  /** The texts that fields must equal, by the names of the parameters. */
  readonly equalities: ReadonlyMap<string, string>
  readonly projection: Projection
}

/** The name of a parameter that only bypasses caches. */
export const CACHE_BUSTER = '_'

/** JavaScript's text of an object that was not converted before it was put into a URL. */
const OBJECT_TEXT = '[object Object]'

/** The keys of a projection. */
const PROJECTION_PARTS: ReadonlySet<string> = new Set(Object.keys(Projection.properties))

/**
 * Parses plain parameters, the short form of `query` and `projection`: `limit`, `skip` and `sort`
 * belong to the projection, and any other parameter is an equality on a field. This function does not
 * check that the field exists.
 * @throws ParameterInvalid for a repeated or a bracketed parameter, an object that is not JSON, and a
 * wrong limit, skip or sort
 * @throws BoundExceeded for more bytes than a query may have
 */
export function parsePlainParameters(parameters: UrlParameters): PlainParameters {
  const equalities = new Map<string, string>()
  const projection: Projection = {}
  let bytes = 0
  for (const [name, given] of Object.entries(parameters)) {
    if (name === CACHE_BUSTER || given === undefined) continue
    if (name.includes('[')) throw new ParameterInvalid(describeBrackets(name, parameters))
    const text = readSingle(parameters, name) as string
    if (text === OBJECT_TEXT) {
      const right = describeRightForm(PROJECTION_PARTS.has(name) ? 'projection' : 'query')
      throw new ParameterInvalid(
        `${quote(name)} is an object that was not converted to JSON; send ${right}`,
      )
    }
    if (text.startsWith('{') && isJsonObject(parseIfJson(text))) {
      const right = `${PROJECTION_PARTS.has(name) ? 'projection' : 'query'}={${JSON.stringify(name)}:${text}}`
      throw new ParameterInvalid(
        `${quote(name)} is a JSON object, which no field equals; send ${right} encoded`,
      )
    }
    bytes += Buffer.byteLength(name) + Buffer.byteLength(text)
    if (isFlatName(name)) Object.assign(projection, { [name]: FLAT_PARAMETERS[name](text) })
    else equalities.set(name, text)
  }
  if (bytes > MAX_BYTES)
    throw new BoundExceeded(`plain parameters must have at most ${MAX_BYTES} bytes, not ${bytes}`)
  return { equalities, projection }
}

/**
 * Refuses `query` and `projection` in brackets, as some generated clients send them. Otherwise, they
 * would silently have no effect.
 * @throws ParameterInvalid
 */
export function refuseBrackets(parameters: UrlParameters): void {
  for (const name in parameters) {
    if (name.startsWith('query[') || name.startsWith('projection['))
      throw new ParameterInvalid(describeBrackets(name, parameters))
  }
}

/** Whether a text can be the dotted path of a field in a query. */
export const isFieldPath = (text: string): boolean =>
  text.split('.').every((each) => /^[^$]/.test(each) && !FORBIDDEN_NAMES.has(each))

/**
 * Returns the condition on a field: it equals the text, or also the number or boolean that the text
 * stands for in JSON.
 */
export function toEquality(text: string): Json {
  const value = parseScalar(text)
  return value === text ? text : { $in: [text, value] }
}

/** The parsers of flat parameters. A key of `projection` takes precedence over a flat parameter. */
const FLAT_PARAMETERS = {
  limit: (text: string) => parseInteger('limit', text, 1, MAX_LIMIT),
  skip: (text: string) => parseInteger('skip', text, 0, Infinity),
  sort: parseSort,
}

/** The parameters that stand for keys of `projection`. */
export const FLAT_NAMES = Object.keys(FLAT_PARAMETERS) as readonly (keyof typeof FLAT_PARAMETERS)[]

const isFlatName = (name: string): name is keyof typeof FLAT_PARAMETERS =>
  Object.hasOwn(FLAT_PARAMETERS, name)

/**
 * Parses a parameter that is given at most once.
 * @throws ParameterInvalid if it is repeated
 */
export function readSingle(parameters: UrlParameters, name: string): string | undefined {
  const given = parameters[name]
  if (given === undefined || typeof given === 'string') return given
  throw new ParameterInvalid(`${quote(name)} is given ${given.length} times; give it once`)
}

/**
 * Parses the flat parameters, and ignores all others.
 * @throws ParameterInvalid for a repeated parameter or a wrong value
 */
export function parseFlatParameters(parameters: UrlParameters): Projection {
  const given = FLAT_NAMES.flatMap((name) => {
    const text = readSingle(parameters, name)
    return text === undefined ? [] : [[name, FLAT_PARAMETERS[name](text)] as const]
  })
  return Object.fromEntries(given)
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

/** Returns a query of equalities by their paths. */
export const toQuery = (equalities: ReadonlyMap<string, string>): JsonObject =>
  Object.fromEntries([...equalities].map(([path, text]) => [path, toEquality(text)]))
