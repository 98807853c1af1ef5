/** Whether a path matches a compiled pattern. */
export type PathMatcher = (path: string) => boolean

/**
 * Compiles a glob pattern for paths: `*` matches anything within a segment, `**` matches anything,
 * and `**` between two slashes also matches no segment. A slash at the end of the pattern is
 * ignored; remove that of a path with `stripTrailingSlash` first.
 *
 * A match takes time in proportion to the path: it follows all ways at once, as one bit each
 * (Baeza-Yates and Gonnet, doi:10.1145/135239.135243). A regular expression would try the ways one
 * after the other, which takes exponential time.
 */
export function compilePathGlob(pattern: string): PathMatcher {
  const tokens = tokenize(stripTrailingSlash(pattern))
  const automaton = compileAutomaton(tokens)
  return (path) => run(automaton, path)
}

/** Returns a path without the slash at its end. */
export const stripTrailingSlash = (path: string): string =>
  path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path

/** A character, or a wildcard. `SKIP` is a slash after which the next two tokens may be left out. */
type Token = string

const STAR = '*'
const GLOBSTAR = '**'
const SKIP = '//'
const SLASH = 0x2f

/** Splits a pattern. Between two wildcards there is always a character. */
const tokenize = (pattern: string): Token[] =>
  pattern.split(/((?:\/\*\*)+(?=\/)|\*{2,}|\*)/).flatMap((part): Token[] => {
    if (part.startsWith('/**')) return [SKIP, GLOBSTAR]
    if (part.startsWith(GLOBSTAR)) return [GLOBSTAR]
    return part === STAR ? [STAR] : part.split('')
  })

/** The bit of a position is set in a set of positions. Position n is the one before token n. */
type Positions = Uint32Array

interface Automaton {
  /** The number of tokens, which is the position at the end of the pattern. */
  readonly end: number
  /** The positions whose token is a character, by its code. */
  readonly characters: ReadonlyMap<number, Positions>
  /** The positions whose token is `*` or `**`. */
  readonly wildcards: Positions
  /** The positions whose token is `**`. */
  readonly globstars: Positions
  /** The positions whose token is a slash after which two tokens may be left out. */
  readonly skips: Positions
}

function compileAutomaton(tokens: readonly Token[]): Automaton {
  const end = tokens.length
  const select = (isSelected: (token: Token) => boolean): Positions => {
    const positions = createPositions(end)
    tokens.forEach((token, position) => {
      if (isSelected(token)) addPosition(positions, position)
    })
    return positions
  }
  const isWildcard = (token: Token): boolean => token === STAR || token === GLOBSTAR
  const codes = new Set(tokens.filter((token) => !isWildcard(token)).map(toCode))
  return {
    end,
    characters: new Map(
      [...codes].map((code) => [code, select((t) => !isWildcard(t) && toCode(t) === code)]),
    ),
    wildcards: select(isWildcard),
    globstars: select((token) => token === GLOBSTAR),
    skips: select((token) => token === SKIP),
  }
}

const toCode = (token: Token): number => token.charCodeAt(0)

const createPositions = (end: number): Positions => new Uint32Array((end >>> 5) + 1)

function addPosition(positions: Positions, position: number): void {
  positions[position >>> 5] = (positions[position >>> 5] as number) | (1 << (position & 31))
}

const hasPosition = (positions: Positions, position: number): boolean =>
  (((positions[position >>> 5] as number) >>> (position & 31)) & 1) === 1

function run({ end, characters, wildcards, globstars, skips }: Automaton, path: string): boolean {
  const none = createPositions(end)
  const current = createPositions(end)
  addPosition(current, 0)
  // A wildcard may match nothing, so the position after it is reached with the one before it.
  if (hasPosition(wildcards, 0)) addPosition(current, 1)
  for (let index = 0; index < path.length; index += 1) {
    const code = path.charCodeAt(index)
    const character = characters.get(code) ?? none
    const repeated = code === SLASH ? globstars : wildcards
    // The bits that move from the words before into the next one.
    let [movedIn, skippedIn, emptyIn] = [0, 0, 0]
    let isAlive = false
    for (let word = 0; word < current.length; word += 1) {
      const positions = current[word] as number
      const matched = positions & (character[word] as number)
      const skipped = matched & (skips[word] as number)
      let next = (matched << 1) | movedIn | (skipped << 3) | skippedIn
      next |= (positions & (repeated[word] as number)) | emptyIn
      const empty = next & (wildcards[word] as number)
      current[word] = next | (empty << 1)
      movedIn = matched >>> 31
      skippedIn = skipped >>> 29
      emptyIn = empty >>> 31
      isAlive ||= current[word] !== 0
    }
    if (!isAlive) return false
  }
  return hasPosition(current, end)
}
