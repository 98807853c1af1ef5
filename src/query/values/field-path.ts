import type { InputPath } from '../../json/input-path.js'
import { DB_REF_FIELDS } from './db-ref.js'

/** The number of names allowed in a path, as in MongoDB. */
const MAX_NAMES = 200

/**
 * Checks a dotted path of a sort, of `fields` or of an update, where MongoDB is stricter than in a
 * query: a name must not be empty or start with `$`, unless it is a field of a DBRef.
 * @throws the input path's error
 */
export function checkFieldPath(fieldPath: string, path: InputPath): void {
  const names = fieldPath.split('.')
  if (names.includes('')) throw path.error('must not have an empty name in its path')
  const dollar = names.find(
    (name, index) => name.startsWith('$') && !(index > 0 && DB_REF_FIELDS.has(name)),
  )
  if (dollar !== undefined) throw path.error(`must not have "${dollar}" in its path`)
  if (fieldPath.includes('\0')) throw path.error('must not have a null character in its path')
  if (names.length > MAX_NAMES)
    throw path.error(`must have at most ${MAX_NAMES} names in its path, not ${names.length}`)
}
