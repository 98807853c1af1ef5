import { variantsOutside } from './case-variants.js'
import { UnsupportedPatternError } from './pattern-reader.js'
import type { Flags, PatternReader } from './pattern-reader.js'

/** Parses a character class after its `[`, and returns its translation. */
export function parseClass(reader: PatternReader, flags: Flags): string {
  if (reader.sees(NAMED_OUTSIDE))
    throw new UnsupportedPatternError('has a POSIX class that is not within a [...]')

  const isNegated = reader.accept('^')
  let source = ''
  const complements: string[] = []
  // A ] that comes first is a literal.
  for (let isFirst = true; isFirst || !reader.accept(']'); isFirst = false) {
    const member = parseMember(reader, flags)
    if (typeof member === 'string') {
      source += translateRange(member, parseRangeEnd(reader, flags) ?? member, flags.i)
      continue
    }
    if (reader.sees(/-(?!\])/y))
      throw new UnsupportedPatternError('has a range that begins with a set of characters')

    if (member.isNegated) complements.push(`[^${member.set}]`)
    else source += member.set
  }
  return joinClass(source, complements, isNegated)
}

// Matches PCRE2's syntax, also with unknown names.
const NAMED = /\[([:.=])(\^?)((?:\\[\]\\]|(?!\\[\]\\]|\[\1|\]|\1\])[\s\S])*)\1\]/y
const NAMED_OUTSIDE = /([:.=])(?:\\[\]\\]|(?!\\[\]\\]|\[\1|\]|\1\])[\s\S])*\1\]/y

/** Parses one character, which may begin a range, or one set, which may not. */
function parseMember(reader: PatternReader, flags: Flags): string | NamedSet {
  if (reader.isAtEnd) throw new UnsupportedPatternError('has an unclosed [')
  const named = reader.match(NAMED)
  if (named !== undefined) return parsePosixClass(named, flags)
  if (!reader.accept('\\')) return reader.next()
  if (reader.sees(/[QE]/y))
    throw new UnsupportedPatternError('has \\Q or \\E within a [...], which is not supported')

  if (reader.accept('b')) return '\b'
  return parseSetEscape(reader, flags.ucp) ?? parseCharacterEscape(reader)
}

function parsePosixClass([text, kind, caret, name]: RegExpExecArray, flags: Flags): NamedSet {
  // PCRE2 10.42 keeps the case of these two after (*UCP).
  const ignoresCase = flags.i && !flags.ucp && (name === 'lower' || name === 'upper')
  const isPosix = kind === ':' && /^[a-z]{2,}$/.test(name!)
  const set = isPosix ? namedSet(ignoresCase ? 'alpha' : name!, flags.ucp) : undefined
  if (set === undefined) throw new UnsupportedPatternError(`has the unknown class ${text}`)
  return { set, isNegated: caret === '^' }
}

/** Parses the end of a range, if a hyphen follows and is not the last character of the class. */
function parseRangeEnd(reader: PatternReader, flags: Flags): string | undefined {
  if (reader.match(/-(?!\]|$)/y) === undefined) return undefined
  const member = parseMember(reader, flags)
  if (typeof member === 'string') return member
  throw new UnsupportedPatternError('has a range that ends with a set of characters')
}

function translateRange(from: string, to: string, ignoresCase: boolean): string {
  const [first, last] = [from.codePointAt(0)!, to.codePointAt(0)!]
  if (first > last)
    throw new UnsupportedPatternError(`has the range ${from}-${to}, which is out of order`)

  const range = escapeInClass(from) + (first === last ? '' : `-${escapeInClass(to)}`)
  if (!ignoresCase) return range
  return range + variantsOutside(first, last).map(escapeInClass).join('')
}

/**
 * Joins the members of a class. JavaScript cannot negate a set within a class (`[a\S]`), except with
 * the flag `v`, with which V8 11 fails to match `C1` with `(?:C[^x])+`.
 */
function joinClass(source: string, complements: readonly string[], isNegated: boolean): string {
  const plain = `[${isNegated ? '^' : ''}${source}]`
  if (complements.length === 0) return plain
  if (!isNegated) return `(?:${[plain, ...complements].join('|')})`
  return `(?:${complements.map((complement) => `(?!${complement})`).join('')}${plain})`
}

/** Escapes a character for use inside a JavaScript character class. */
export function escapeInClass(char: string): string {
  return /^[!-/:-@[-`{-~]$/.test(char) ? `\\x${char.charCodeAt(0).toString(16)}` : char
}

const CONTROLS = new Map([
  ['t', '\t'],
  ['n', '\n'],
  ['r', '\r'],
  ['f', '\f'],
  ['e', '\x1b'],
  ['a', '\x07'],
])

export interface NamedSet {
  readonly set: string
  readonly isNegated: boolean
}

/** Parses an escape for a set, such as `\d`, `\S` or `\p{Lu}`, after its backslash. */
export function parseSetEscape(reader: PatternReader, isUcp: boolean): NamedSet | undefined {
  const property = reader.match(/([pP])(?:\{(\^?)(\w+)\}|([A-Z]))/y)
  if (property !== undefined) {
    const [, kind, caret, long, short] = property
    const set = unicodeProperty((long ?? short)!)
    return { set, isNegated: (kind === 'P') !== (caret === '^') }
  }
  const letter = reader.match(/[dswhv]/iy)?.[0]
  if (letter === undefined) return undefined
  const name = letter.toLowerCase()
  return { set: namedSet(name, isUcp)!, isNegated: letter !== name }
}

/** Parses an escape for one character, after its backslash. */
export function parseCharacterEscape(reader: PatternReader): string {
  const hex = reader.match(/x(?:\{([\da-fA-F]+)\}|(?!\{)([\da-fA-F]{0,2}))/y)
  if (hex !== undefined) return fromCodePoint(Number.parseInt(hex[1] ?? `0${hex[2]}`, 16))
  const octal = reader.match(/o\{([0-7]+)\}|([0-7]{1,3})/y)
  if (octal !== undefined) return fromCodePoint(Number.parseInt((octal[1] ?? octal[2])!, 8))
  const control = reader.match(/c([\x20-\x7e])/y)?.[1]
  if (control !== undefined) return fromCodePoint(control.toUpperCase().charCodeAt(0) ^ 64)
  if (reader.isAtEnd) throw new UnsupportedPatternError('ends with a backslash')
  const char = reader.next()
  const known = CONTROLS.get(char)
  if (known !== undefined) return known
  if (!/[\dA-Za-z]/.test(char)) return char
  throw new UnsupportedPatternError(`has \\${char}, which is not supported`)
}

function fromCodePoint(code: number): string {
  if (code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)) return String.fromCodePoint(code)
  throw new UnsupportedPatternError(`has ${code} as a character code, which is not a Unicode one`)
}

/** The contents of classes by their names, such as `w` for `\w` and `alpha` for `[:alpha:]`. */
type Sets = ReadonlyMap<string, string>

const HORIZONTAL_SPACE = '\\t \\xa0\\u1680\\u180e\\u2000-\\u200a\\u202f\\u205f\\u3000'

const ascii: Sets = new Map([
  ['d', '\\d'],
  ['s', '\\t-\\r '],
  ['w', '\\w'],
  ['h', HORIZONTAL_SPACE],
  ['v', '\\n-\\r\\x85\\u2028\\u2029'],
  ['alnum', '0-9A-Za-z'],
  ['alpha', 'A-Za-z'],
  ['ascii', '\\x00-\\x7f'],
  ['blank', '\\t '],
  ['cntrl', '\\x00-\\x1f\\x7f'],
  ['digit', '\\d'],
  ['graph', '\\x21-\\x7e'],
  ['lower', 'a-z'],
  ['print', '\\x20-\\x7e'],
  ['punct', '\\x21-\\x2f\\x3a-\\x40\\x5b-\\x60\\x7b-\\x7e'],
  ['space', '\\t-\\r '],
  ['upper', 'A-Z'],
  ['word', '\\w'],
  ['xdigit', '0-9A-Fa-f'],
])

const UNICODE_SPACE = '\\t-\\r\\x85\\u180e\\p{Z}'

/** The sets that `(*UCP)` changes. An empty string marks an unsupported set. */
const ucp: Sets = new Map([
  ['d', '\\p{Nd}'],
  ['s', UNICODE_SPACE],
  ['w', '\\p{L}\\p{N}_'],
  ['alnum', '\\p{L}\\p{N}'],
  ['alpha', '\\p{L}'],
  ['blank', HORIZONTAL_SPACE],
  ['cntrl', '\\p{Cc}'],
  ['digit', '\\p{Nd}'],
  ['graph', ''],
  ['lower', '\\p{Ll}'],
  ['print', ''],
  ['punct', '\\p{P}\\x24\\x2b<=>\\x5e\\x60\\x7c\\x7e'],
  ['space', UNICODE_SPACE],
  ['upper', '\\p{Lu}'],
  ['word', '\\p{L}\\p{N}_'],
])

/**
 * Returns the characters of `\d`, `[:alpha:]` and so on as the content of a class, or undefined for an
 * unknown name (https://www.pcre.org/current/doc/html/pcre2pattern.html, PCRE2_UCP included).
 */
export function namedSet(name: string, isUcp: boolean): string | undefined {
  const set = (isUcp ? ucp.get(name) : undefined) ?? ascii.get(name)
  if (set !== '') return set
  throw new UnsupportedPatternError(`has [:${name}:] after (*UCP), which is not supported`)
}

/** Returns the set of a general category (`Lu`) or a script (`Greek`) as the content of a class. */
function unicodeProperty(name: string): string {
  if (CATEGORY.test(name)) return `\\p{${name}}`
  // PCRE2's script names stand for the script extensions.
  const script = `\\p{scx=${name}}`
  try {
    // bounded: the length of a pattern
    return new RegExp(script, 'u').source
  } catch {
    throw new UnsupportedPatternError(
      `has the property "${name}", which is neither a general category nor a script`,
    )
  }
}

const CATEGORY = /^(?:C[cfnos]?|L[lmotu]?|M[cen]?|N[dlo]?|P[cdefios]?|S[ckmo]?|Z[lps]?)$/
