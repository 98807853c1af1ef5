import type { ErrorDetail } from '../http/send.js'
import { scanJson } from './json-text.js'

/** A message at its place in a text. */
export interface TextError {
  readonly message: string
  readonly start: number
  /** The offset behind the place; the start, if none is known. */
  readonly end: number
}

/** A place in a text. */
export interface Span {
  readonly start: number
  readonly end: number
}

/**
 * Finds the places in a JSON text that messages about it mean: one for each detail.
 * @param item the index of the item that the messages are about, if the text is a list
 */
export function locateInJson(
  text: string,
  message: string,
  details: readonly ErrorDetail[],
  item?: number,
): TextError[] {
  const all = details.length === 0 ? [{ path: undefined, message }] : details
  return all.map((each) => {
    const [span = { start: 0, end: 0 }] = findSpans(each.message, each.path, text, item)
    return { message: each.message, ...span }
  })
}

/**
 * Returns the places that a message can mean, the best place first: the line and column of malformed
 * JSON, the JSON Pointer of a detail, the path at the start of the message, or the unknown key.
 */
export function findSpans(
  message: string,
  pointer: string | undefined,
  text: string,
  item?: number,
): Span[] {
  const position = /line (\d+),? column (\d+)/.exec(message)
  if (position !== null) {
    const lines = text.split('\n').slice(0, Number(position[1]) - 1)
    const start = lines.reduce((sum, line) => sum + line.length + 1, 0) + Number(position[2]) - 1
    return [{ start, end: start + 1 }]
  }
  const [, unknown] = /^("(?:[^"\\]|\\.)*") is not known/.exec(message) ?? []
  const isNamed = (path: readonly (string | number)[]): boolean =>
    unknown !== undefined
      ? JSON.stringify(path.at(-1)) === unknown
      : pointer === undefined
        ? startsWithPath(message, path)
        : `/${path.join('/')}` === pointer
  return scanJson(text)
    .filter(({ path }) => item === undefined || path[0] === item)
    .map((part) => ({ ...part, path: item === undefined ? part.path : part.path.slice(1) }))
    .filter(
      ({ path, kind }) =>
        path.length > 0 && (unknown === undefined || kind === 'key') && isNamed(path),
    )
    .toSorted(
      (a, b) =>
        b.path.length - a.path.length || Number(b.kind === 'key') - Number(a.kind === 'key'),
    )
}

/** Whether a message starts with a path: as `query.formula.$in[1]`, or as `tags.1` for a body. */
function startsWithPath(message: string, path: readonly (string | number)[]): boolean {
  const [, parameter, rest = ''] = /^(query|projection|)(.*)$/s.exec(message) ?? []
  const text =
    parameter === ''
      ? path.join('.')
      : path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('')
  return rest.startsWith(text) && !/^[\w$]/.test(rest.slice(text.length))
}
