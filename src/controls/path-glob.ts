export interface PathGlob {
  /** Whether a path, without a slash at its end, matches. */
  matches(path: string): boolean
  /** Whether some path matches that is also one of a route's template: `/api/2018-10-01/materials/:id`. */
  canMatch(template: string): boolean
}

export const stripTrailingSlash = (path: string): string =>
  path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path

/** The wildcards of a pattern. `/**` before a slash may match nothing. */
const WILDCARDS = /((?:\/\*\*)+(?=\/)|\*{2,}|\*)/

/**
 * Compiles a glob pattern for paths: `*` matches anything within a segment, `**` matches anything, and
 * `**` between two slashes also matches no segment. A slash at the end of the pattern is ignored.
 *
 * The pattern is an automaton, whose states are the bits of a number: bit `i` is set if what has been read
 * matches the first `i` tokens of the pattern (Baeza-Yates and Gonnet, A New Approach to Text Searching,
 * 1992). So the time is proportional to the length of a path, whatever the wildcards.
 */
export function compilePathGlob(pattern: string): PathGlob {
  let end = 1n
  /** The states before each character, before a wildcard, before a `**`, and before a `/**` that may be left out. */
  const before = new Map<string, bigint>()
  let [wild, deep, optional] = [0n, 0n, 0n]
  const add = (character: string): void => {
    before.set(character, (before.get(character) ?? 0n) | end)
    end <<= 1n
  }
  for (const part of stripTrailingSlash(pattern).split(WILDCARDS)) {
    if (!part.includes('*')) {
      for (const character of part.split('')) add(character)
      continue
    }
    if (part.startsWith('/')) {
      optional |= end
      add('/')
    }
    wild |= end
    if (part !== '*') deep |= end
    end <<= 1n
  }
  const slashes = before.get('/') ?? 0n
  const characters = end - 1n - wild
  const texts = characters - slashes

  /** Adds the states that follow without a character. */
  const close = (states: bigint): bigint => {
    const behind = states | ((states & wild) << 1n)
    return behind | ((behind & optional) << 2n)
  }
  /** Reads a character: those of `literal` go on, and wildcards that match it stay. */
  const read = (states: bigint, literal: bigint, wildcard: bigint): bigint =>
    close(((states & literal) << 1n) | (states & wildcard))

  const readText = (start: bigint, text: string): bigint => {
    let states = start
    for (let index = 0; index < text.length && states !== 0n; index += 1) {
      const character = text.charAt(index)
      states = read(states, before.get(character) ?? 0n, character === '/' ? deep : wild)
    }
    return states
  }
  /** Reads any number of characters, at least one. */
  const readAny = (start: bigint, literal: bigint, wildcard: bigint): bigint => {
    let states = read(start, literal, wildcard)
    for (;;) {
      const more = states | read(states, literal, wildcard)
      if (more === states) return states
      states = more
    }
  }
  return {
    matches: (path) => (readText(close(1n), path) & end) !== 0n,
    canMatch(template) {
      let states = close(1n)
      for (const part of stripTrailingSlash(template).split(/(:[^/]+|\*$)/)) {
        if (part === '*') states |= readAny(states, characters, wild)
        else if (part.startsWith(':')) states = readAny(states, texts, wild)
        else states = readText(states, part)
      }
      return (states & end) !== 0n
    },
  }
}

/** Replaces the parameters and the version of a template by the segments of a path or a pattern. */
export function fillTemplate(template: string, pattern: string): string {
  const given = pattern.split('/')
  return template
    .split('/')
    .map((segment, index) => {
      const isOpen = segment.startsWith(':') || (index === 2 && given[index]?.includes('*'))
      return isOpen ? (given[index] ?? segment) : segment
    })
    .join('/')
}
