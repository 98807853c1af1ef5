import { UnsupportedPatternError } from './pattern-errors.js'

/** Set names, such as `w` for `\w` and `alpha` for `[:alpha:]`, to the inside of a class. */
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

/** The sets that `(*UCP)` changes; an empty string marks those that are not supported. */
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
 * Returns the characters of `\d`, `[:alpha:]` and so on as the inside of a class, or undefined for
 * an unknown name (https://www.pcre.org/current/doc/html/pcre2pattern.html, PCRE2_UCP included).
 */
export function namedSet(name: string, isUcp: boolean): string | undefined {
  const set = (isUcp ? ucp.get(name) : undefined) ?? ascii.get(name)
  if (set !== '') return set
  throw new UnsupportedPatternError(`has [:${name}:] after (*UCP), which is not supported`)
}

/** Returns the set of a general category (`Lu`) or a script (`Greek`) as the inside of a class. */
export function unicodeProperty(name: string): string {
  if (CATEGORY.test(name)) return `\\p{${name}}`
  // PCRE2's script names are those of the script extensions.
  const script = `\\p{scx=${name}}`
  try {
    return new RegExp(script, 'u').source
  } catch {
    throw new UnsupportedPatternError(
      `has the property "${name}", which is neither a general category nor a script`,
    )
  }
}

const CATEGORY = /^(?:C[cfnos]?|L[lmotu]?|M[cen]?|N[dlo]?|P[cdefios]?|S[ckmo]?|Z[lps]?)$/
