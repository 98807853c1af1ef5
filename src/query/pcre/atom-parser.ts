import type { CaptureGroups } from './capture-groups.js'
import { caseVariants } from './case-variants.js'
import {
  escapeInClass,
  namedSet,
  parseCharacterEscape,
  parseClass,
  parseSetEscape,
} from './characters.js'
import { assertion, oneCharacter } from './fragment.js'
import type { Fragment } from './fragment.js'
import { UnsupportedPatternError } from './pattern-reader.js'
import type { Flags, PatternReader } from './pattern-reader.js'

/** The size of a Unicode property in a class: V8 takes 0.2 to 0.4 ms to compile one. */
const PROPERTY_SIZE = 32

const ANY_CHARACTER = '[\\s\\S]'

/** Parses single atoms: literals, classes, escapes, assertions and backreferences. */
export class AtomParser {
  readonly #reader: PatternReader
  readonly #captures: CaptureGroups

  constructor(reader: PatternReader, captures: CaptureGroups) {
    this.#reader = reader
    this.#captures = captures
  }

  /** Parses one atom; throws if a quantifier comes instead. */
  parse(flags: Flags): Fragment {
    const reader = this.#reader
    if (reader.isQuoted) return literalFragment(reader.next(), flags.i)
    if (reader.accept('[')) return classFragment(parseClass(reader, flags))
    if (reader.accept('\\')) return this.#parseEscape(flags)
    if (reader.accept('.')) return oneCharacter(flags.s ? ANY_CHARACTER : '[^\\n]', 3)
    if (reader.accept('^'))
      return flags.m ? assertion(`(?:^|(?<=\\n)(?=${ANY_CHARACTER}))`, 4) : assertion('^')

    if (reader.accept('$')) return assertion(flags.m ? '(?=\\n|$)' : END, 4)
    if (reader.sees(/[*+?]|\{\d+(?:,\d*)?\}/y)) {
      throw new UnsupportedPatternError(
        `has a quantifier with nothing to repeat at position ${reader.position}`,
      )
    }
    return literalFragment(reader.next(), flags.i)
  }

  /** Returns a backreference by name, as `(?P=name)` is one. */
  referTo(name: string, flags: Flags): Fragment {
    return requireCase(this.#captures.referTo(name), flags)
  }

  #parseEscape(flags: Flags): Fragment {
    const reader = this.#reader
    const reference = this.#captures.parseReference(reader)
    if (reference !== undefined) return requireCase(reference, flags)
    const outside = parseOutsideEscape(reader, flags.ucp)
    if (outside !== undefined) return outside
    const found = parseSetEscape(reader, flags.ucp)
    if (found === undefined) return literalFragment(parseCharacterEscape(reader), flags.i)
    return classFragment(`[${found.isNegated ? '^' : ''}${found.set}]`)
  }
}

/** Returns a backreference; JavaScript's cannot ignore case without the flag i. */
function requireCase(reference: Fragment, flags: Flags): Fragment {
  if (!flags.i) return reference
  throw new UnsupportedPatternError(
    'has a backreference where case is ignored, which is not supported',
  )
}

/**
 * Returns a class as a fragment. V8 takes seconds to compile eight `\p{L}` in a row; with each in a
 * lookahead of its own, it takes milliseconds.
 */
function classFragment(source: string): Fragment {
  const properties = source.split('\\p').length - 1
  if (properties === 0) return oneCharacter(source, 3)
  const size = properties * PROPERTY_SIZE
  return { ...oneCharacter(`(?=${source})${ANY_CHARACTER}`, size), isUnit: false }
}

/** Translates a literal character; where case is ignored, to a class of its case variants. */
export function literalFragment(char: string, ignoreCase: boolean): Fragment {
  const variants = ignoreCase ? caseVariants(char) : [char]
  return oneCharacter(
    variants.length === 1 ? escapeLiteral(char) : `[${variants.map(escapeInClass).join('')}]`,
  )
}

function escapeLiteral(char: string): string {
  return /^[\^$\\.*+?()[\]{}|/]$/.test(char) ? `\\${char}` : char
}

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
