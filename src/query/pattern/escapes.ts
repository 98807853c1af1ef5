import { assertion, one, PatternRefused } from './part.js'
import type { Part } from './part.js'
import type { Reader } from './reader.js'
import { isOfOneCase, propertyOf, setOf } from './sets.js'

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
export function readSet(reader: Reader, isUnicode: boolean): EscapedSet | undefined {
  const property = reader.match(/([pP])(?:\{(\^?)([\w &=]+)\}|([A-Z]))/y)
  if (property !== undefined) {
    const [, kind, caret, long, short] = property
    const name = long ?? (short as string)
    const set = propertyOf(name)
    if (set === undefined) throw new PatternRefused(`has the unknown property "${name}"`)
    return { set, negated: (kind === 'P') !== (caret === '^'), keepsCase: true }
  }
  const found = reader.match(/[dswhv]/iy)?.[0]
  if (found === undefined) return undefined
  const set = setOf(found.toLowerCase(), isUnicode) as string
  return { set, negated: found !== found.toLowerCase(), keepsCase: isOfOneCase(set) }
}

/** Reads an escape that stands outside classes only, after the backslash. */
export function readAssertion(reader: Reader, isUnicode: boolean): Part | undefined {
  const boundary = reader.match(/[bB]/y)?.[0]
  if (boundary !== undefined) return boundaryOf(boundary, `[${setOf('w', isUnicode)}]`)
  if (reader.sees(/N\{(?!\d)/y)) throw new PatternRefused('has \\N{, which is not supported')
  const found = outside.get(reader.text[reader.at] ?? '')
  if (found !== undefined) reader.at += 1
  return found
}

// JavaScript's own \b takes more letters where case does not count.
const boundaryOf = (kind: string, word: string): Part =>
  assertion(
    kind === 'b'
      ? `(?:(?<=${word})(?!${word})|(?<!${word})(?=${word}))`
      : `(?:(?<=${word})(?=${word})|(?<!${word})(?!${word}))`,
  )

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
