/**
 * Compiles a glob pattern for paths: `*` matches anything within a segment, `**` matches anything,
 * and `**` between two slashes also matches no segment. A slash at the end of the pattern is
 * ignored; remove that of a path with `stripTrailingSlash` first.
 */
export function compilePathGlob(pattern: string): RegExp {
  const source = stripTrailingSlash(pattern)
    .split(/(\/\*\*(?=\/)|\*\*|\*)/)
    .map((part) => WILDCARDS.get(part) ?? part.replace(/[\\^$.|?+()[\]{}]/g, '\\$&'))
  return new RegExp(`^${source.join('')}$`, 's')
}

/** Returns a path without the slash at its end. */
export const stripTrailingSlash = (path: string): string =>
  path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path

/** The regular expressions of the wildcards. */
const WILDCARDS: ReadonlyMap<string, string> = new Map([
  ['/**', '(?:/[^/]*)*?'],
  ['**', '.*?'],
  ['*', '[^/]*?'],
])
