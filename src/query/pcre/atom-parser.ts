import type { CaptureGroups } from './capture-groups.js'
import { parseClass } from './character-class.js'
import { END, parseCharacterEscape, parseOutsideEscape, parseSetEscape } from './escapes.js'
import type { Flags } from './flags.js'
import { assertion, oneCharacter } from './fragment.js'
import type { Fragment } from './fragment.js'
import { literalFragment } from './literals.js'
import { UnsupportedPatternError } from './pattern-errors.js'
import type { PatternReader } from './pattern-reader.js'

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
