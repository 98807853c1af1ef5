/** The number of characters of a slug: a part of a path has no more. */
const MAX_LENGTH = 100

/** Returns a name for paths: `Silicon band gap (v2)` is `silicon-band-gap-v2`. */
export const toSlug = (name: string): string =>
  name
    .slice(0, 4 * MAX_LENGTH)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}+/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_LENGTH)
    .replace(/^-|-$/g, '')
