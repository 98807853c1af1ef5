import { namedSet, unicodeProperty } from './character-sets.js'
import { assertion, oneCharacter } from './fragment.js'
import type { Fragment } from './fragment.js'
import { UnsupportedPatternError } from './pattern-errors.js'
import type { PatternReader } from './pattern-reader.js'

const CONTROLS = new Map([
  ['t', '\t'],
  ['n', '\n'],
  ['r', '\r'],
  ['f', '\f'],
  ['e', '\x1b'],
  ['a', '\x07'],
])

/** `$` and `\Z`: the end of the text, or the newline at its end. */
export const END = '(?=\\n?$)'

const NEWLINE_SEQUENCE = '(?:\\r\\n|(?!\\r\\n)[\\n-\\r\\x85\\u2028\\u2029])'

const OUTSIDE_CLASSES = new Map<string, Fragment>([
  ['A', assertion('^')],
  ['G', assertion('^')],
  ['z', assertion('$')],
  ['Z', assertion(END)],
  ['N', oneCharacter('[^\\n]', 3)],
  [
    'R',
    { source: NEWLINE_SEQUENCE, minLength: 1, maxLength: 2, maxPaths: 1, size: 6, isUnit: true },
  ],
])

/** A set of characters that an escape or a POSIX class names. */
export interface NamedSet {
  /** The inside of a JavaScript class. */
  readonly set: string
  readonly isNegated: boolean
}

/** Parses an escape for a set, such as `\d`, `\S` or `\p{Lu}`, after its backslash. */
export function parseSetEscape(reader: PatternReader, isUcp: boolean): NamedSet | undefined {
  const property = reader.match(/([pP])(?:\{(\^?)(\w+)\}|([A-Z]))/y)
  if (property !== undefined) {
    const [, kind, caret, long, short] = property
    const set = unicodeProperty((long ?? short) as string)
    return { set, isNegated: (kind === 'P') !== (caret === '^') }
  }
  const letter = reader.match(/[dswhv]/iy)?.[0]
  if (letter === undefined) return undefined
  const name = letter.toLowerCase()
  return { set: namedSet(name, isUcp) as string, isNegated: letter !== name }
}

/** Parses an escape that is allowed only outside classes, after its backslash. */
export function parseOutsideEscape(reader: PatternReader, isUcp: boolean): Fragment | undefined {
  const boundary = reader.match(/[bB]/y)?.[0]
  if (boundary !== undefined) return wordBoundary(boundary, isUcp)
  if (reader.sees(/N\{(?!\d)/y))
    throw new UnsupportedPatternError('has \\N{, which is not supported')

  const found = OUTSIDE_CLASSES.get(reader.text[reader.position] ?? '')
  if (found !== undefined) reader.position += 1
  return found
}

/** Avoids JavaScript's own `\b`: V8's time to compile it doubles with each that is in a row. */
function wordBoundary(kind: string, isUcp: boolean): Fragment {
  const word = `[${namedSet('w', isUcp)}]`
  return assertion(
    kind === 'b'
      ? `(?:(?<=${word})(?!${word})|(?<!${word})(?=${word}))`
      : `(?:(?<=${word})(?=${word})|(?<!${word})(?!${word}))`,
    8,
  )
}

/** Parses an escape for one character, after its backslash. */
export function parseCharacterEscape(reader: PatternReader): string {
  const hex = reader.match(/x(?:\{([\da-fA-F]+)\}|(?!\{)([\da-fA-F]{0,2}))/y)
  if (hex !== undefined) return fromCodePoint(Number.parseInt(hex[1] ?? `0${hex[2]}`, 16))
  const octal = reader.match(/o\{([0-7]+)\}|([0-7]{1,3})/y)
  if (octal !== undefined)
    return fromCodePoint(Number.parseInt((octal[1] ?? octal[2]) as string, 8))
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
