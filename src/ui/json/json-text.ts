import type { ErrorDetail } from '../http/send.js'

/** A part of a JSON text with its place. */
interface JsonPart {
  /** The keys and indexes that lead to the value. A key has the path of its value. */
  readonly path: readonly (string | number)[]
  readonly kind: 'key' | 'value'
  readonly start: number
  /** The offset behind the part; for an object or array, behind its bracket, or the end of the text. */
  readonly end: number
  /** Whether the part is a key or a scalar. */
  readonly isLeaf: boolean
}

/** A container that the scanner is in. */
interface Container {
  readonly path: readonly (string | number)[]
  readonly start: number
  readonly isArray: boolean
  index: number
  key: string | undefined
}

const TOKEN = /"(?:[^"\\\n]|\\.)*"?|[{}[\]:,]|[^\s"{}[\]:,]+/g

/** Finds the keys and values of a JSON text, which can be incomplete or malformed while it is being typed. */
export function scanJson(text: string): JsonPart[] {
  const parts: JsonPart[] = []
  const open: Container[] = []
  for (const { 0: token, index: start } of text.matchAll(TOKEN)) {
    const container = open.at(-1)
    const end = start + token.length
    if (token === '{' || token === '[') {
      open.push({
        path: pathOf(container),
        start,
        isArray: token === '[',
        index: 0,
        key: undefined,
      })
    } else if (token === '}' || token === ']') {
      const closed = open.pop()
      if (closed !== undefined) parts.push(toPart(closed, end))
    } else if (token === ',') {
      if (container !== undefined) {
        container.index += 1
        container.key = undefined
      }
    } else if (token !== ':') {
      const isKey = container !== undefined && !container.isArray && container.key === undefined
      if (isKey) container.key = unquote(token)
      parts.push({
        path: pathOf(container),
        kind: isKey ? 'key' : 'value',
        start,
        end,
        isLeaf: true,
      })
    }
  }
  for (const each of open) parts.push(toPart(each, text.length))
  return parts.toSorted((a, b) => a.start - b.start)
}

const toPart = ({ path, start }: Container, end: number): JsonPart => ({
  path,
  kind: 'value',
  start,
  end,
  isLeaf: false,
})

function pathOf(container: Container | undefined): readonly (string | number)[] {
  if (container === undefined) return []
  return [...container.path, container.isArray ? container.index : (container.key ?? '')]
}

/**
 * Parses a JSON text as the server does.
 * @throws SyntaxError for malformed JSON, and for an object that has a key twice
 */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text)
  const paths = new Set<string>()
  for (const { path, kind, start } of scanJson(text)) {
    if (kind !== 'key') continue
    const place = JSON.stringify(path)
    if (paths.has(place)) {
      const before = text.slice(0, start).split('\n')
      throw new SyntaxError(
        `line ${before.length}, column ${(before.at(-1) ?? '').length + 1}: the key ${JSON.stringify(path.at(-1))} is there twice; name it once`,
      )
    }
    paths.add(place)
  }
  return value
}

/** Returns the text of a string that can lack its closing quote. */
export function unquote(token: string): string {
  try {
    return JSON.parse(token) as string
  } catch {
    return token.replace(/^"|"$/g, '')
  }
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

/** A message at its place in a text. */
export interface TextError {
  readonly message: string
  readonly start: number
  /** The offset behind the place; the start, if none is known. */
  readonly end: number
}

/** A place in a text. */
interface Span {
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
  const [, parameter, rest = ''] = /^(query|projection|advancedSearches|)(.*)$/s.exec(message) ?? []
  const text =
    parameter === ''
      ? path.join('.')
      : path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('')
  return rest.startsWith(text) && !/^[\w$]/.test(rest.slice(text.length))
}
