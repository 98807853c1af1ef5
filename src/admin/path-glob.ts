/** Whether a path matches a compiled pattern. */
export type PathMatcher = (path: string) => boolean

/**
 * Compiles a glob pattern for paths: `*` matches anything within a segment, `**` matches anything,
 * and `**` between two slashes also matches no segment. A slash at the end of the pattern is
 * ignored; remove that of a path with `stripTrailingSlash` first.
 */
export function compilePathGlob(pattern: string): PathMatcher {
  const tokens = tokenize(stripTrailingSlash(pattern))
  return (path) => matchTokens(tokens, path)
}

/** Returns a path without the slash at its end. */
export const stripTrailingSlash = (path: string): string =>
  path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path

/** The code of a character, or one of the following. */
type Token = number

const [STAR, GLOBSTAR, BEFORE_SLASH] = [-1, -2, -3]
const SLASH = 0x2f

/** Splits a pattern. `/**` before a slash is a `**` that stands before a slash. */
const tokenize = (pattern: string): Token[] =>
  pattern.split(/((?:\/\*\*)+(?=\/)|\*{2,}|\*)/).flatMap((part): Token[] => {
    if (part.startsWith('/**')) return [BEFORE_SLASH, GLOBSTAR]
    if (part.startsWith('**')) return [GLOBSTAR]
    return part === '*' ? [STAR] : Array.from(part.split(''), (each) => each.charCodeAt(0))
  })

/**
 * Matches with one place in the tokens and one in the path. Where they differ, the last `*` takes one
 * character more, or else the last `**` does: the first match of what is between two wildcards leaves
 * the most for the rest. No `*` tries a place twice, so that the time is proportional to the path times
 * the longest text between two `**`, and for most patterns to the path alone.
 */
function matchTokens(tokens: readonly Token[], path: string): boolean {
  let [at, position] = [0, 0]
  let [star, globstar, globstarEnd] = [-1, -1, 0]
  /** The last place that the `*` at an index of the tokens has tried to end at. */
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
