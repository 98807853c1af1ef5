import { variantsOutside } from './case-variants.js'
import { namedSet } from './character-sets.js'
import { parseCharacterEscape, parseSetEscape } from './escapes.js'
import type { NamedSet } from './escapes.js'
import type { Flags } from './flags.js'
import { escapeInClass } from './literals.js'
import { UnsupportedPatternError } from './pattern-errors.js'
import type { PatternReader } from './pattern-reader.js'

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

// As PCRE2 recognizes the syntax, whether or not the name is known.
const NAMED = /\[([:.=])(\^?)((?:\\[\]\\]|(?!\[\1|\]|\1\])[\s\S])*)\1\]/y
const NAMED_OUTSIDE = /([:.=])(?:\\[\]\\]|(?!\[\1|\]|\1\])[\s\S])*\1\]/y

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
  const isPosix = kind === ':' && /^[a-z]{2,}$/.test(name as string)
  const set = isPosix ? namedSet(ignoresCase ? 'alpha' : (name as string), flags.ucp) : undefined
  if (set === undefined) throw new UnsupportedPatternError(`has the unknown class ${text}`)
  return { set, isNegated: caret === '^' }
}

/** Parses the end of a range, if a hyphen follows that is not the last character of the class. */
function parseRangeEnd(reader: PatternReader, flags: Flags): string | undefined {
  if (reader.match(/-(?!\]|$)/y) === undefined) return undefined
  const member = parseMember(reader, flags)
  if (typeof member === 'string') return member
  throw new UnsupportedPatternError('has a range that ends with a set of characters')
}

function translateRange(from: string, to: string, ignoresCase: boolean): string {
  const [first, last] = [from.codePointAt(0) as number, to.codePointAt(0) as number]
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
