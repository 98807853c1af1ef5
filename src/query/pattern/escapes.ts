import { type Part, assertion, one, PatternRefused } from './part.js'
import { type Reader } from './reader.js'

/**
 * Sets of characters by their escape, as the inside of a class; capitals are their complements.
 * PCRE2's own without its UCP option: ASCII for `\d`, `\s` and `\w`.
 */
const sets = new Map([
  ['d', '0-9'],
  ['s', '\\t-\\r '],
  ['w', '\\w'],
  ['h', '\\t \\xa0\\u1680\\u180e\\u2000-\\u200a\\u202f\\u205f\\u3000'],
  ['v', '\\n-\\r\\x85\\u2028\\u2029'],
])

const controls = new Map([
  ['t', '\t'],
  ['n', '\n'],
  ['r', '\r'],
  ['f', '\f'],
  ['e', '\x1b'],
  ['a', '\x07'],
])

/** The end of the text, or the newline that ends it. */
export const END = '(?=\\n?$)'

const NEWLINE = '(?:\\r\\n|(?!\\r\\n)[\\n-\\r\\x85\\u2028\\u2029])'

/** Escapes that stand for something outside a class only. */
const outside = new Map<string, Part>([
  ['b', assertion('\\b')],
  ['B', assertion('\\B')],
  ['A', assertion('^')],
  ['G', assertion('^')],
  ['z', assertion('$')],
  ['Z', assertion(END)],
  ['N', one('[^\\n]')],
  ['R', { source: NEWLINE, width: Number.NaN, paths: 1 }],
])

/** An escape of a set of characters: `\d`, `\S`, `\p{Lu}`; `set` is the inside of a class. */
export interface EscapedSet {
  readonly set: string
  readonly negated: boolean
  /** Whether it is of one case even where case does not count. */
  readonly keepsCase: boolean
}

/** Reads an escape that is a set of characters, after the backslash. */
export function readSet(reader: Reader): EscapedSet | undefined {
  const property = reader.match(/([pP])(?:\{(\^?)([\w &]+)\}|([A-Z]))/y)
  if (property !== undefined) {
    const [, kind, caret, long, short] = property
    const negated = (kind === 'P') !== (caret === '^')
    return { set: propertyOf(long ?? (short as string)), negated, keepsCase: true }
  }
  const found = reader.match(/[dswhv]/iy)?.[0]
  if (found === undefined) return undefined
  const set = sets.get(found.toLowerCase()) as string
  return { set, negated: found !== found.toLowerCase(), keepsCase: false }
}

function propertyOf(name: string): string {
  for (const property of [name === 'L&' ? 'LC' : name, `scx=${name}`]) {
    try {
      return new RegExp(`\\p{${property}}`, 'u').source
    } catch {
      // Not a category; perhaps a script.
    }
  }
  throw new PatternRefused(`has the unknown property "${name}"`)
}

/** Reads an escape that stands outside classes only, after the backslash. */
export function readAssertion(reader: Reader): Part | undefined {
  const found = outside.get(reader.text[reader.at] ?? '')
  if (found !== undefined) reader.at += 1
  return found
}

/** Reads an escape that is one character, after the backslash. */
export function readCharacter(reader: Reader): string {
  const hex = reader.match(/x(?:\{([\da-fA-F]+)\}|([\da-fA-F]{0,2}))/y)
  if (hex !== undefined) return codePoint(Number.parseInt(hex[1] ?? `0${hex[2]}`, 16))
  const octal = reader.match(/(?:o\{([0-7]+)\}|([0-7]{1,3}))/y)
  if (octal !== undefined) return codePoint(Number.parseInt(octal[1] ?? (octal[2] as string), 8))
  const control = reader.match(/c([\x20-\x7e])/y)?.[1]
  if (control !== undefined) return codePoint(control.toUpperCase().charCodeAt(0) ^ 64)
  if (reader.ended) throw new PatternRefused('ends in a backslash')
  const char = reader.take()
  const known = controls.get(char)
  if (known !== undefined) return known
  if (/[\dA-Za-z]/.test(char)) throw new PatternRefused(`has \\${char}, which is not supported`)
  return char
}

function codePoint(code: number): string {
  if (code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)) return String.fromCodePoint(code)
  throw new PatternRefused(`has the number ${code} for a character, which there is not`)
}
