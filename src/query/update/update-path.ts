import { FORBIDDEN_NAMES } from '../../json/find-violation.js'
import type { InputPath } from '../../json/input-path.js'
import type { Json } from '../../json/json.js'
import { MAX_DEPTH } from '../limits.js'
import { compareValues } from '../values/compare-values.js'
import { checkFieldPath } from '../values/field-path.js'
import { splitPath } from '../values/path-segments.js'
import type { Segment } from '../values/path-segments.js'

/** One name in the path of an update. */
export interface UpdateSegment extends Segment {
  /**
   * The identifier of an array filter, for `$[identifier]`. It is empty for `$[]`, which stands for
   * all elements. Undefined for a name or a position.
   */
  readonly identifier?: string
}

/**
 * Parses the path of a field in an update. It can have `$[]` and `$[identifier]`
 * (https://www.mongodb.com/docs/manual/reference/operator/update/positional-filtered/). The
 * positional `$` is refused, because a PATCH has no query to take the position from.
 * @throws BodyInvalid for a name that is empty, starts with `$` or reaches into JavaScript's
 * prototypes; BoundExceeded for more than 50 names
 */
export function parseUpdatePath(fieldPath: string, path: InputPath): readonly UpdateSegment[] {
  const segments = splitPath(fieldPath).map(toUpdateSegment)
  if (segments[0]?.identifier !== undefined)
    throw path.error(`must not start with ${segments[0].name}`)
  if (segments.some(({ name }) => name === '$'))
    throw path.error('must not have the positional $, as there is no query that matches an element')

  const names = segments.map(({ name, identifier }) => (identifier === undefined ? name : '0'))
  checkFieldPath(names.join('.'), path)
  const forbidden = names.find((name) => FORBIDDEN_NAMES.has(name))
  if (forbidden !== undefined) throw path.error(`must not have "${forbidden}" in its path`)
  if (segments.length > MAX_DEPTH)
    throw path.limitError(`must have at most ${MAX_DEPTH} names, not ${segments.length}`)
  return segments
}

function toUpdateSegment(segment: Segment): UpdateSegment {
  const [, identifier] = /^\$\[(.*)\]$/.exec(segment.name) ?? []
  return identifier === undefined ? segment : { ...segment, identifier }
}

/**
 * Compares two paths in the order in which MongoDB updates fields, and so adds new ones: by name, or
 * by number if the names are numbers
 * (https://www.mongodb.com/docs/manual/reference/operator/update/#update-operators-behavior). A path
 * comes directly before the paths that start with it.
 */
export const compareUpdatePaths = (a: readonly Segment[], b: readonly Segment[]): number =>
  compareValues(a.map(toComparable), b.map(toComparable))

/** Compares two names in this order. */
export const compareUpdateNames = (a: Segment, b: Segment): number =>
  compareValues(toComparable(a), toComparable(b))

// In the order of values, numbers come before strings.
const toComparable = ({ name, index }: Segment): Json => (index >= 0 ? index : name)
