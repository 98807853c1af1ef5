import { FORBIDDEN_NAMES } from '../../json/find-violation.js'
import type { Json, JsonObject } from '../../json/json.js'
import { quote } from '../../json/quote.js'
import type { InputPath } from '../../json/input-path.js'
import { MAX_DEPTH, MAX_ENTRIES } from '../limits.js'
import { compareValues } from '../values/compare-values.js'
import { checkFieldPath } from '../values/field-path.js'
import { getField, splitPath } from '../values/paths.js'
import type { Segment } from '../values/paths.js'

/** How one value changes. */
export interface Modifier {
  /** Whether a path that leads nowhere is made; else nothing changes there. */
  readonly creates: boolean
  /** The value that comes in the place of one; `undefined` is a field that is not there. */
  readonly change: (value: Json | undefined) => Json | undefined
}

/** A modifier and the path to what it changes. */
export interface Modification extends Modifier {
  readonly path: readonly Segment[]
  readonly place: InputPath
}

/**
 * The segments of a path that an update names. Throws BodyInvalid for an empty name, one that starts
 * with `$` (no positional operators: there is no query to take the position from), or one that
 * reaches into prototypes; and BoundExceeded for more than 50.
 */
export function parseUpdatePath(path: string, place: InputPath): readonly Segment[] {
  checkFieldPath(path, place)
  const segments = splitPath(path)
  const forbidden = segments.find(({ name }) => FORBIDDEN_NAMES.has(name))
  if (forbidden !== undefined) throw place.error(`must not have "${forbidden.name}" in its path`)
  if (segments.length > MAX_DEPTH) throw place.limitError(`must have at most ${MAX_DEPTH} names`)
  return segments
}

/**
 * The order in which MongoDB applies the parts of an update, and so adds fields: by name, and by
 * number where names are numbers
 * (https://www.mongodb.com/docs/manual/reference/operator/update/#update-operators-behavior). A path
 * comes right before those that go on from it.
 */
export function comparePaths(a: readonly Segment[], b: readonly Segment[]): number {
  return compareValues(a.map(orderOf), b.map(orderOf))
}

// Numbers come before strings.
const orderOf = ({ name, index }: Segment): Json => (index >= 0 ? index : name)

/**
 * What holds a field, with the field changed as a modification says; the same object where nothing
 * changes. Names are positions in lists, which are padded with null; missing objects are made.
 * Throws BodyInvalid where the path can not be made, and BoundExceeded for too much padding.
 */
export function modify<Holder extends JsonObject | readonly Json[]>(
  holder: Holder,
  modification: Modification,
  at = 0,
): Holder {
  const { path, creates, change, place } = modification
  const segment = path[at] as Segment
  if (Array.isArray(holder) && segment.index < 0) {
    if (!creates) return holder
    throw place.error(`must name a position in the list "${pathTo(path, at)}"`)
  }
  const value = getField(holder, segment)
  if (value === undefined && !creates) return holder
  if (at === path.length - 1) return replaceField(holder, segment, change(value), place)
  if (value === undefined)
    return replaceField(holder, segment, makePath(path.slice(at + 1), change(undefined)), place)

  if (typeof value === 'object' && value !== null) {
    const next = modify(value as JsonObject | readonly Json[], modification, at + 1)
    return replaceField(holder, segment, next, place)
  }
  if (!creates) return holder
  throw place.error(`must not go through "${pathTo(path, at + 1)}", which is ${quote(value)}`)
}

const pathTo = (path: readonly Segment[], end: number): string =>
  path
    .slice(0, end)
    .map(({ name }) => name)
    .join('.')

const makePath = (path: readonly Segment[], value: Json | undefined): Json | undefined =>
  path.reduceRight<Json | undefined>((inner, { name }) => ({ [name]: inner as Json }), value)

function replaceField<Holder extends JsonObject | readonly Json[]>(
  holder: Holder,
  segment: Segment,
  next: Json | undefined,
  place: InputPath,
): Holder {
  if (next === getField(holder, segment)) return holder
  if (!Array.isArray(holder)) {
    if (next !== undefined) return { ...holder, [segment.name]: next }
    const others = Object.entries(holder).filter(([name]) => name !== segment.name)
    return Object.fromEntries(others) as Holder
  }
  const list = [...(holder as readonly Json[])]
  if (segment.index - list.length > MAX_ENTRIES)
    throw place.limitError(`must name a position at most ${MAX_ENTRIES} beyond the end of its list`)

  while (list.length < segment.index) list.push(null)
  list[segment.index] = next ?? null
  return list as readonly Json[] as Holder
}
