import type { Json, JsonObject } from '../../json/json.js'
import type { IndexRange } from '../../query/evaluate.js'
import { compareValues, getTypeRank } from '../../query/values/compare-values.js'
import { compileIndexedValues, compileSingleValue } from '../../query/values/indexed-values.js'
import type { Work } from '../../work/work.js'
import type { Entry } from '../entry.js'
import { sortOrdered } from '../natural-order.js'
import { sortPositions } from './sort-positions.js'

/** The number of entries in a step of work. */
const STEP_LENGTH = 256

/** The operators that a range of the index answers, with a scalar as the operand. */
export type Comparison = '$gt' | '$gte' | '$lt' | '$lte'

/** Whether a value is before a boundary in MongoDB's order. */
type Boundary = (value: Json) => boolean

/**
 * The entries of a collection sorted by their values at one path; equal values are in natural order.
 * An entry has one position for each value that a comparison could match; a missing value is null.
 */
export class SortedIndex {
  readonly #getValues: (item: JsonObject) => readonly Json[]
  readonly #getSingleValue: (item: JsonObject) => Json | undefined
  readonly #direction: 1 | -1
  /** The sorted values, and at the same positions the entries that have them. */
  readonly #values: Json[] = []
  readonly #entries: Entry[] = []
  /** The number of entries that have an array on the path or at its end. */
  #arrayCount = 0

  constructor(path: string, direction: 1 | -1) {
    this.#getValues = compileIndexedValues(path)
    this.#getSingleValue = compileSingleValue(path)
    this.#direction = direction
  }

  /** Creates the index of a path. Nobody may change the array of entries meanwhile. */
  static *create(path: string, direction: 1 | -1, entries: readonly Entry[]): Work<SortedIndex> {
    const index = new SortedIndex(path, direction)
    yield* index.#fill(entries)
    return index
  }

  *#fill(entries: readonly Entry[]): Work<void> {
    const values: Json[] = []
    const owners: Entry[] = []
    for (let at = 0; at < entries.length; at += 1) {
      const entry = entries[at] as Entry
      const value = this.#getSingleValue(entry.item)
      if (value === undefined) this.#arrayCount += 1
      for (const each of value === undefined ? this.#getValues(entry.item) : [value]) {
        values.push(each)
        owners.push(entry)
      }
      if (at % STEP_LENGTH === 0) yield 'creating an index'
    }
    // Positions are sorted, as an object for each value would be garbage for V8 to collect.
    const positions = yield* sortPositions(
      values.length,
      (a, b) => this.#direction * compareValues(values[a], values[b]),
    )
    for (let at = 0; at < positions.length; at += 1) {
      const position = positions[at] as number
      this.#values.push(values[position] as Json)
      this.#entries.push(owners[position] as Entry)
      if (at % STEP_LENGTH === 0) yield 'creating an index'
    }
  }

  /** Whether each entry has one position, so that the index is in MongoDB's sort order. */
  get hasNoArrays(): boolean {
    return this.#arrayCount === 0
  }

  /** The entries in the order of the index. The next write changes this array. */
  get entries(): readonly Entry[] {
    return this.#entries
  }

  /** Returns the range of the values that a comparison matches: those of the operand's type. */
  findRange(comparison: Comparison, operand: Json): IndexRange {
    const rank = getTypeRank(operand)
    const beforeType: Boundary = (value) => getTypeRank(value) < rank
    const throughType: Boundary = (value) => getTypeRank(value) <= rank
    const before: Boundary = (value) => compareValues(value, operand) < 0
    const through: Boundary = (value) => compareValues(value, operand) <= 0
    switch (comparison) {
      case '$gt':
        return this.#between(through, throughType)
      case '$gte':
        return this.#between(before, throughType)
      case '$lt':
        return this.#between(beforeType, before)
      case '$lte':
        return this.#between(beforeType, through)
    }
  }

  /** Returns the entries of a range in natural order, each once. */
  inNaturalOrder({ from, to }: IndexRange): readonly Entry[] {
    const found = this.#entries.slice(from, to)
    return sortOrdered(this.hasNoArrays ? found : [...new Set(found)])
  }

  add(entry: Entry): void {
    if (this.#hasArray(entry.item)) this.#arrayCount += 1
    for (const value of this.#getValues(entry.item)) {
      const position = this.#findPosition(value, entry)
      this.#values.splice(position, 0, value)
      this.#entries.splice(position, 0, entry)
    }
  }

  remove(entry: Entry): void {
    if (this.#hasArray(entry.item)) this.#arrayCount -= 1
    for (const value of this.#getValues(entry.item)) {
      const position = this.#findPosition(value, entry)
      this.#values.splice(position, 1)
      this.#entries.splice(position, 1)
    }
  }

  /** Returns the range from one boundary to another. */
  #between(lower: Boundary, upper: Boundary): IndexRange {
    return this.#direction === 1
      ? { from: this.#search(lower), to: this.#search(upper) }
      : {
          from: this.#search((value) => !upper(value)),
          to: this.#search((value) => !lower(value)),
        }
  }

  #hasArray(item: JsonObject): boolean {
    return this.#getSingleValue(item) === undefined
  }

  #findPosition(value: Json, { ordinal }: Entry): number {
    return this.#search((other, entry) => {
      const order = this.#direction * compareValues(other, value)
      return order < 0 || (order === 0 && entry.ordinal < ordinal)
    })
  }

  /** Returns the first position that is not before a point, by binary search. */
  #search(isBefore: (value: Json, entry: Entry) => boolean): number {
    let [low, high] = [0, this.#values.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (isBefore(this.#values[middle] as Json, this.#entries[middle] as Entry)) low = middle + 1
      else high = middle
    }
    return low
  }
}
