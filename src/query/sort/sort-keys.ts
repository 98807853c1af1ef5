import { isJsonObject } from '../../json/json.js'
import type { Json, JsonObject } from '../../json/json.js'
import type { InputPath } from '../../json/input-path.js'
import type { SortKey } from './sort-spec.js'
import { getField, splitPath } from '../values/paths.js'
import type { Segment } from '../values/paths.js'

type Holder = JsonObject | readonly Json[]

/** One path of a key on its way down: where it stands, and its value once it is found. */
interface Part {
  readonly rest: readonly Segment[]
  readonly value: Json | undefined
  /** The array that a segment of digits has gone into, and the rest of the path from there. */
  readonly positional?: Part
  /** Whether the value is an array right inside an array, which is one value and not expanded. */
  readonly isNested?: boolean
}

/**
 * Every key that an item could be sorted by, as MongoDB generates them: one where no path meets an
 * array, else one for each element of the one array that the paths share; an empty array is
 * `undefined` (below null), a missing field null. Two arrays side by side have no order: they are
 * refused, as MongoDB does ("parallel arrays"), as is a name that is both a position and a field.
 */
export function sortKeys(
  paths: readonly string[],
  place: InputPath,
): (item: JsonObject) => SortKey[] {
  const starts = paths.map((path): Part => ({ rest: splitPath(path), value: undefined }))

  const expand = (parts: readonly Part[], holder: Holder, keys: SortKey[]): void => {
    let array: readonly Json[] | undefined
    let isNested = false
    const inArray = new Set<number>()
    const reached = parts.map((part, at): Part => {
      if (part.rest.length === 0) return part
      const next = step(part, holder, paths[at] as string, place)
      if (!Array.isArray(next.value)) return { rest: [], value: next.value ?? null }
      if (array !== undefined && array !== next.value)
        throw place.error('meets an item with two arrays side by side, which have no order')

      array = next.value as readonly Json[]
      isNested ||= next.isNested === true
      inArray.add(at)
      return next
    })
    if (array === undefined) {
      keys.push(reached.map((part) => part.value))
      return
    }
    const elements: readonly (Json | undefined)[] = array.length === 0 ? [undefined] : array
    const found = array
    const placed = reached.map((part, at) => (inArray.has(at) ? intoPosition(part, found) : part))
    for (const element of elements) {
      const value = isNested && found.length > 0 ? found : element
      const inside = placed.map((part, at) =>
        inArray.has(at) && part.rest.length === 0 ? { rest: [], value } : part,
      )
      expand(inside, isJsonObject(element) ? element : {}, keys)
    }
  }

  return (item) => {
    const keys: SortKey[] = []
    expand(starts, item, keys)
    return keys
  }
}

/** Where a path comes to from a holder: its value, or the first array on its way. */
function step(part: Part, holder: Holder, path: string, place: InputPath): Part {
  const inHolder = getField(holder, part.rest[0] as Segment) !== undefined
  if (part.positional === undefined) return walk(part.rest, holder)
  if (!inHolder) return part.positional
  throw place.error(
    `meets an item where a number in "${path}" is both a position in an array and a field in it`,
  )
}

function walk(segments: readonly Segment[], holder: Holder): Part {
  let value: Json | undefined = holder
  for (const [at, segment] of segments.entries()) {
    const within: Json | undefined = value
    if (typeof within !== 'object' || within === null) return { rest: [], value: undefined }
    value = getField(within, segment)
    if (Array.isArray(value)) return { rest: segments.slice(at + 1), value }
  }
  return { rest: [], value }
}

function intoPosition(part: Part, array: readonly Json[]): Part {
  const [segment] = part.rest
  if (segment === undefined || array[segment.index] === undefined) return part
  const isNested = Array.isArray(array[segment.index])
  return { ...part, positional: { ...walk(part.rest, array), isNested } }
}
