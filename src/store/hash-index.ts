import { plainValueAt, valuesAt } from '../query/paths.js'
import type { Json, JsonObject } from '../schemas/json.js'
import type { Entry } from './collection.js'
import { insertOrdered, removeOrdered } from './natural-order.js'

/** The values that equality finds in an index: strings, numbers, booleans and null. */
export type Scalar = string | number | boolean | null

/** Whether a value is neither an object nor a list. */
export const isScalar = (value: Json): value is Scalar =>
  typeof value !== 'object' || value === null

/**
 * The entries of a collection by the scalars at one path: those that equality with a scalar could
 * meet, and perhaps more. What is missing stands under null, an array under each of its elements.
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

  /** The entries that could equal the scalar, in natural order. */
  find(scalar: Scalar): readonly Entry[] {
    return this.#buckets.get(scalar) ?? []
  }

  add(entry: Entry): void {
    const value = this.#plainValueOf(entry.item)
    if (value === undefined) for (const scalar of this.#scalarsOf(entry)) this.#file(scalar, entry)
    else if (isScalar(value)) this.#file(value, entry)
  }

  remove(entry: Entry): void {
    for (const scalar of this.#scalarsOf(entry)) {
      const bucket = this.#buckets.get(scalar)
      if (bucket === undefined) continue
      removeOrdered(bucket, entry.ordinal)
      if (bucket.length === 0) this.#buckets.delete(scalar)
    }
  }

  #file(scalar: Scalar, entry: Entry): void {
    const bucket = this.#buckets.get(scalar)
    if (bucket === undefined) this.#buckets.set(scalar, [entry])
    else insertOrdered(bucket, entry)
  }

  /** Each scalar that an entry is filed under, once. */
  #scalarsOf({ item }: Entry): Iterable<Scalar> {
    return new Set(this.#valuesOf(item).filter(isScalar))
  }
}
