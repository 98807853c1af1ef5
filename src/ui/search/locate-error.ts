import type { ErrorDetail } from '../http/send.js'
import { scanJson } from '../json/scan-json.js'
import type { ComposedList, ComposedParameter, JsonInput } from './compose-list.js'

/** A message of the server at its place in an input. */
export interface LocatedError {
  readonly message: string
  /** The input that is wrong; undefined if the message names none. */
  readonly input: JsonInput | undefined
  /** The place in the text of the input. */
  readonly start: number
  readonly end: number
}

/**
 * Finds the place that a failure of a list is about: the line and column of text that is no JSON, the
 * JSON Pointer of a detail, or the path that the message starts with.
 */
export function locateErrors(
  message: string,
  details: readonly ErrorDetail[],
  list: ComposedList,
): LocatedError[] {
  if (details.length === 0) return [locate(message, undefined, list[parameterOf(message)])]
  return details.map((detail) =>
    locate(detail.message, detail.path, list[parameterOf(detail.message)]),
  )
}

/** A name that is not known starts a message about the projection: `query` knows every name. */
const parameterOf = (message: string): 'query' | 'projection' =>
  /^(?:"|projection\b)/.test(message) ? 'projection' : 'query'

function locate(
  message: string,
  pointer: string | undefined,
  parameter: ComposedParameter | undefined,
): LocatedError {
  const spans = parameter === undefined ? [] : findSpans(message, pointer, parameter.text)
  for (const span of spans) {
    const origin = parameter?.origins.find(
      ({ start, length }) => span.start >= start && span.start <= start + length,
    )
    if (origin === undefined) continue
    const end = Math.min(span.end - origin.start, origin.length)
    return { message, input: origin.input, start: span.start - origin.start, end }
  }
  const [only] = parameter?.origins.length === 1 ? parameter.origins : []
  return { message, input: only?.input, start: 0, end: 0 }
}

interface Span {
  readonly start: number
  readonly end: number
}

/** Returns the places that a message can mean, the best one first. */
function findSpans(message: string, pointer: string | undefined, text: string): Span[] {
  const position = /line (\d+), column (\d+)/.exec(message)
  if (position !== null) {
    const lines = text.split('\n').slice(0, Number(position[1]) - 1)
    const start = lines.reduce((sum, line) => sum + line.length + 1, 0) + Number(position[2]) - 1
    return [{ start, end: start + 1 }]
  }
  const isNamed = (path: readonly (string | number)[]): boolean =>
    pointer === undefined
      ? startsWithPath(message, formatPath(path))
      : `/${path.join('/')}` === pointer
  return scanJson(text)
    .filter(({ path }) => path.length > 0 && isNamed(path))
    .toSorted(
      (a, b) =>
        b.path.length - a.path.length || Number(b.kind === 'key') - Number(a.kind === 'key'),
    )
}

/** Formats a path as the server's messages do: `.formula.$in[1]`. */
const formatPath = (path: readonly (string | number)[]): string =>
  path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('')

const startsWithPath = (message: string, path: string): boolean => {
  const [, rest = ''] = /^(?:query|projection)(.*)$/s.exec(message) ?? []
  return rest.startsWith(path) && !/^[\w$]/.test(rest.slice(path.length))
}
