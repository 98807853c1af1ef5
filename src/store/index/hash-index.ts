import type { Json, JsonObject } from '../../json/json.js'
import { plainValueAt, valuesAt } from '../../query/values/indexed-values.js'
import type { Entry } from '../entry.js'
import { insertOrdered, removeOrdered } from '../natural-order.js'

/** The values that a hash index finds. */
export type Scalar = string | number | boolean | null

/** Returns whether a value is neither an object nor an array. */
export const isScalar = (value: Json): value is Scalar =>
  typeof value !== 'object' || value === null

/**
 * The entries of a collection by the scalars at one path: those that an equality could match, and
 * perhaps more. An entry without the field is under null, one with an array under each element.
 */
export class HashIndex {
  readonly #valuesOf: (item: JsonObject) => readonly Json[]
  readonly #plainValueOf: (item: JsonObject) => Json | undefined
  readonly #buckets = new Map<Scalar, Entry[]>()

  constructor(path: string, entries: readonly Entry[]) {
    this.#valuesOf = valuesAt(path)
    this.#plainValueOf = plainValueAt(path)
    for (const entry of entries) this.add(entry)
  }

  /** Returns the entries that could equal the scalar, in natural order. */
  find(scalar: Scalar): readonly Entry[] {
    return this.#buckets.get(scalar) ?? []
  }

  add(entry: Entry): void {
    const value = this.#plainValueOf(entry.item)
    if (value === undefined)
      for (const scalar of this.#scalarsOf(entry)) this.#insert(scalar, entry)
    else if (isScalar(value)) this.#insert(value, entry)
  }

  remove(entry: Entry): void {
    for (const scalar of this.#scalarsOf(entry)) {
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

  #scalarsOf({ item }: Entry): ReadonlySet<Scalar> {
    return new Set(this.#valuesOf(item).filter(isScalar))
  }
}
