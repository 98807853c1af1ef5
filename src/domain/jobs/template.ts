import { BoundExceeded } from '../../errors.js'
import { isJsonObject } from '../../json/json.js'
import type { Json, JsonObject } from '../../json/json.js'

/** The largest number of parts that a template renders in one step of work. */
const MAX_PARTS = 50_000

/** The largest number of nested conditions. */
const MAX_DEPTH = 100

/** The largest number of characters of all rendered inputs of a job. */
export const MAX_RENDERED = 8 * 1024 * 1024

/**
 * Renders the part of Jinja that inputs of simulations use: values by their paths, `if` with a path,
 * `raw` and comments. An unknown value stays as written. A template with other constructs, or with too
 * many parts, is returned unchanged.
 * @param room the largest number of characters of the text
 * @throws BoundExceeded for a longer text
 */
export function renderTemplate(template: string, context: JsonObject, room: number): string {
  const state: State = { tokens: splitTokens(template), index: 0, depth: 0, room }
  if (state.tokens.length > MAX_PARTS) return template
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
  /** The number of conditions around the current token. */
  depth: number
  /** The number of remaining characters. */
  room: number
}

/** The ends of tags, values and comments by the second character of their starts. */
const ENDS: Readonly<Record<string, string>> = { '%': '%}', '{': '}}', '#': '#}' }

/**
 * Splits a template into tags, values, comments and the texts between them. It reads each character at
 * most twice: a pattern would search the rest of the text for each start without an end.
 */
function splitTokens(template: string): string[] {
  const tokens: string[] = []
  const missing = new Set<string>()
  let textStart = 0
  for (let start = template.indexOf('{'); start >= 0;) {
    const end = ENDS[template[start + 1] ?? '']
    const endStart = end === undefined || missing.has(end) ? -1 : template.indexOf(end, start + 2)
    if (end !== undefined && endStart < 0) missing.add(end)
    if (end !== undefined && endStart >= 0) {
      tokens.push(template.slice(textStart, start), template.slice(start, endStart + 2))
      textStart = endStart + 2
    }
    start = template.indexOf('{', Math.max(start + 1, textStart))
  }
  return [...tokens, template.slice(textStart)]
}

/** Renders up to one of the closing tags, which remains the next token. */
function render(state: State, context: JsonObject, closing: readonly string[]): string {
  let text = ''
  while (state.index < state.tokens.length) {
    const token = state.tokens[state.index] as string
    const tag = parseTag(token)
    if (tag !== undefined && closing.includes(tag.name)) return text
    state.index += 1
    text +=
      tag === undefined ? take(state, renderToken(token, context)) : renderTag(state, tag, context)
  }
  if (closing.length > 0) throw new UnsupportedTemplateError()
  return text
}

/** Returns a part of the text, and reduces the room. */
function take(state: State, part: string): string {
  state.room -= part.length
  if (state.room >= 0) return part
  throw new BoundExceeded(
    `the rendered inputs of a job must have at most ${MAX_RENDERED} characters; name large values less often`,
  )
}

interface Tag {
  readonly name: string
  readonly rest: string
}

function parseTag(token: string): Tag | undefined {
  if (!token.startsWith('{%') || !token.endsWith('%}')) return undefined
  const content = token.slice(2, -2).replace(/^-|-$/g, '').trim()
  const [name = '', ...rest] = content.split(/\s+/)
  return { name, rest: rest.join(' ') }
}

function renderToken(token: string, context: JsonObject): string {
  if (token.startsWith('{#') && token.endsWith('#}')) return ''
  if (!token.startsWith('{{') || !token.endsWith('}}')) return token
  const value = findValue(context, token.slice(2, -2).trim())
  return value === undefined || typeof value === 'object' ? token : String(value)
}

function renderTag(state: State, { name, rest }: Tag, context: JsonObject): string {
  if (name === 'raw') return renderRaw(state)
  if (name === 'if') return renderIf(state, rest, context)
  throw new UnsupportedTemplateError()
}

function renderRaw(state: State): string {
  let text = ''
  while (state.index < state.tokens.length) {
    const token = state.tokens[state.index++] as string
    if (parseTag(token)?.name === 'endraw') return text
    text += take(state, token)
  }
  throw new UnsupportedTemplateError()
}

function renderIf(state: State, path: string, context: JsonObject): string {
  if (!PATH.test(path) || state.depth === MAX_DEPTH) throw new UnsupportedTemplateError()
  state.depth += 1
  const isTrue = Boolean(findValue(context, path))
  const first = render(state, context, ['else', 'endif'])
  const isElse = parseTag(state.tokens[state.index++] as string)?.name === 'else'
  const second = isElse ? render(state, context, ['endif']) : ''
  if (isElse) state.index += 1
  state.depth -= 1
  return isTrue ? first : second
}

const PATH = /^[\w.]+$/

function findValue(context: JsonObject, path: string): Json | undefined {
  if (!PATH.test(path)) return undefined
  let value: Json | undefined = context
  for (const key of path.split('.'))
    value = isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
  return value
}
