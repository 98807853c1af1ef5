import { readCharacter, readSet } from './escapes.js'
import { caseVariants, literal, PatternRefused } from './part.js'
import { type Reader } from './reader.js'

/** POSIX's named sets, in ASCII (https://www.pcre.org/current/doc/html/pcre2pattern.html#SEC10). */
const posix = new Map([
  ['alnum', '0-9A-Za-z'],
  ['alpha', 'A-Za-z'],
  ['ascii', '\\0-\\x7f'],
  ['blank', '\\t '],
  ['cntrl', '\\0-\\x1f\\x7f'],
  ['digit', '0-9'],
  ['graph', '!-~'],
  ['lower', 'a-z'],
  ['print', ' -~'],
  ['punct', '!-\\/:-@\\[-`\\{-~'],
  ['space', '\\t-\\r '],
  ['upper', 'A-Z'],
  ['word', '0-9A-Z_a-z'],
  ['xdigit', '0-9A-Fa-f'],
])

/** A translated class: its inside, and whether it is of one case even where case does not count. */
export interface CharacterClass {
  readonly source: string
  readonly keepsCase: boolean
}

/** One thing in a class: a character, which may begin a range, or a set, which may not. */
type Item = { readonly char: string } | { readonly set: string; readonly keepsCase: boolean }

/** What case means in a class: it counts, or not, or each letter is to be spelled out in both. */
export type CaseRule = 'counts' | 'ignored' | 'spelled'

/** Reads a class after its `[`. */
export function readClass(reader: Reader, rule: CaseRule): CharacterClass {
  const negated = reader.accept('^')
  let source = ''
  let keepsCase = false
  let first = true
  let quoted = false
  for (;;) {
    if (reader.ended) throw new PatternRefused('has a [ that is not closed')
    if (quoted ? reader.accept('\\E') : reader.accept('\\Q')) {
      quoted = !quoted
      continue
    }
    if (!quoted && reader.accept('\\E')) continue
    // A bracket that comes first stands for itself.
    if (!quoted && !first && reader.accept(']')) break
    first = false
    const item = quoted ? { char: reader.take() } : readItem(reader, rule)
    if ('set' in item) {
      refuseRangeOf(reader)
      source += item.set
      keepsCase ||= item.keepsCase
      continue
    }
    const last = quoted ? undefined : readRangeEnd(reader, rule)
    source += rangeSource(item.char, last ?? item.char, rule)
  }
  return { source: `[${negated ? '^' : ''}${source}]`, keepsCase }
}

function readItem(reader: Reader, rule: CaseRule): Item {
  const named = reader.match(/\[([:.=])(\^?)([\w<>]*)\1\]/y)
  if (named !== undefined) return posixItem(named, rule)
  if (!reader.accept('\\')) return { char: reader.take() }
  const set = readSet(reader)
  if (set !== undefined) return { set: inside(set.set, set.negated), keepsCase: set.keepsCase }
  if (reader.accept('b')) return { char: '\b' }
  return { char: readCharacter(reader) }
}

function posixItem([text, kind, caret, name]: RegExpExecArray, rule: CaseRule): Item {
  const isCase = name === 'lower' || name === 'upper'
  const known = rule !== 'counts' && isCase ? 'alpha' : (name as string)
  const set = kind === ':' ? posix.get(known) : undefined
  if (set === undefined) throw new PatternRefused(`has the unknown class ${text}`)
  return { set: inside(set, caret === '^'), keepsCase: false }
}

/** A set inside a class; a complement there has to be written out, unless it has an escape. */
function inside(set: string, negated: boolean): string {
  if (!negated) return set
  if (set === '\\w') return '\\W'
  if (set.startsWith('\\p')) return `\\P${set.slice(2)}`
  return complement(set)
}

/** The characters that are not in a set, as ranges. */
function complement(set: string): string {
  const member = new RegExp(`[${set}]`, 'u')
  let ranges = ''
  let start = 0
  // The sets end below U+3001.
  for (let code = 0; code <= 0x3001; code += 1) {
    if (!member.test(String.fromCodePoint(code))) continue
    if (code > start) ranges += `${hex(start)}-${hex(code - 1)}`
    start = code + 1
  }
  return `${ranges}${hex(start)}-\\u{10ffff}`
}

const hex = (code: number): string => `\\u{${code.toString(16)}}`

function refuseRangeOf(reader: Reader): void {
  if (reader.sees(/-(?!\])/y)) {
    throw new PatternRefused('has a range that begins with a set of characters')
  }
}

/** The last character of a range, where a hyphen follows that does not end the class. */
function readRangeEnd(reader: Reader, rule: CaseRule): string | undefined {
  if (reader.match(/-(?!\]|\\[QE]|$)/y) === undefined) return undefined
  const item = readItem(reader, rule)
  if ('char' in item) return item.char
  throw new PatternRefused('has a range that ends with a set of characters')
}

/** The most characters of a range whose variants are written out. */
const MAX_SPELLED = 1024

function rangeSource(from: string, to: string, rule: CaseRule): string {
  const [start, end] = [from.codePointAt(0) as number, to.codePointAt(0) as number]
  if (start > end) throw new PatternRefused(`has the range ${from}-${to}, which runs backwards`)
  const range = start === end ? literal(from) : `${literal(from)}-${literal(to)}`
  if (rule !== 'spelled') return range
  if (end - start > MAX_SPELLED) {
    throw new PatternRefused(
      `has the range ${from}-${to}, too long for (?i) in a part of a pattern`,
    )
  }
  let source = range
  for (let code = start; code <= end; code += 1) {
    const variants = caseVariants(String.fromCodePoint(code))
    if (variants.length > 1) source += variants.map(literal).join('')
  }
  return source
}
