import { BoundExceeded, valueAt } from '@materials-mock/json'
import type { Json, JsonObject } from '@materials-mock/json'

/** The largest number of parts that a template renders in one step of work. */
const MAX_PARTS = 50_000

/** The largest number of characters of all rendered inputs of a job. */
export const MAX_RENDERED = 8 * 1024 * 1024

/**
 * Renders the part of Jinja that inputs use: paths, `if` with a path, `raw` and comments. Unknown
 * values stay as written; other constructs, or too many parts, leave all unchanged.
 * @param room the largest number of characters of the text
 * @throws BoundExceeded
 */
export function renderTemplate(template: string, context: JsonObject, room: number): string {
  const tokens = splitTokens(template)
  if (tokens.length > MAX_PARTS) return template
  /** The conditions around the current token, the innermost last. */
  const conditions: Condition[] = []
  let isRaw = false
  let text = ''
  for (const token of tokens) {
    const tag = parseTag(token)
    const condition = conditions.at(-1)
    const isShown = condition === undefined || isTextShown(condition)
    if (tag === undefined || (isRaw && tag.name !== 'endraw')) {
      if (isShown) text += isRaw ? token : renderToken(token, context)
      if (text.length > room) throw new BoundExceeded(TOO_LONG)
    } else if (tag.name === 'raw' || (tag.name === 'endraw' && isRaw)) {
      isRaw = !isRaw
    } else if (tag.name === 'if' && PATH.test(tag.rest)) {
      const isTrue = Boolean(findValue(context, tag.rest))
      conditions.push({ isReached: isShown, isTrue, hasElse: false })
    } else if (tag.name === 'else' && condition?.hasElse === false) {
      condition.hasElse = true
    } else if (tag.name !== 'endif' || conditions.pop() === undefined) {
      return template
    }
  }
  return isRaw || conditions.length > 0 ? template : text
}

const TOO_LONG = `the rendered inputs of a job must have at most ${MAX_RENDERED} characters; name large values less often`

/** A condition whose end is not yet read. */
interface Condition {
  /** Whether the text around it is shown. */
  readonly isReached: boolean
  readonly isTrue: boolean
  hasElse: boolean
}

const isTextShown = ({ isReached, isTrue, hasElse }: Condition): boolean =>
  isReached && isTrue !== hasElse

/** The ends of tags, values and comments by the second character of their starts. */
const ENDS: Readonly<Record<string, string>> = { '%': '%}', '{': '}}', '#': '#}' }

/** Reads each character at most twice: a pattern would search the rest for each unended start. */
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

const PATH = /^[\w.]+$/

const findValue = (context: JsonObject, path: string): Json | undefined =>
  PATH.test(path) ? valueAt(context, path.split('.')) : undefined
