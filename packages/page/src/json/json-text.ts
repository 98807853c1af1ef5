import { parseTree } from 'jsonc-parser'
import type { JSONPath, Node } from 'jsonc-parser'

import { locateDuplicateKey, locateJsonError } from '@materials-mock/json'
import type { Json } from '@materials-mock/json'
import type { ErrorDetail } from '../http/send.js'

/**
 * As the server does.
 * @throws SyntaxError with the place, also of a key that is there twice
 */
export function parseJson(text: string): Json {
  let value: Json
  try {
    value = JSON.parse(text)
  } catch {
    throw new SyntaxError(locateJsonError(text))
  }
  const twice = locateDuplicateKey(text)
  if (twice === undefined) return value
  const { key, line, column } = twice
  throw new SyntaxError(
    `line ${line}, column ${column}: the key ${JSON.stringify(key)} is there twice; name it once`,
  )
}

/** The longest line that has a whole array or object, without its indent. */
const MAX_LINE = 72

/** Formats a value as JSON with two spaces an indent. A short array of plain values is one line. */
export function formatJson(value: unknown, indent = ''): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const isList = Array.isArray(value)
  const entries = isList
    ? value.map((each: unknown) => ['', each] as const)
    : Object.entries(value).filter(([, each]) => each !== undefined)
  if (entries.length === 0) return isList ? '[]' : '{}'
  const [open, close] = isList ? '[]' : '{}'
  const inner = `${indent}  `
  const lines = entries.map(
    ([key, each]) => (isList ? '' : `${JSON.stringify(key)}: `) + formatJson(each, inner),
  )
  const line = isList ? `[${lines.join(', ')}]` : `{ ${lines.join(', ')} }`
  const isFlat = isList || indent !== ''
  if (isFlat && entries.every(([, each]) => isPlain(each)) && line.length <= MAX_LINE) return line
  return `${open}\n${lines.map((each) => inner + each).join(',\n')}\n${indent}${close}`
}

/** Whether a value is a scalar, or a list of numbers, such as a position. */
const isPlain = (value: unknown): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (Array.isArray(value) && value.every((each) => typeof each === 'number'))

export interface TextError {
  readonly message: string
  readonly start: number
  /** The offset behind the place; the start, if none is known. */
  readonly end: number
}

interface Span {
  readonly start: number
  readonly end: number
}

interface JsonPart extends Span {
  /** The keys and indexes that lead to the value. A key has the path of its value. */
  readonly path: JSONPath
  readonly isKey: boolean
}

/** Lists the keys and values of a JSON text, which can be incomplete while it is being typed. */
export function listParts(text: string): JsonPart[] {
  const root = parseTree(text)
  return root === undefined ? [] : listPartsOf(root, [])
}

function listPartsOf({ type, offset, length, children = [] }: Node, path: JSONPath): JsonPart[] {
  const part = { path, isKey: false, start: offset, end: offset + length }
  if (type === 'array')
    return [part, ...children.flatMap((child, index) => listPartsOf(child, [...path, index]))]
  const properties = children.flatMap(({ children: [key, value] = [] }): JsonPart[] => {
    if (key === undefined) return []
    const inner = [...path, key.value as string]
    const start = key.offset
    return [
      { path: inner, isKey: true, start, end: start + key.length },
      ...(value === undefined ? [] : listPartsOf(value, inner)),
    ]
  })
  return [part, ...properties]
}

/**
 * One for each.
 * @param item the index of the item with the mistakes, if the text is a list
 */
export const locateInJson = (
  text: string,
  details: readonly ErrorDetail[],
  item?: number,
): TextError[] =>
  details.map(({ path, message }) => {
    const [span = { start: 0, end: 0 }] = findSpans(message, path, text, item)
    return { message, ...span }
  })

/**
 * The best first: line and column, a detail's JSON Pointer, a path at the start, an unknown key.
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
  const isNamed = (path: JSONPath): boolean =>
    unknown !== undefined
      ? JSON.stringify(path.at(-1)) === unknown
      : pointer === undefined
        ? startsWithPath(message, path)
        : `/${path.join('/')}` === pointer
  return listParts(text)
    .filter(({ path }) => item === undefined || path[0] === item)
    .map((part) => ({ ...part, path: item === undefined ? part.path : part.path.slice(1) }))
    .filter(
      ({ path, isKey }) => path.length > 0 && (unknown === undefined || isKey) && isNamed(path),
    )
    .toSorted((a, b) => b.path.length - a.path.length || Number(b.isKey) - Number(a.isKey))
}

/** Whether a message starts with a path: as `query.formula.$in[1]`, or as `tags.1` for a body. */
function startsWithPath(message: string, path: JSONPath): boolean {
  const [, parameter, rest = ''] = /^(query|projection|advancedSearches|)(.*)$/s.exec(message) ?? []
  const text =
    parameter === ''
      ? path.join('.')
      : path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('')
  return rest.startsWith(text) && !/^[\w$]/.test(rest.slice(text.length))
}
