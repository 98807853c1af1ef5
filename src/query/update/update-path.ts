import { FORBIDDEN_NAMES } from '../../json/find-violation.js'
import type { InputPath } from '../../json/input-path.js'
import type { Json } from '../../json/json.js'
import { MAX_DEPTH } from '../limits.js'
import { compareValues } from '../values/compare-values.js'
import { checkFieldPath } from '../values/field-path.js'
import { splitPath } from '../values/path-segments.js'
import type { Segment } from '../values/path-segments.js'

/**
 * Parses the path of a field in an update. Positional operators such as `$[]` are not supported,
 * because there is no query to take the position from.
 * @throws BodyInvalid for a name that is empty, starts with `$` or reaches into JavaScript's
 * prototypes; BoundExceeded for more than 50 names
 */
export function parseUpdatePath(fieldPath: string, path: InputPath): readonly Segment[] {
  checkFieldPath(fieldPath, path)
  const segments = splitPath(fieldPath)
  const forbidden = segments.find(({ name }) => FORBIDDEN_NAMES.has(name))
  if (forbidden !== undefined) throw path.error(`must not have "${forbidden.name}" in its path`)
  if (segments.length > MAX_DEPTH)
    throw path.limitError(`must have at most ${MAX_DEPTH} names, not ${segments.length}`)
  return segments
}

/**
 * Compares two paths in the order in which MongoDB updates fields, and so adds new ones: by name, or
 * by number if the names are numbers
 * (https://www.mongodb.com/docs/manual/reference/operator/update/#update-operators-behavior). A path
 * comes directly before the paths that start with it.
 */
export const compareUpdatePaths = (a: readonly Segment[], b: readonly Segment[]): number =>
  compareValues(a.map(toComparable), b.map(toComparable))

// In the order of values, numbers come before strings.
const toComparable = ({ name, index }: Segment): Json => (index >= 0 ? index : name)
