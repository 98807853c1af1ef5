import { compareValues, typeRank } from '../query/compare.js'
import type { Span } from '../query/evaluate.js'
import { plainValueAt, valuesAt } from '../query/paths.js'
import type { Json, JsonObject } from '../schemas/json.js'
import type { Entry } from './collection.js'
import { sortOrdered } from './natural-order.js'
import { sortedPositions } from './sorted-positions.js'

/** A comparison with a scalar. */
export type Comparison = '$gt' | '$gte' | '$lt' | '$lte'

/** Whether a value lies below a point in MongoDB's order. */
type Cut = (value: Json) => boolean

/**
 * The entries of a collection sorted by their values at one path, equal values in natural order.
 * An entry stands once for each value that a comparison could meet there; a missing one is null.
 */
export class SortedIndex {
  readonly #valuesOf: (item: JsonObject) => readonly Json[]
  readonly #plainValueOf: (item: JsonObject) => Json | undefined
  readonly #direction: 1 | -1
  /** The values in order, and beside each the entry that has it. */
  readonly #values: Json[] = []
  readonly #entries: Entry[] = []
  /** How many entries have an array on the path or at its end: those sort by rules of their own. */
  #irregular = 0

  constructor(path: string, direction: 1 | -1, entries: readonly Entry[]) {
    this.#valuesOf = valuesAt(path)
    this.#plainValueOf = plainValueAt(path)
    this.#direction = direction
    const values: Json[] = []
    const holders: Entry[] = []
    const add = (value: Json, entry: Entry): void => {
      values.push(value)
      holders.push(entry)
    }
    for (const entry of entries) {
      const value = this.#plainValueOf(entry.item)
      if (value !== undefined) add(value, entry)
      else for (const each of this.#valuesOf(entry.item)) add(each, entry)
      if (value === undefined) this.#irregular += 1
    }
    for (const position of sortedPositions(values, direction)) {
      this.#values.push(values[position] as Json)
      this.#entries.push(holders[position] as Entry)
    }
  }

  /** Whether each entry stands here once, so that the index's order is MongoDB's sort order. */
  get isRegular(): boolean {
    return this.#irregular === 0
  }

  /** The entries in the index's order; changed by the next write. */
  get entries(): readonly Entry[] {
    return this.#entries
  }

  /** Where the values are that a comparison could meet: those of the operand's type it holds for. */
  span(comparison: Comparison, operand: Json): Span {
    const rank = typeRank(operand)
    const ofLess: Cut = (value) => typeRank(value) < rank
    const ofType: Cut = (value) => typeRank(value) <= rank
    const below: Cut = (value) => compareValues(value, operand) < 0
    const upTo: Cut = (value) => compareValues(value, operand) <= 0
    switch (comparison) {
      case '$gt':
        return this.#between(upTo, ofType)
      case '$gte':
        return this.#between(below, ofType)
      case '$lt':
        return this.#between(ofLess, below)
      case '$lte':
        return this.#between(ofLess, upTo)
    }
  }

  /** The entries of a span in natural order, each once. */
  entriesIn({ from, to }: Span): readonly Entry[] {
    const found = this.#entries.slice(from, to)
    const each = this.isRegular ? found : [...new Set(found)]
    return sortOrdered(each)
  }

  add(entry: Entry): void {
    if (this.#isIrregular(entry.item)) this.#irregular += 1
    for (const value of this.#valuesOf(entry.item)) {
      const position = this.#positionOf(value, entry)
      this.#values.splice(position, 0, value)
      this.#entries.splice(position, 0, entry)
    }
  }

  remove(entry: Entry): void {
    if (this.#isIrregular(entry.item)) this.#irregular -= 1
    for (const value of this.#valuesOf(entry.item)) {
      const position = this.#positionOf(value, entry)
      this.#values.splice(position, 1)
      this.#entries.splice(position, 1)
    }
  }

  /** The values above one cut, up to another. */
  #between(lower: Cut, upper: Cut): Span {
    return this.#direction === 1
      ? { from: this.#search(lower), to: this.#search(upper) }
      : {
          from: this.#search((value) => !upper(value)),
          to: this.#search((value) => !lower(value)),
        }
  }

  #isIrregular(item: JsonObject): boolean {
    return this.#plainValueOf(item) === undefined
  }

  #positionOf(value: Json, { ordinal }: Entry): number {
    return this.#search((other, entry) => {
      const order = this.#direction * compareValues(other, value)
      return order < 0 || (order === 0 && entry.ordinal < ordinal)
    })
  }

  /** The first position that does not come before: a binary search. */
  #search(comesBefore: (value: Json, entry: Entry) => boolean): number {
    let [low, high] = [0, this.#values.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (comesBefore(this.#values[middle] as Json, this.#entries[middle] as Entry))
        low = middle + 1
      else high = middle
    }
    return low
  }
}
