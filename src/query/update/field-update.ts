import type { InputPath } from '../../json/input-path.js'
import type { Json } from '../../json/json.js'
import { quote } from '../../json/quote.js'
import { MAX_ENTRIES } from '../limits.js'
import { getField, isContainer } from '../values/path-segments.js'
import type { Container, Segment } from '../values/path-segments.js'

/** An update of one value, as compiled from an update operator and its operand. */
export interface ValueUpdate {
  /** Whether a missing path is created. If not, nothing changes there. */
  readonly createsPath: boolean
  /** Whether it can take long, so that the update must run with a timeout. */
  readonly needsTimeout?: boolean
  /** Returns the new value. Undefined is a missing field, before and after. */
  readonly apply: (value: Json | undefined) => Json | undefined
}

/** An update of one field. */
export interface FieldUpdate extends ValueUpdate {
  readonly segments: readonly Segment[]
  /** The path of the operand in the request's body. */
  readonly path: InputPath
}

/**
 * Returns a copy of an object or array with one field updated, or the same one if nothing changes.
 * Missing objects on the path are created. A name in an array must be a position; an array that is
 * too short is padded with null.
 * @param depth the number of segments that lead to the container
 * @throws BodyInvalid if the path cannot be created
 * @throws BoundExceeded if more than 1,000 nulls are needed
 */
export function applyFieldUpdate<Parent extends Container>(
  container: Parent,
  update: FieldUpdate,
  depth = 0,
): Parent {
  const { segments, createsPath, apply, path } = update
  const segment = segments[depth] as Segment
  if (Array.isArray(container) && segment.index < 0) {
    if (!createsPath) return container
    throw path.error(`must name a position in the array "${joinNames(segments, depth)}"`)
  }
  const value = getField(container, segment)
  if (value === undefined && !createsPath) return container
  if (depth === segments.length - 1) return replaceField(container, segment, apply(value), path)
  if (value === undefined) {
    const created = createObjects(segments.slice(depth + 1), apply(undefined))
    return replaceField(container, segment, created, path)
  }
  if (isContainer(value))
    return replaceField(container, segment, applyFieldUpdate(value, update, depth + 1), path)

  if (!createsPath) return container
  const scalarPath = joinNames(segments, depth + 1)
  throw path.error(`must not go through "${scalarPath}", which is ${quote(value)}`)
}

const joinNames = (segments: readonly Segment[], end: number): string =>
  segments
    .slice(0, end)
    .map(({ name }) => name)
    .join('.')

const createObjects = (segments: readonly Segment[], value: Json | undefined): Json | undefined =>
  segments.reduceRight<Json | undefined>((inner, { name }) => ({ [name]: inner as Json }), value)

function replaceField<Parent extends Container>(
  container: Parent,
  segment: Segment,
  value: Json | undefined,
  path: InputPath,
): Parent {
  // MongoDB leaves null where the entry of an array is unset.
  const stored = Array.isArray(container) ? (value ?? null) : value
  if (stored === getField(container, segment)) return container
  if (!Array.isArray(container)) {
    if (value !== undefined) return { ...container, [segment.name]: value }
    const others = Object.entries(container).filter(([name]) => name !== segment.name)
    return Object.fromEntries(others) as Parent
  }
  const array = [...(container as readonly Json[])]
  if (segment.index - array.length > MAX_ENTRIES)
    throw path.limitError(`must name a position at most ${MAX_ENTRIES} beyond the end of its array`)

  while (array.length < segment.index) array.push(null)
  array[segment.index] = stored as Json
  return array as readonly Json[] as Parent
}
