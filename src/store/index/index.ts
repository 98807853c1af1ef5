import type { Json } from '@materials-mock/json'
import { compareValues, compileScalarReader, getTypeRank } from '@materials-mock/query'
import type { EntryList, Scalar } from '@materials-mock/query'
import type { Work } from '@materials-mock/work'
import type { Entry } from '../entry.js'

/** The number of entries in a step of work. */
const STEP_LENGTH = 512

/** Positions in an index: from `from` up to, but not including, `to`. */
export interface Range {
  readonly from: number
  readonly to: number
}

export type Comparison = '$eq' | '$gt' | '$gte' | '$lt' | '$lte'

/**
 * The entries of a view, sorted by their scalars at one path. Equal entries are in natural order. A missing value is
 * null. An entry with an array, an object or a long string at the path has no place. The index can't be used while
 * there is such an entry. So an index has at most as many places as there are entries.
 */
export class Index {
  readonly #read: ReturnType<typeof compileScalarReader>
  #values: Scalar[] = []
  #entries: Entry[] = []
  #unplaced = 0

  constructor(path: string) {
    this.#read = compileScalarReader(path)
  }

  /** Creates the index of a path. The entries must not change meanwhile. */
  static *create(path: string, entries: readonly Entry[]): Work<Index> {
    const index = new Index(path)
    yield* index.#fill(entries)
    return index
  }

  get isComplete(): boolean {
    return this.#unplaced === 0
  }

  get whole(): Range {
    return { from: 0, to: this.#entries.length }
  }

  /** Replaces an entry by another entry with the same ordinal, inserts an entry, or removes an entry. */
  write(former: Entry | undefined, entry: Entry | undefined): void {
    const oldValue = former && this.#read(former.item)
    const value = entry && this.#read(entry.item)
    if (former !== undefined && oldValue === undefined) this.#unplaced -= 1
    if (entry !== undefined && value === undefined) this.#unplaced += 1
    if (former !== undefined && oldValue !== undefined) {
      const position = this.#findPosition(oldValue, former)
      if (entry !== undefined && value === oldValue) {
        this.#entries[position] = entry
        return
      }
      this.#values.splice(position, 1)
      this.#entries.splice(position, 1)
    }
    if (entry === undefined || value === undefined) return
    const position = this.#findPosition(value, entry)
    this.#values.splice(position, 0, value)
    this.#entries.splice(position, 0, entry)
  }

  /** Returns the range of the values that a comparison matches. They have the type of the operand. */
  findRange(comparison: Comparison, operand: Scalar): Range {
    switch (comparison) {
      case '$eq':
        return { from: this.#before(operand), to: this.#through(operand) }
      case '$gt':
        return { from: this.#through(operand), to: this.#throughType(operand) }
      case '$gte':
        return { from: this.#before(operand), to: this.#throughType(operand) }
      case '$lt':
        return { from: this.#beforeType(operand), to: this.#before(operand) }
      case '$lte':
        return { from: this.#beforeType(operand), to: this.#through(operand) }
    }
  }

  /** Returns the position of the first value that is not less than the operand. */
  #before(operand: Scalar): number {
    return this.#search((value) => compareValues(value, operand) < 0)
  }

  /** Returns the position of the first value that is greater than the operand. */
  #through(operand: Scalar): number {
    return this.#search((value) => compareValues(value, operand) <= 0)
  }

  #beforeType(operand: Scalar): number {
    const rank = getTypeRank(operand)
    return this.#search((value) => getTypeRank(value) < rank)
  }

  #throughType(operand: Scalar): number {
    const rank = getTypeRank(operand)
    return this.#search((value) => getTypeRank(value) <= rank)
  }

  /** Whether all values of a range are equal, so that its entries are in natural order. */
  isUniform({ from, to }: Range): boolean {
    return to - from < 2 || compareValues(this.#values[from], this.#values[to - 1]) === 0
  }

  /** Returns the entries of a range in ascending order. The next write changes the list. */
  ascending({ from, to }: Range): EntryList<Entry> {
    return { length: to - from, at: (position) => this.#entries[from + position] }
  }

  /** Equal entries in natural order. The next write changes the list. */
  descending({ from, to }: Range): EntryList<Entry> {
    let equal: Range = { from: 0, to: 0 }
    const at = (position: number): Entry | undefined => {
      const mirrored = to - 1 - position
      if (mirrored < equal.from || mirrored >= equal.to)
        equal = this.findRange('$eq', this.#values[mirrored]!)
      return this.#entries[equal.from + position - (to - equal.to)]
    }
    return { length: to - from, at }
  }

  *#fill(entries: readonly Entry[]): Work<void> {
    const values: Scalar[] = []
    const placed: Entry[] = []
    for (const [at, entry] of entries.entries()) {
      const value = this.#read(entry.item)
      if (value === undefined) {
        this.#unplaced += 1
      } else {
        values.push(value)
        placed.push(entry)
      }
      if (at % STEP_LENGTH === 0) yield 'creating an index'
    }
    for (const [at, position] of (yield* sortPositions(values)).entries()) {
      this.#values.push(values[position]!)
      this.#entries.push(placed[position]!)
      if (at % STEP_LENGTH === 0) yield 'creating an index'
    }
  }

  #findPosition(value: Scalar, { ordinal }: Entry): number {
    return this.#search((other, entry) => {
      const order = compareValues(other, value)
      return order < 0 || (order === 0 && entry.ordinal < ordinal)
    })
  }

  #search(isBefore: (value: Scalar, entry: Entry) => boolean): number {
    let [low, high] = [0, this.#values.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (isBefore(this.#values[middle]!, this.#entries[middle]!)) low = middle + 1
      else high = middle
    }
    return low
  }
}

/** Returns the positions of values in sorted order, equal values in ascending order: a merge sort. */
export function* sortPositions(values: readonly Json[]): Work<Uint32Array> {
  const { length } = values
  const compare = (a: number, b: number): number => compareValues(values[a], values[b]) || a - b
  let sorted = new Uint32Array(length).map((_, position) => position)
  for (let start = 0; start < length; start += STEP_LENGTH) {
    sorted.subarray(start, start + STEP_LENGTH).sort(compare)
    yield 'creating an index'
  }
  let merged = new Uint32Array(length)
  for (let width = STEP_LENGTH; width < length; width *= 2) {
    for (let start = 0; start < length; start += 2 * width) {
      const [middle, end] = [Math.min(start + width, length), Math.min(start + 2 * width, length)]
      let [left, right] = [start, middle]
      for (let at = start; at < end; at += 1) {
        const takesLeft =
          left < middle && (right >= end || compare(sorted[left]!, sorted[right]!) < 0)
        merged[at] = sorted[takesLeft ? left++ : right++]!
        if (at % STEP_LENGTH === 0) yield 'creating an index'
      }
    }
    ;[sorted, merged] = [merged, sorted]
  }
  return sorted
}
