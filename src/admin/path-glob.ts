/** Whether a path matches a compiled pattern. */
export type PathMatcher = (path: string) => boolean

/**
 * Compiles a glob pattern for paths: `*` matches anything within a segment, `**` matches anything, and
 * `**` between two slashes also matches no segment. A slash at the end of the pattern is ignored;
 * remove the slash of a path with `stripTrailingSlash` first.
 */
export function compilePathGlob(pattern: string): PathMatcher {
  const tokens = tokenize(stripTrailingSlash(pattern))
  return (path) => overlap(tokens, toCodes(path))
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
function overlap(left: readonly Token[], right: readonly Token[]): boolean {
  /** Whether some path matches the rests of both, each from its index on. */
  let next: boolean[] = []
  for (let index = left.length; index >= 0; index -= 1) {
    const row: boolean[] = []
    const token = left[index]
    for (let other = right.length; other >= 0; other -= 1) {
      const code = right[other]
      row[other] =
        (token === undefined && code === undefined) ||
        (takes(token, code) && row[other + 1] === true) ||
        (takes(code, token) && next[other] === true) ||
        (isWildcard(token) && next[other] === true) ||
        (isWildcard(code) && row[other + 1] === true) ||
        (token === BEFORE_SLASH && (code === SLASH || code === GLOBSTAR) && next[other] === true) ||
        (token !== undefined && token === code && next[other + 1] === true)
    }
    next = row
  }
  return next[0] === true
}

const isWildcard = (token: Token | undefined): boolean => token === STAR || token === GLOBSTAR

/** Whether a token is a wildcard that matches the character of another one. */
const takes = (token: Token | undefined, other: Token | undefined): boolean =>
  other !== undefined && other >= 0 && (token === GLOBSTAR || (token === STAR && other !== SLASH))

/** Returns a path without the slash at its end. */
export const stripTrailingSlash = (path: string): string =>
  path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path

/** The code of a character, or one of the wildcards below. */
type Token = number

const [STAR, GLOBSTAR, BEFORE_SLASH] = [-1, -2, -3]
const SLASH = 0x2f

/** Splits a pattern into tokens. `/**` before a slash may match nothing. */
const tokenize = (pattern: string): Token[] =>
  pattern.split(/((?:\/\*\*)+(?=\/)|\*{2,}|\*)/).flatMap((part): Token[] => {
    if (part.startsWith('/**')) return [BEFORE_SLASH, GLOBSTAR]
    if (part.startsWith('**')) return [GLOBSTAR]
    return part === '*' ? [STAR] : toCodes(part)
  })

const toCodes = (text: string): Token[] => Array.from(text.split(''), (each) => each.charCodeAt(0))
