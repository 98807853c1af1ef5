import { compareValues } from '../query/compare.js'
import type { Json } from '../schemas/json.js'

/**
 * The positions of values in MongoDB's order, or in its reverse; equal values stay as they are. No
 * two values are compared in JavaScript where they are numbers, which a typed array sorts by itself:
 * each value gets a rank, and the ranks are counted (a counting sort).
 */
export function sortedPositions(values: readonly Json[], direction: 1 | -1): Uint32Array {
  const ranks = ranksOf(values)
  const next = startsOf(ranks, direction)
  const positions = new Uint32Array(values.length)
  for (let at = 0; at < ranks.length; at += 1) {
    const rank = ranks[at] as number
    const place = next[rank] as number
    positions[place] = at
    next[rank] = place + 1
  }
  return positions
}

/** A rank for each value, the same for equal ones: 0 for null, then the numbers, then the rest. */
function ranksOf(values: readonly Json[]): Uint32Array {
  const numbers = numbersOf(values)
  const places = placesOf(values)
  const ranks = new Uint32Array(values.length)
  for (let at = 0; at < values.length; at += 1) {
    const value = values[at] as Json
    if (typeof value === 'number') ranks[at] = 1 + firstPosition(numbers, value)
    else if (value !== null) ranks[at] = 1 + numbers.length + (places.get(value) as number)
  }
  return ranks
}

/** The numbers among the values, in order. */
function numbersOf(values: readonly Json[]): Float64Array {
  const numbers = new Float64Array(values.length)
  let count = 0
  for (const value of values) {
    if (typeof value !== 'number') continue
    numbers[count] = value
    count += 1
  }
  return numbers.subarray(0, count).toSorted()
}

/** The place of each distinct value that is neither a number nor null, in order. */
function placesOf(values: readonly Json[]): ReadonlyMap<Json, number> {
  const distinct = new Set<Json>()
  for (const value of values) if (typeof value !== 'number' && value !== null) distinct.add(value)
  const sorted = sortDistinct([...distinct])
  const places = new Map<Json, number>()
  let place = 0
  for (const [at, value] of sorted.entries()) {
    // Two objects may be equal and yet be two.
    if (at > 0 && compareValues(sorted[at - 1], value) !== 0) place = at
    places.set(value, place)
  }
  return places
}

/** UTF-16 units from here on sort otherwise than the code points that they are part of. */
const HIGH_UNIT = /[\ud800-\uffff]/

/** JavaScript's own order of strings, where it is MongoDB's, takes a third of the time. */
function sortDistinct(values: readonly Json[]): Json[] {
  const isPlain = values.every((value) => typeof value === 'string' && !HIGH_UNIT.test(value))
  return isPlain ? values.toSorted() : values.toSorted(compareValues)
}

/** Where the first number is that is not below the given one: a binary search. */
function firstPosition(numbers: Float64Array, number: number): number {
  let low = 0
  let high = numbers.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((numbers[middle] as number) < number) low = middle + 1
    else high = middle
  }
  return low
}

/** Where the values of each rank begin. */
function startsOf(ranks: Uint32Array, direction: 1 | -1): Uint32Array {
  const starts = new Uint32Array(ranks.length + 2)
  for (const rank of ranks) starts[rank] = (starts[rank] as number) + 1
  let start = 0
  const [first, end] = direction === 1 ? [0, starts.length] : [starts.length - 1, -1]
  for (let rank = first; rank !== end; rank += direction) {
    const count = starts[rank] as number
    starts[rank] = start
    start += count
  }
  return starts
}
