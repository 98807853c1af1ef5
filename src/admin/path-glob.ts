/** Whether a path matches a compiled pattern. */
export type PathMatcher = (path: string) => boolean

/**
 * Compiles a glob pattern for paths: `*` matches anything within a segment, `**` matches anything, and
 * `**` between two slashes also matches no segment. A slash at the end of the pattern is ignored;
 * remove the slash of a path with `stripTrailingSlash` first.
 */
export function compilePathGlob(pattern: string): PathMatcher {
  const tokens = tokenize(stripTrailingSlash(pattern))
  return (path) => matchTokens(tokens, path)
}

/**
 * Whether some path matches both a pattern and the template of a route, such as
 * `/api/2018-10-01/materials/:id`. The time is proportional to the product of their lengths.
 */
export function canMatchTemplate(pattern: string, template: string): boolean {
  const left = tokenize(stripTrailingSlash(pattern))
  const right = tokenize(
    stripTrailingSlash(template)
      .replace(/\*$/, '**')
      .replace(/:[^/]+/g, '*'),
  )
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
    return part === '*' ? [STAR] : Array.from(part.split(''), (each) => each.charCodeAt(0))
  })

/**
 * Matches with one position in the tokens and one in the path. On a mismatch, the last `*` takes one
 * more character, or else the last `**` does: the first match of the text between two wildcards leaves
 * the most for the rest. No `*` tries a position twice. The time is proportional to the length of the
 * path times the longest text between two `**`, and for most patterns to the length of the path alone.
 */
function matchTokens(tokens: readonly Token[], path: string): boolean {
  let [at, position] = [0, 0]
  let [star, globstar, globstarEnd] = [-1, -1, 0]
  /** For each `*`, by its index in the tokens, the last position at which it tried to end. */
  const tried: number[] = []
  while (at < tokens.length || position < path.length) {
    const token = tokens[at]
    if (token === GLOBSTAR) {
      ;[star, globstar, globstarEnd] = [-1, at, position]
      at += 1
      continue
    }
    if (token === STAR && position > (tried[at] ?? -1)) {
      star = at
      tried[at] = position
      at += 1
      continue
    }
    const code = position < path.length ? path.charCodeAt(position) : NaN
    if (token === code) {
      at += 1
      position += 1
    } else if (token === BEFORE_SLASH && code === SLASH) {
      at += 1
    } else {
      const starEnd = star === -1 || token === STAR ? path.length : (tried[star] as number)
      if (starEnd < path.length && path.charCodeAt(starEnd) !== SLASH) {
        at = star + 1
        position = tried[star] = starEnd + 1
      } else if (globstar !== -1 && globstarEnd < path.length) {
        star = -1
        at = globstar + 1
        position = globstarEnd += 1
      } else {
        return false
      }
    }
  }
  return true
}
