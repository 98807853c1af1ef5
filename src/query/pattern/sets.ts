/** The insides of classes that PCRE2 has names for, by the names. */
type Sets = ReadonlyMap<string, string>

/** What `\\d`, `\\s`, `\\w` and such are: in ASCII, unless a pattern starts with `(*UCP)`. */
const ascii: Sets = new Map([
  ['d', '0-9'],
  ['s', '\\t-\\r '],
  ['w', '0-9A-Z_a-z'],
  ['h', '\\t \\xa0\\u1680\\u180e\\u2000-\\u200a\\u202f\\u205f\\u3000'],
  ['v', '\\n-\\r\\x85\\u2028\\u2029'],
  ['alnum', '0-9A-Za-z'],
  ['alpha', 'A-Za-z'],
  ['ascii', '\\x00-\\x7f'],
  ['blank', '\\t '],
  ['cntrl', '\\x00-\\x1f\\x7f'],
  ['digit', '0-9'],
  ['graph', '\\x21-\\x7e'],
  ['lower', 'a-z'],
  ['print', '\\x20-\\x7e'],
  ['punct', '\\x21-\\x2f\\x3a-\\x40\\x5b-\\x60\\x7b-\\x7e'],
  ['space', '\\t-\\r '],
  ['upper', 'A-Z'],
  ['word', '0-9A-Z_a-z'],
  ['xdigit', '0-9A-Fa-f'],
])

/** https://www.pcre.org/current/doc/html/pcre2pattern.html, on PCRE2_UCP. */
const unicode: Sets = new Map([
  ...ascii,
  ['d', '\\p{Nd}'],
  ['s', '\\t-\\r\\x85\\p{Z}'],
  ['w', '\\p{L}\\p{N}_'],
  ['alnum', '\\p{L}\\p{N}'],
  ['alpha', '\\p{L}'],
  ['digit', '\\p{Nd}'],
  ['lower', '\\p{Ll}'],
  ['space', '\\t-\\r\\x85\\p{Z}'],
  ['upper', '\\p{Lu}'],
  ['word', '\\p{L}\\p{N}_'],
])

/** PCRE2's own properties, for `\\p{Xan}`. */
const properties: Sets = new Map([
  ['Xan', '\\p{L}\\p{N}'],
  ['Xsp', '\\t-\\r\\x85\\p{Z}'],
  ['Xps', '\\t-\\r\\x85\\p{Z}'],
  ['Xwd', '\\p{L}\\p{N}_'],
  ['L&', '\\p{LC}'],
])

/** The characters of `\\d` or `[:alpha:]`, as the inside of a class. */
export const setOf = (name: string, isUnicode: boolean): string | undefined =>
  (isUnicode ? unicode : ascii).get(name)

/**
 * The characters of a property, as the inside of a class: a category (`Lu`) or a script (`Greek`).
 * PCRE2 minds neither the case nor the blanks of its name.
 */
export function propertyOf(text: string): string | undefined {
  const name = text.replace(/ /g, '').replace(/^(?:sc|scx|script|scriptextensions)=/i, '')
  const words = name
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase())
  const own = properties.get(words.join('_'))
  if (own !== undefined) return own
  for (const property of [words.join('_'), `scx=${words.join('_')}`]) {
    try {
      return new RegExp(`\\p{${property}}`, 'u').source
    } catch {
      // Not a category; perhaps a script.
    }
  }
  return undefined
}

/**
 * Whether a set stays as it is where case does not count: JavaScript would take `K` (U+212A) into
 * `\\w` and small letters into `\\p{Lu}`.
 */
export const isOfOneCase = (set: string): boolean => /A-Z|\\p/.test(set)
