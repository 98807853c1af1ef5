/** Whether a path matches a compiled pattern. */
export type PathMatcher = (path: string) => boolean

/**
 * Compiles a glob pattern for paths: `*` matches anything within a segment, `**` matches anything, and
 * `**` between two slashes also matches no segment. A slash at the end of the pattern is ignored;
 * remove the slash of a path with `stripTrailingSlash` first.
 */
export function compilePathGlob(pattern: string): PathMatcher {
  const trimmed = stripTrailingSlash(pattern)
  const tokens = tokenize(trimmed)
  const texts = trimmed.split(WILDCARDS).filter((_, index) => index % 2 === 0)
  return (path) => hasInOrder(path, texts) && overlap(tokens, toTokens(toCodes(path)))
}

/**
 * Whether a path begins with the first of the texts between the wildcards of a pattern, ends with the
 * last one, and has the others in between, as each path that matches does. Most paths do not match, and
 * `overlap` takes up to a thousand times as long (measured).
 */
function hasInOrder(path: string, texts: readonly string[]): boolean {
  if (!path.startsWith(texts[0] ?? '') || !path.endsWith(texts.at(-1) ?? '')) return false
  let end = 0
  for (const text of texts) {
    const index = path.indexOf(text, end)
    if (index === -1) return false
    end = index + text.length
  }
  return true
}

/**
 * Whether some path matches both a pattern and the template of a route, such as
 * `/api/2018-10-01/materials/:id`.
 */
export const canMatchTemplate = (pattern: string, template: string): boolean =>
  overlap(
    tokenize(stripTrailingSlash(pattern)),
    tokenize(
      stripTrailingSlash(template)
        .replace(/\*$/, '**')
        .replace(/:[^/]+/g, '*'),
    ),
  )

/** Whether some path matches two patterns. The time is proportional to the product of their lengths. */
function overlap(left: Tokens, right: Tokens): boolean {
  /** Whether some path matches the rests of both, each from its index on. The last place stays 0. */
  let [next, row] = [new Uint8Array(right.length + 1), new Uint8Array(right.length + 1)]
  for (let index = left.length - 1; index >= 0; index -= 1) {
    const token = left[index] as number
    for (let other = right.length - 1; other >= 0; other -= 1) {
      const code = right[other] as number
      const matches =
        (token === END && code === END) ||
        (takes(token, code) && row[other + 1] === 1) ||
        (takes(code, token) && next[other] === 1) ||
        (isWildcard(token) && next[other] === 1) ||
        (isWildcard(code) && row[other + 1] === 1) ||
        (token === BEFORE_SLASH && (code === SLASH || code === GLOBSTAR) && next[other] === 1) ||
        (token === code && next[other + 1] === 1)
      row[other] = matches ? 1 : 0
    }
    ;[next, row] = [row, next]
  }
  return next[0] === 1
}

const isWildcard = (token: number): boolean => token === STAR || token === GLOBSTAR

/** Whether a token is a wildcard that matches the character of another one. */
const takes = (token: number, other: number): boolean =>
  other >= 0 && (token === GLOBSTAR || (token === STAR && other !== SLASH))

/** Returns a path without the slash at its end. */
export const stripTrailingSlash = (path: string): string =>
  path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path

/** The codes of characters, and of the wildcards and the end below. */
type Tokens = Int32Array

const [STAR, GLOBSTAR, BEFORE_SLASH, END] = [-1, -2, -3, -4]
const SLASH = 0x2f

/** The wildcards of a pattern. `/**` before a slash may match nothing. */
const WILDCARDS = /((?:\/\*\*)+(?=\/)|\*{2,}|\*)/

/** Splits a pattern into tokens. */
const tokenize = (pattern: string): Tokens =>
  toTokens(
    pattern.split(WILDCARDS).flatMap((part) => {
      if (part.startsWith('/**')) return [BEFORE_SLASH, GLOBSTAR]
      if (part.startsWith('**')) return [GLOBSTAR]
      return part === '*' ? [STAR] : toCodes(part)
    }),
  )

const toTokens = (codes: readonly number[]): Tokens => Int32Array.from([...codes, END])

const toCodes = (text: string): number[] => Array.from(text.split(''), (each) => each.charCodeAt(0))
