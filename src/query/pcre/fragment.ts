/** A translated fragment of a pattern. */
export interface Fragment {
  /** JavaScript source, for the flag `u`. */
  readonly source: string
  /** The fewest characters (code points) that it matches. */
  readonly minLength: number
  /** The most characters that it matches; may be Infinity. */
  readonly maxLength: number
  /** An upper bound on the ways to match at one position; Infinity for an unbounded repetition. */
  readonly maxPaths: number
  /** An estimate of the nodes that V8 compiles it to. */
  readonly size: number
  /** Whether a quantifier can follow `source` directly, without a group around it. */
  readonly isUnit?: boolean
  /** Whether it is an assertion other than a lookaround. PCRE2 allows no quantifier after one. */
  readonly isAssertion?: boolean
  /** Whether it repeats something that may match the empty string. */
  readonly repeatsEmpty?: boolean
}

const EMPTY = { minLength: 0, maxLength: 0, maxPaths: 1, size: 1 }

/** A fragment that matches exactly one character, such as a literal or a class. */
export function oneCharacter(source: string, size = 1): Fragment {
  return { ...EMPTY, source, minLength: 1, maxLength: 1, size, isUnit: true }
}

/** A fragment that matches a position and consumes nothing. */
export function assertion(source: string, size = 1): Fragment {
  return { ...EMPTY, source, size, isAssertion: true }
}

/** Joins fragments that match one after another. */
export function sequence(fragments: readonly Fragment[]): Fragment {
  let joined: Fragment = { ...EMPTY, source: '' }
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
