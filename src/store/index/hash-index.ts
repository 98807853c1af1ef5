import type { Json, JsonObject } from '../../json/json.js'
import { compileIndexedValues, compileSingleValue } from '../../query/values/indexed-values.js'
import type { Work } from '../../work/work.js'
import type { Entry } from '../entry.js'
import { insertOrdered, removeOrdered } from '../natural-order.js'

/** The number of entries in a step of work. */
const STEP_LENGTH = 256

/** A value that a hash index can look up. */
export type Scalar = string | number | boolean | null

/** Whether a value is neither an object nor an array. */
export const isScalar = (value: Json): value is Scalar =>
  typeof value !== 'object' || value === null

/**
 * The entries of a collection by the scalars at one path: those that an equality could match, and
 * perhaps more. An entry without the field is under null, one with an array under each element.
 */
export class HashIndex {
  readonly #getValues: (item: JsonObject) => readonly Json[]
  readonly #getSingleValue: (item: JsonObject) => Json | undefined
  readonly #buckets = new Map<Scalar, Entry[]>()

  constructor(path: string) {
    this.#getValues = compileIndexedValues(path)
    this.#getSingleValue = compileSingleValue(path)
  }

  /** Creates the index of a path. Nobody may change the array of entries meanwhile. */
  static *create(path: string, entries: readonly Entry[]): Work<HashIndex> {
    const index = new HashIndex(path)
    for (let at = 0; at < entries.length; at += 1) {
      index.add(entries[at] as Entry)
      if (at % STEP_LENGTH === 0) yield 'creating an index'
    }
    return index
  }

  /** Returns the entries that could equal the scalar, in natural order. */
  find(scalar: Scalar): readonly Entry[] {
    return this.#buckets.get(scalar) ?? []
  }

  add(entry: Entry): void {
    const value = this.#getSingleValue(entry.item)
    if (value === undefined)
      for (const scalar of this.#getScalars(entry)) this.#insert(scalar, entry)
    else if (isScalar(value)) this.#insert(value, entry)
  }

  remove(entry: Entry): void {
    for (const scalar of this.#getScalars(entry)) {
      const bucket = this.#buckets.get(scalar)
      if (bucket === undefined) continue
      removeOrdered(bucket, entry.ordinal)
      if (bucket.length === 0) this.#buckets.delete(scalar)
    }
  }

  #insert(scalar: Scalar, entry: Entry): void {
    const bucket = this.#buckets.get(scalar)
    if (bucket === undefined) this.#buckets.set(scalar, [entry])
    else insertOrdered(bucket, entry)
  }

  #getScalars({ item }: Entry): ReadonlySet<Scalar> {
    return new Set(this.#getValues(item).filter(isScalar))
  }
}
