import { FORBIDDEN_NAMES, isJsonObject, valueAt } from '@materials-mock/json'
import type { Json, JsonObject } from '@materials-mock/json'

export interface Item extends JsonObject {
  readonly _id: string
}

/** Each query is limited to the `_id`s of the sample, so that other items do not matter. */
export type Sample = readonly Item[]

/** The limits of a sample. It has at least one item, if there are items. */
const MAX_ITEMS = 20
const MAX_BYTES = 1_000_000
const MAX_ID_BYTES = 2000

/** Takes a sample of a list: the first items whose `_id`s fit into a URL. */
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
  return items
}

export const describeSample = (sample: Sample, resource: string): string =>
  `none in a sample of ${describeCount(sample.length)} of ${resource}`

export const describeCount = (count: number): string => (count === 1 ? '1 item' : `${count} items`)

export const isItem = (value: unknown): value is Item =>
  isJsonObject(value) && typeof value._id === 'string' && value._id !== ''

/** Whether the path of an item can have its `_id`: a URL has no segment `..`. */
const hasPath = ({ _id }: Item): boolean => !/^\.{1,2}$/.test(_id) && isWellFormed(_id)

/** Whether a string can be encoded in UTF-8, without half of a surrogate pair. */
const isWellFormed = (text: string): boolean => !/\p{Surrogate}/u.test(text)

/** Whether a key can be a segment of a dotted path, and is not an index of an array. */
export const isPathSegment = (key: string): boolean =>
  key !== '' && !/^\$|\.|\0|^\d+$/.test(key) && isWellFormed(key) && !FORBIDDEN_NAMES.has(key)

/** Returns the value of an item at a path, or undefined. The path does not go through arrays. */
export const getAt = (item: JsonObject, path: string): Json | undefined =>
  valueAt(item, path.split('.'))

/**
 * As MongoDB does: through the objects of an array, whose elements at the end are values. A number
 * is a name, or a position, by which alone an array in an array is entered.
 */
export function findQueried(value: Json | undefined, names: readonly string[]): Json[] {
  const [name, ...rest] = names
  if (value === undefined) return []
  if (name === undefined) return Array.isArray(value) ? value : [value]
  if (isJsonObject(value)) return Object.hasOwn(value, name) ? findQueried(value[name], rest) : []
  if (!Array.isArray(value)) return []
  const inside = value.filter(isJsonObject).flatMap((each) => findQueried(each, names))
  const element = /^(0|[1-9]\d*)$/.test(name)
    ? (value[Number(name)] as Json | undefined)
    : undefined
  if (element === undefined) return inside
  // The elements of an array at a last position are not values.
  return [...inside, ...(rest.length === 0 ? [element] : findQueried(element, rest))]
}

export interface SampledPath {
  readonly path: string
  readonly values: readonly (Json | undefined)[]
}

/** Preferred paths of queries, because every deployment stores them. */
const FAMILIAR = [
  'name',
  'formula',
  'unitCellFormula',
  'slug',
  'status',
  'lattice.a',
  'lattice.type',
]

/** The number of levels of objects in which paths are searched. */
const MAX_LEVELS = 5

/**
 * Those that no item has an array on; values may be arrays. Familiar paths first, then short ones.
 */
export function findPaths(sample: Sample): SampledPath[] {
  const paths = new Set<string>()
  const throughArrays = new Set<string>()
  for (const item of sample) collect(item, '', 1, paths, throughArrays)
  paths.delete('_id')
  return [...paths]
    .filter((path) => ![...throughArrays].some((prefix) => path.startsWith(`${prefix}.`)))
    .toSorted((a, b) => rank(a) - rank(b) || a.length - b.length || (a < b ? -1 : 1))
    .map((path) => ({ path, values: sample.map((item) => getAt(item, path)) }))
}

function collect(
  value: JsonObject,
  prefix: string,
  level: number,
  paths: Set<string>,
  throughArrays: Set<string>,
): void {
  for (const [key, child] of Object.entries(value)) {
    if (!isPathSegment(key)) continue
    paths.add(prefix + key)
    if (Array.isArray(child)) throughArrays.add(prefix + key)
    if (isJsonObject(child) && level < MAX_LEVELS)
      collect(child, `${prefix}${key}.`, level + 1, paths, throughArrays)
  }
}

function rank(path: string): number {
  const index = FAMILIAR.indexOf(path)
  return index === -1 ? FAMILIAR.length : index
}

/** The longest string that a query has. */
const MAX_LENGTH = 200

/** Matches a date in JSON. A deployment may store it as a date, which equals no string. */
const DATE = /^\d{4}-\d\d-\d\dT/

export type Value = Json | undefined

/** Whether a value is a string that can be queried by. */
export const isText = (value: Value): value is string =>
  typeof value === 'string' &&
  value.length > 0 &&
  value.length <= MAX_LENGTH &&
  isWellFormed(value) &&
  !value.includes('\0') &&
  !DATE.test(value)

/**
 * A deployment may store integers of 64 bits, which JavaScript rounds, and round extreme numbers.
 */
export const isQuantity = (value: Value): value is number =>
  typeof value === 'number' &&
  (value === 0 || (Math.abs(value) > 1e-12 && Math.abs(value) <= Number.MAX_SAFE_INTEGER))

export const isString = (value: Value): value is string => typeof value === 'string'

export const isNone = (value: Value): boolean => value === undefined || value === null

export const isScalar = (value: Value): boolean => typeof value !== 'object' || value === null

/** Compares two strings by their code points, as MongoDB does; JavaScript compares UTF-16. */
export const compareStrings = (a: string, b: string): number =>
  Buffer.compare(Buffer.from(a), Buffer.from(b))

export const distinct = <T extends Json>(values: readonly T[]): T[] => [...new Set(values)]
