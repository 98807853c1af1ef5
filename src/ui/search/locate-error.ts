import type { ErrorDetail } from '../http/send.js'
import type { JsonParameter } from '../json/complete-json.js'
import { findSpans } from '../json/locate-in-json.js'
import type { TextError } from '../json/locate-in-json.js'
import type { ComposedList, ComposedParameter } from './compose-list.js'

/** A message of the server at its place in an input. */
export interface LocatedError extends TextError {
  /** The wrong input; undefined if the message names no input. */
  readonly input: JsonParameter | undefined
}

/**
 * Finds the place of a list's failure: the line and column of malformed JSON, the JSON Pointer of a
 * detail, or the path at the start of the message.
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

/** An unknown name at the start of a message is about the projection, because `query` accepts every name. */
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
