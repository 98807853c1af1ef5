import type { InputPath } from '../../json/input-path.js'

/**
 * Checks a dotted path of `sort` or `fields`, where MongoDB is stricter than in a query: no segment
 * may be empty or start with `$` (but for the fields of a DBRef), and there are at most 200.
 */
export function checkFieldPath(path: string, place: InputPath): void {
  const segments = path.split('.')
  if (segments.includes('')) throw place.error('must not have an empty name in its path')
  const dollar = segments.find((name, at) => name.startsWith('$') && !(at > 0 && isReference(name)))
  if (dollar !== undefined) throw place.error(`must not have "${dollar}" in its path`)
  if (path.includes('\0')) throw place.error('must not have a null character in its path')
  if (segments.length > 200) throw place.error('must have at most 200 names in its path')
}

const isReference = (name: string): boolean => name === '$id' || name === '$ref' || name === '$db'
