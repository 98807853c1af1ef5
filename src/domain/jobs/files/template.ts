import { isJsonObject } from '../../../json/json.js'
import type { Json, JsonObject } from '../../../json/json.js'

/** The number of parts that a template may render, so that loops in loops end soon. */
const MAX_PARTS = 50_000

const TOKEN = /(\{%-?[\s\S]*?-?%\}|\{\{[\s\S]*?\}\}|\{#[\s\S]*?#\})/

/**
 * Renders the part of Jinja that inputs of simulations use: values by their paths, `for` over arrays,
 * `if` with a path, `raw` and comments. A value that is not known stays as it is written. A template
 * with anything else, or that renders too many parts, is returned as it is.
 */
export function renderTemplate(template: string, context: JsonObject): string {
  const state: State = { tokens: template.split(TOKEN), index: 0, parts: 0 }
  try {
    return render(state, context, [])
  } catch (error) {
    if (error instanceof UnsupportedTemplateError) return template
    throw error
  }
}

class UnsupportedTemplateError extends Error {}

interface State {
  readonly tokens: readonly string[]
  index: number
  parts: number
}

/** Renders up to one of the closing tags, which stays the next token. */
function render(state: State, context: JsonObject, closing: readonly string[]): string {
  let text = ''
  while (state.index < state.tokens.length) {
    const token = state.tokens[state.index] as string
    const tag = parseTag(token)
    if (tag !== undefined && closing.includes(tag.name)) return text
    state.index += 1
    state.parts += 1
    if (state.parts > MAX_PARTS) throw new UnsupportedTemplateError()
    text += tag === undefined ? renderToken(token, context) : renderTag(state, tag, context)
  }
  if (closing.length > 0) throw new UnsupportedTemplateError()
  return text
}

interface Tag {
  readonly name: string
  readonly rest: string
}

function parseTag(token: string): Tag | undefined {
  if (!token.startsWith('{%')) return undefined
  const [name = '', ...rest] = token.replace(/^\{%-?\s*|\s*-?%\}$/g, '').split(/\s+/)
  return { name, rest: rest.join(' ') }
}

function renderToken(token: string, context: JsonObject): string {
  if (token.startsWith('{#')) return ''
  if (!token.startsWith('{{')) return token
  const value = findValue(context, token.slice(2, -2).trim())
  return value === undefined || typeof value === 'object' ? token : String(value)
}

function renderTag(state: State, { name, rest }: Tag, context: JsonObject): string {
  if (name === 'raw') return renderRaw(state)
  if (name === 'if') return renderIf(state, rest, context)
  if (name === 'for') return renderFor(state, rest, context)
  throw new UnsupportedTemplateError()
}

function renderRaw(state: State): string {
  let text = ''
  while (state.index < state.tokens.length) {
    const token = state.tokens[state.index++] as string
    if (parseTag(token)?.name === 'endraw') return text
    text += token
  }
  throw new UnsupportedTemplateError()
}

function renderIf(state: State, path: string, context: JsonObject): string {
  if (!PATH.test(path)) throw new UnsupportedTemplateError()
  const value = findValue(context, path)
  const isTrue = Array.isArray(value) ? value.length > 0 : Boolean(value)
  const first = render(state, context, ['else', 'endif'])
  const isElse = parseTag(state.tokens[state.index++] as string)?.name === 'else'
  if (!isElse) return isTrue ? first : ''
  const second = render(state, context, ['endif'])
  state.index += 1
  return isTrue ? first : second
}

function renderFor(state: State, rest: string, context: JsonObject): string {
  const [, name = '', path = ''] = /^(\w+) in ([\w.]+)$/.exec(rest) ?? []
  const values = findValue(context, path)
  if (!Array.isArray(values)) throw new UnsupportedTemplateError()
  const start = state.index
  let text = ''
  for (const value of values.length === 0 ? [null] : values) {
    state.index = start
    const part = render(state, { ...context, [name]: value as Json }, ['endfor'])
    if (values.length > 0) text += part
  }
  state.index += 1
  return text
}

const PATH = /^[\w.]+$/

function findValue(context: JsonObject, path: string): Json | undefined {
  if (!PATH.test(path)) return undefined
  let value: Json | undefined = context
  for (const key of path.split('.'))
    value = isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
  return value
}
