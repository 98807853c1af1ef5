import { isJsonObject } from '../../json/json.js'
import type { Json, JsonObject } from '../../json/json.js'

/** An item of a resource. */
export interface Item extends JsonObject {
  readonly _id: string
}

/**
 * Items that a deployment has. Statements send queries whose answers follow from them: each is
 * limited to the `_id`s of the sample, so that the answer is the same whatever else there is.
 */
export interface Sample {
  readonly items: readonly Item[]
}

/** The limits of a sample. It has at least one item, if there is one. */
const MAX_ITEMS = 20
const MAX_BYTES = 1_000_000
const MAX_ID_BYTES = 2000

/** Takes a sample of a list: its first items, as far as their `_id`s fit well into a URL. */
export function toSample(list: readonly unknown[]): Sample {
  const items: Item[] = []
  let [bytes, idBytes] = [0, 0]
  for (const item of list.filter(isItem).filter(hasPath)) {
    bytes += JSON.stringify(item).length
    idBytes += encodeURIComponent(item._id).length + 9
    const isFull = items.length === MAX_ITEMS || bytes > MAX_BYTES || idBytes > MAX_ID_BYTES
    if (isFull && items.length > 0) break
    items.push(item)
  }
  return { items }
}

/** Describes a sample that lacks something. */
export const describeSample = ({ items }: Sample, resource: string): string =>
  `none in a sample of ${describeCount(items.length)} of ${resource}`

/** Describes a number of items: `1 item`. */
export const describeCount = (count: number): string => (count === 1 ? '1 item' : `${count} items`)

/** Whether a value is an object with a string `_id`. */
export const isItem = (value: unknown): value is Item =>
  isJsonObject(value) && typeof value._id === 'string' && value._id !== ''

/** Whether the path of an item can have its `_id`: a URL has no segment `..`. */
const hasPath = ({ _id }: Item): boolean => !/^\.{1,2}$/.test(_id) && isWellFormed(_id)

/** Whether a string can be encoded in UTF-8: it has no half of a surrogate pair. */
export const isWellFormed = (text: string): boolean => !/\p{Surrogate}/u.test(text)

/** The names that no query may have in a path. */
const FORBIDDEN: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

/** Whether a key can be a segment of a dotted path, and only of one: no index of an array. */
export const isPathSegment = (key: string): boolean =>
  key !== '' && !/^\$|\.|\0|^\d+$/.test(key) && isWellFormed(key) && !FORBIDDEN.has(key)

/** Returns the value of an item at a path, or undefined. The path does not go through arrays. */
export function getAt(item: JsonObject, path: string): Json | undefined {
  let value: Json | undefined = item
  for (const segment of path.split('.'))
    value = isJsonObject(value) && Object.hasOwn(value, segment) ? value[segment] : undefined
  return value
}
