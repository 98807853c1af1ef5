/**
 * A pattern of paths as a regular expression: `*` stands for anything within a segment, `**` for
 * anything, and `**` between two slashes for no segment too. A slash at the end changes nothing.
 */
export function compileGlob(pattern: string): RegExp {
  const source = withoutTrailingSlash(pattern)
    .split(/(\/\*\*(?=\/)|\*\*|\*)/)
    .map((part) => WILDCARDS.get(part) ?? part.replace(/[\\^$.|?+()[\]{}]/g, '\\$&'))
  return new RegExp(`^${source.join('')}$`, 's')
}

/** A path as patterns are matched against it. */
export const withoutTrailingSlash = (path: string): string =>
  path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path

const WILDCARDS: ReadonlyMap<string, string> = new Map([
  ['/**', '(?:/[^/]*)*?'],
  ['**', '.*?'],
  ['*', '[^/]*?'],
])
