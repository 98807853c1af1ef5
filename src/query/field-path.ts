import type { Place } from '../schemas/place.js'

/**
 * Checks a dotted path of `sort` or `fields`, where MongoDB is stricter than in a query: no segment
 * may be empty or start with `$` (but for the fields of a DBRef), and there are at most 200.
 */
export function checkFieldPath(path: string, place: Place): void {
  const segments = path.split('.')
  if (segments.includes('')) throw place.invalid('must not have an empty name in its path')
  const dollar = segments.find((name, at) => name.startsWith('$') && !(at > 0 && isReference(name)))
  if (dollar !== undefined) throw place.invalid(`must not have "${dollar}" in its path`)
  if (path.includes('\0')) throw place.invalid('must not have a null character in its path')
  if (segments.length > 200) throw place.invalid('must have at most 200 names in its path')
}

const isReference = (name: string): boolean => name === '$id' || name === '$ref' || name === '$db'
