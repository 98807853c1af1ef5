import type { InputPath, Json, JsonObject } from '@materials-mock/json'

export type Container = JsonObject | readonly Json[]

/** One name in a dotted path. In an array, a name of digits is a position. */
export interface Segment {
  readonly name: string
  /** The array position that the name stands for, or -1. `01` is not a position. */
  readonly index: number
  /** Whether every JavaScript object inherits a property of this name, such as `toString`. */
  readonly isInherited: boolean
}

export const splitPath = (path: string): readonly Segment[] =>
  path.split('.').map((name) => ({
    name,
    index: /^(0|[1-9]\d{0,9})$/.test(name) ? Number(name) : -1,
    isInherited: name in Object.prototype,
  }))

/** Returns the field of an object, or the element of an array; undefined if it is missing. */
export function getField<Value>(container: ValuesOf<Value>, segment: Segment): Value | undefined {
  if (isList(container)) return container[segment.index]
  if (segment.isInherited && !Object.hasOwn(container, segment.name)) return undefined
  return container[segment.name]
}

type ValuesOf<Value> = Readonly<Record<string, Value>> | readonly Value[]

const isList = <Value>(container: ValuesOf<Value>): container is readonly Value[] =>
  Array.isArray(container)

export const isContainer = (value: Json | undefined): value is Container =>
  typeof value === 'object' && value !== null

/** The largest number of names in a path, as in MongoDB. */
export const MAX_NAMES = 200

/**
 * MongoDB is stricter here than in a query: no name is empty or starts with `$`, but a DBRef's.
 * @throws the input path's error
 */
export function checkFieldPath(fieldPath: string, path: InputPath): void {
  const names = fieldPath.split('.')
  if (names.includes('')) throw path.error('must not have an empty name in its path')
  const dollar = names.find(
    (name, index) => name.startsWith('$') && !(index > 0 && DB_REF_FIELDS.has(name)),
  )
  if (dollar !== undefined) throw path.error(`must not have "${dollar}" in its path`)
  if (fieldPath.includes('\0')) throw path.error('must not have a null character in its path')
  if (names.length > MAX_NAMES)
    throw path.error(`must have at most ${MAX_NAMES} names in its path, not ${names.length}`)
}

/** The fields of a DBRef (https://www.mongodb.com/docs/manual/reference/database-references/#dbrefs). */
export const DB_REF_FIELDS: ReadonlySet<string> = new Set(['$ref', '$id', '$db'])

/** Whether an object is a DBRef, which is a value although its keys start with `$`. */
export const isDbRef = (value: JsonObject): boolean => '$ref' in value && '$id' in value
