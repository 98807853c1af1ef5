import { isJsonObject, parseDecimal } from './json.js'
import type { Json, JsonObject } from './json.js'
import { quote } from './quote.js'

export interface ConvertedJson {
  readonly value: Json
  readonly count: number
}

/** The error of a value that has no counterpart in JSON, or that is malformed. */
export class ExtendedJsonError extends Error {
  /** The keys and array positions on the way to the value. */
  readonly keys: readonly (string | number)[]

  constructor(message: string, keys: readonly (string | number)[]) {
    super(message)
    this.keys = keys
  }
}

/** Levels below this one are not converted. No item may have as many. */
const MAX_DEPTH = 200

/** Whether a JSON text may have a value that `convertExtendedJson` converts: most texts have none. */
export const mayBeExtendedJson = (text: string): boolean => text.includes('"$')

/** The number of values that are converted in a step. They take a few ms. */
const STEP_LENGTH = 4096

/**
 * Converts MongoDB's Extended JSON, canonical and relaxed, and Meteor's dates
 * (https://www.mongodb.com/docs/manual/reference/mongodb-extended-json/), in steps: `$oid` to hex,
 * `$date` to ISO 8601 with ms and `Z`. A value with nothing to convert is returned itself.
 * @throws ExtendedJsonError for what JSON can't hold, and for an object with a key of Extended JSON
 * that is not of its form
 */
export function* convertExtendedJson(value: Json): Generator<void, ConvertedJson, void> {
  let count = 0
  let visited = 0
  const path: (string | number)[] = []

  function* convert(part: Json, key?: string | number): Generator<void, Json, void> {
    if (!isContainer(part) || path.length === MAX_DEPTH) return part
    if (key !== undefined) path.push(key)
    const keys = Object.keys(part)
    const type = Array.isArray(part) ? undefined : keys.find((each) => FORMS.has(each))
    const converted =
      type === undefined ? yield* convertFields(part, keys) : convertTyped(type, part)
    if (key !== undefined) path.pop()
    return converted
  }

  function* convertFields(
    container: Container,
    keys: readonly string[],
  ): Generator<void, Json, void> {
    const isArray = Array.isArray(container)
    let copy: Record<string, Json> | undefined
    for (const key of keys) {
      visited += 1
      if (visited % STEP_LENGTH === 0) yield
      const field = (container as JsonObject)[key] as Json
      const converted = isContainer(field)
        ? yield* convert(field, isArray ? Number(key) : key)
        : field
      if (converted === field) continue
      copy ??= (isArray ? [...container] : { ...container }) as Record<string, Json>
      copy[key] = converted
    }
    return copy ?? container
  }

  function convertTyped(type: string, object: Container): Json {
    count += 1
    const form = FORMS.get(type)
    if (form === undefined)
      throw new ExtendedJsonError(`is MongoDB's ${type}, which JSON can't hold`, [...path])
    const other = Object.keys(object).find((key) => key !== type)
    const converted = other === undefined ? form.convert((object as JsonObject)[type]!) : undefined
    if (converted !== undefined) return converted
    const problem =
      other === undefined
        ? `not ${quote((object as JsonObject)[type])}`
        : `and no other key, such as ${quote(other)}`
    throw new ExtendedJsonError(`must have ${form.expected} as ${type}, ${problem}`, [...path])
  }

  return { value: yield* convert(value), count }
}

type Container = readonly Json[] | JsonObject

const isContainer = (value: Json): value is Container => typeof value === 'object' && value !== null

interface Form {
  readonly expected: string
  /** Returns the value in JSON; undefined for a malformed value, and for one that JSON can't hold. */
  readonly convert: (value: Json) => Json | undefined
}

function toInteger(value: Json): number | undefined {
  const number = typeof value === 'string' && /^-?\d{1,19}$/.test(value) ? Number(value) : NaN
  return Number.isSafeInteger(number) ? number : undefined
}

const toDouble = (value: Json): number | undefined =>
  typeof value === 'string' ? parseDecimal(value) : undefined

const toHex = (value: Json): string | undefined =>
  typeof value === 'string' && /^[\da-f]{24}$/i.test(value) ? value : undefined

/** A time in ISO 8601. mongoexport of MongoDB 4.0 and earlier writes a zone without a colon. */
const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)$/

/** Returns the text of a time: an ISO text, or ms since the epoch as a number (Meteor) or as a `$numberLong`. */
function toIsoText(value: Json): string | undefined {
  const isLong = isJsonObject(value) && Object.keys(value).join() === '$numberLong'
  const time = isLong ? toInteger(value.$numberLong!) : value
  if (typeof time !== 'number' && !(typeof time === 'string' && ISO_TIME.test(time)))
    return undefined
  const date = new Date(time)
  return Number.isNaN(date.getTime()) || !isDay(time) ? undefined : date.toISOString()
}

/** Whether a month has the day that a text of a time begins with: for `Date`, February 30 is March 1. */
function isDay(time: string | number): boolean {
  const day = String(time).slice(0, 10)
  return typeof time === 'number' || new Date(`${day}T00:00Z`).toISOString().startsWith(day)
}

/** The types by their keys. JSON has no counterpart for those without a form. */
const FORMS: ReadonlyMap<string, Form | undefined> = new Map<string, Form | undefined>([
  ['$oid', { expected: '24 hexadecimal digits', convert: toHex }],
  ['$date', { expected: 'a time in ISO 8601 or in ms', convert: toIsoText }],
  ['$numberInt', { expected: 'the text of an integer', convert: toInteger }],
  ['$numberLong', { expected: 'the text of an integer up to 2^53', convert: toInteger }],
  ['$numberDouble', { expected: 'the text of a finite number', convert: toDouble }],
  ['$numberDecimal', { expected: 'the text of a finite number', convert: toDouble }],
  ['$binary', undefined],
  ['$code', undefined],
  ['$dbPointer', undefined],
  ['$maxKey', undefined],
  ['$minKey', undefined],
  ['$regularExpression', undefined],
  ['$symbol', undefined],
  ['$timestamp', undefined],
  ['$undefined', undefined],
  ['$uuid', undefined],
])
