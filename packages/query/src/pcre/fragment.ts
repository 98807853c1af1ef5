import { UnsupportedPatternError } from './pattern-reader.js'
import type { PatternReader } from './pattern-reader.js'

export interface Fragment {
  readonly source: string
  /** The smallest number of characters (code points) that it matches. */
  readonly minLength: number
  /** The largest number of characters that it matches; may be Infinity. */
  readonly maxLength: number
  /** An upper bound on the ways to match at one position; Infinity for an unbounded repetition. */
  readonly maxPaths: number
  /** An estimate of the nodes that V8 compiles it to. */
  readonly size: number
  /** Whether a quantifier can follow `source` directly, without a group around it. */
  readonly isUnit?: boolean
  /** Whether it is an assertion other than a lookaround. PCRE2 allows no quantifier after it. */
  readonly isAssertion?: boolean
  /** Whether it repeats something that may match the empty string. */
  readonly repeatsEmpty?: boolean
}

const EMPTY: Fragment = { source: '', minLength: 0, maxLength: 0, maxPaths: 1, size: 1 }

// A spread would give each character of a pattern a shape of its own (docs/decisions/speed.md).

/** A fragment that matches exactly one character, such as a literal or a class. */
export function oneCharacter(source: string, size = 1): Fragment {
  return { source, minLength: 1, maxLength: 1, maxPaths: 1, size, isUnit: true }
}

/** A fragment that matches a position and consumes nothing. */
export function assertion(source: string, size = 1): Fragment {
  return { source, minLength: 0, maxLength: 0, maxPaths: 1, size, isAssertion: true }
}

export function sequence(fragments: readonly Fragment[]): Fragment {
  let joined = EMPTY
  for (const fragment of fragments) {
    joined = {
      source: joined.source + fragment.source,
      minLength: joined.minLength + fragment.minLength,
      maxLength: joined.maxLength + fragment.maxLength,
      maxPaths: joined.maxPaths * fragment.maxPaths,
      size: joined.size + fragment.size,
      repeatsEmpty: joined.repeatsEmpty === true || fragment.repeatsEmpty === true,
    }
  }
  return joined
}

/** Joins alternatives, at least one, with `|`. */
export function alternatives(fragments: readonly Fragment[]): Fragment {
  return {
    source: fragments.map(({ source }) => source).join('|'),
    minLength: Math.min(...fragments.map(({ minLength }) => minLength)),
    maxLength: Math.max(...fragments.map(({ maxLength }) => maxLength)),
    maxPaths: fragments.reduce((sum, { maxPaths }) => sum + maxPaths, 0),
    size: fragments.reduce((sum, { size }) => sum + size, 0),
    repeatsEmpty: fragments.some(({ repeatsEmpty }) => repeatsEmpty),
  }
}

export interface Quantifier {
  readonly min: number
  /** Infinity for `*`, `+` and `{2,}`. */
  readonly max: number
  /** JavaScript source, with a `?` if it is lazy. */
  readonly source: string
  readonly isPossessive: boolean
}

/** The largest count that PCRE2 accepts. */
const MAX_COUNT = 65_535

/** Parses a quantifier, if one comes next. `{,3}` is not one: PCRE2 10.42 reads it as a literal. */
export function parseQuantifier(reader: PatternReader): Quantifier | undefined {
  const found = reader.match(/(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})([?+]?)/y)
  if (found === undefined) return undefined
  const [text, sign, from, comma, to, suffix] = found
  const isPossessive = suffix === '+'
  const source = isPossessive ? text.slice(0, -1) : text
  if (sign !== undefined)
    return { min: sign === '+' ? 1 : 0, max: sign === '?' ? 1 : Infinity, source, isPossessive }

  const min = Number(from)
  const max = comma === undefined ? min : to === '' ? Infinity : Number(to)
  if (min > MAX_COUNT || (max > MAX_COUNT && max !== Infinity)) {
    throw new UnsupportedPatternError(
      `has the quantifier ${text}, which counts beyond ${MAX_COUNT}`,
    )
  }
  if (min > max)
    throw new UnsupportedPatternError(`has the quantifier ${text}, whose counts are out of order`)

  return { min, max, source, isPossessive }
}

export function repeat(fragment: Fragment, { min, max, source }: Quantifier): Fragment {
  const { minLength, maxLength, maxPaths } = fragment
  return {
    source: (fragment.isUnit === true ? fragment.source : `(?:${fragment.source})`) + source,
    minLength: minLength * min,
    // PCRE2 treats the length as variable even if it is always 0.
    maxLength: min === max && minLength === maxLength ? minLength * max : Infinity,
    maxPaths: repeatedPaths(maxPaths, min, max),
    size: fragment.size * copies(min, max) + 1,
    repeatsEmpty: fragment.repeatsEmpty === true || (min !== max && minLength === 0),
  }
}

function repeatedPaths(paths: number, min: number, max: number): number {
  if (max === Infinity) return Infinity
  return paths === 1 ? max - min + 1 : paths ** max * (max - min + 1)
}

/** Counts the copies of a repeated fragment that V8 compiles. Above three, V8 counts at run time. */
function copies(min: number, max: number): number {
  return Math.max(1, Math.min(4, max === Infinity ? min + 1 : max))
}
