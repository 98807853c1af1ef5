/** A translated piece of a pattern. */
export interface Part {
  /** JavaScript's form of it, for the flag `u`. */
  readonly source: string
  /** The characters that it matches, or NaN where that varies. */
  readonly width: number
  /** An upper bound of the ways in which it can match at one place; Infinity where it repeats. */
  readonly paths: number
  /** Whether no quantifier may follow: it is a place, and PCRE2 repeats none but lookarounds. */
  readonly isPlace?: true
}

/** A pattern that PCRE2 refuses, or that JavaScript has no equal of. */
export class PatternRefused extends Error {}

/** What matches one character. */
export const one = (source: string): Part => ({ source, width: 1, paths: 1 })

/** What matches at a place and takes no character. */
export const assertion = (source: string): Part => ({ source, width: 0, paths: 1, isPlace: true })

/** A character as JavaScript takes it literally outside a class. */
export const literal = (char: string): string =>
  /^[\^$\\.*+?()[\]{}|/]$/.test(char) ? `\\${char}` : char

/** A character as JavaScript takes it literally in a class. */
export const classLiteral = (char: string): string =>
  /^[!-/:-@[-`{-~]$/.test(char) ? `\\x${char.charCodeAt(0).toString(16)}` : char

/** The characters that are one with a character where case does not count (simple case folding). */
export function caseVariants(char: string): readonly string[] {
  if (char < '\x80' && !/[A-Za-z]/.test(char)) return [char]
  const [lower, upper] = [char.toLowerCase(), char.toUpperCase()]
  const candidates = new Set([char, lower, upper, lower.toUpperCase(), upper.toLowerCase()])
  for (const twin of ['\u212a', '\u017f']) candidates.add(twin)
  const same = new RegExp(`^${literal(char)}$`, 'iu')
  return [...candidates].filter((candidate) => same.test(candidate))
}
