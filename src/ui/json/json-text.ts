/** A part of a JSON text with its place. */
export interface JsonPart {
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
