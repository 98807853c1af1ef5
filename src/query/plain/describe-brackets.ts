import { quote } from '../../json/quote.js'

/** The URL parameters of a request; an array for a repeated one. */
export type UrlParameters = Readonly<Record<string, string | readonly string[] | undefined>>

/** The longest value that a message shows, in characters. */
const MAX_SHOWN = 200

/** A value as it must be sent, for messages: `query=%7B%22formula%22%3A%22Si%22%7D`. */
export const describeEncoding = (name: string, value: unknown): string =>
  `${name}=${encodeURIComponent(JSON.stringify(value))}`

/** The examples of a message if the intended value is unknown. */
const EXAMPLES = {
  query: { formula: 'Si' },
  projection: { limit: 2 },
  advancedSearches: [{ formula: 'Si' }],
  order: [{ method: 'POST' }, { method: 'GET' }],
}

/** A value as it must be sent, encoded and as it is. Without a value, an example. */
export const describeRightForm = (
  name: keyof typeof EXAMPLES,
  value: object = EXAMPLES[name],
): string => `${describeEncoding(name, value)}, which is ${name}=${JSON.stringify(value)} encoded`

/** Returns the message for a parameter in brackets, such as `query[formula]=Si`. */
export function describeBrackets(name: string, parameters: UrlParameters): string {
  const [root = ''] = name.split('[')
  const isPart = root === 'sort' || root === 'fields'
  const shown = isPart || root === 'projection' ? 'projection' : 'query'
  const read = isPart || root === shown ? readBrackets(root, parameters) : undefined
  const meant = isPart && read !== undefined ? { [root]: read } : read
  const isShort = meant !== undefined && JSON.stringify(meant).length <= MAX_SHOWN
  return `${quote(name)} is not a parameter; send JSON without brackets: ${describeRightForm(shown, isShort ? meant : undefined)}`
}

/** Builds the object from all parameters in brackets with the same root. */
function readBrackets(root: string, parameters: UrlParameters): object | undefined {
  const meant: Nested = new Map()
  for (const [name, text] of Object.entries(parameters)) {
    const keys = [...name.slice(root.length).matchAll(/\[([^[\]]+)\]/g)].map(([, key = '']) => key)
    if (name.split('[')[0] !== root || name === root) continue
    if (typeof text !== 'string' || name !== `${root}${keys.map((key) => `[${key}]`).join('')}`)
      return undefined
    if (!setNested(meant, keys, parseScalar(text))) return undefined
  }
  return toObject(meant)
}

type Nested = Map<string, unknown>

/** Sets a nested value. Returns false if its parent is not an object. */
function setNested(nested: Nested, keys: readonly string[], value: unknown): boolean {
  const [key = '', ...rest] = keys
  if (rest.length === 0) {
    nested.set(key, value)
    return true
  }
  const child = nested.get(key) ?? new Map<string, unknown>()
  nested.set(key, child)
  return child instanceof Map && setNested(child as Nested, rest, value)
}

/** Returns an object, or an array for the keys 0, 1, 2 and so on. */
function toObject(nested: Nested): object {
  const entries = [...nested].map(([key, value]): [string, unknown] => [
    key,
    value instanceof Map ? toObject(value as Nested) : value,
  ])
  const isArray = entries.length > 0 && entries.every(([key], index) => key === `${index}`)
  return isArray ? entries.map(([, value]) => value) : Object.fromEntries(entries)
}

/** Parses a text as a number or boolean of JSON; returns any other text unchanged. */
export function parseScalar(text: string): string | number | boolean {
  if (text === 'true' || text === 'false') return text === 'true'
  const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text) ? Number(text) : NaN
  return Number.isFinite(number) ? number : text
}
