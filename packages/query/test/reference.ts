import type { Json, JsonObject } from '@materials-mock/json'

/**
 * Whether an item matches a query. This file is a reference implementation of MongoDB's query
 * language, written from its manual and independent of `packages/query/src`. It is simple and slow: it
 * interprets the query again for each item, lists all candidates of a path before it tests any, and
 * converts values to arrays of numbers and bytes to compare them.
 */
export function matches(item: Json, query: JsonObject): boolean {
  return Object.entries(query).every(([key, value]) => {
    const branches = value as readonly JsonObject[]
    if (key === '$and') return branches.every((branch) => matches(item, branch))
    if (key === '$or') return branches.some((branch) => matches(item, branch))
    if (key === '$nor') return !branches.some((branch) => matches(item, branch))
    const endpoints = findEndpoints(item, key.split('.'))
    return meetsCondition(expandArrays(endpoints), takeValues(endpoints), value)
  })
}

/** The end of a path. */
interface Endpoint {
  /** Undefined is a missing field. */
  readonly value: Json | undefined
  /** Whether the path ended with a position in an array. */
  readonly isPosition: boolean
}

const MISSING: Endpoint = { value: undefined, isPosition: false }

function findEndpoints(start: Json, [name, ...rest]: readonly string[]): readonly Endpoint[] {
  if (Array.isArray(start)) {
    // This is an element of an $elemMatch, whose positions act as field names.
    const element = start[Number(name)] as Json | undefined
    return rest.length === 0 ? [{ value: element, isPosition: false }] : findBelow(element, rest)
  }
  const value = (start as JsonObject)[name as string]
  return rest.length === 0 ? [{ value, isPosition: false }] : findBelow(value, rest)
}

function findBelow(value: Json | undefined, path: readonly string[]): readonly Endpoint[] {
  if (Array.isArray(value)) return findInArray(value, path)
  if (typeof value === 'object' && value !== null) return findEndpoints(value as JsonObject, path)
  return [MISSING]
}

function findInArray(array: readonly Json[], path: readonly string[]): readonly Endpoint[] {
  const [name, ...rest] = path
  return array.flatMap((element, position) => {
    const isObject = typeof element === 'object' && element !== null && !Array.isArray(element)
    const byName = isObject ? findEndpoints(element, path) : []
    if (String(position) !== name) return byName
    if (rest.length === 0) return [...byName, { value: element, isPosition: true }]
    const isContainer = typeof element === 'object' && element !== null
    return [...byName, ...(isContainer ? findBelow(element, rest) : [])]
  })
}

type Candidates = readonly (Json | undefined)[]

const expandArrays = (endpoints: readonly Endpoint[]): Candidates =>
  endpoints.flatMap(({ value, isPosition }) =>
    Array.isArray(value) && !isPosition ? [...value, value] : [value],
  )

const takeValues = (endpoints: readonly Endpoint[]): Candidates =>
  endpoints.map(({ value }) => value)

/** Whether the candidates meet a condition; `$size` and `$elemMatch` test the values themselves. */
export function meetsCondition(
  candidates: Candidates,
  values: Candidates,
  condition: Json,
): boolean {
  const isOperators =
    typeof condition === 'object' && Object.keys(condition ?? {})[0]?.startsWith('$') === true
  const operators = isOperators ? (condition as JsonObject) : { $eq: condition }
  return Object.entries(operators).every(([name, operand]) =>
    meetsOperator(candidates, values, name, operand),
  )
}

function meetsOperator(
  candidates: Candidates,
  values: Candidates,
  name: string,
  operand: Json,
): boolean {
  const meets = (inner: Json): boolean => meetsCondition(candidates, values, inner)
  const some = (test: (candidate: Json | undefined) => boolean): boolean => candidates.some(test)
  const array = operand as readonly Json[]
  switch (name) {
    case '$eq':
      return some(
        (candidate) => haveSameType(candidate, operand) && compare(candidate, operand) === 0,
      )
    case '$ne':
      return !meets({ $eq: operand })
    case '$gt':
      return some(
        (candidate) => haveSameType(candidate, operand) && compare(candidate, operand) > 0,
      )
    case '$gte':
      return some(
        (candidate) => haveSameType(candidate, operand) && compare(candidate, operand) >= 0,
      )
    case '$lt':
      return some(
        (candidate) => haveSameType(candidate, operand) && compare(candidate, operand) < 0,
      )
    case '$lte':
      return some(
        (candidate) => haveSameType(candidate, operand) && compare(candidate, operand) <= 0,
      )
    case '$in':
      return array.some((entry) => meets({ $eq: entry }))
    case '$nin':
      return !meets({ $in: operand })
    case '$not':
      return !meets(operand)
    case '$exists':
      return some((candidate) => candidate !== undefined) === operand
    case '$type':
      return some((candidate) => getType(candidate) === operand)
    case '$size':
      return values.some((value) => Array.isArray(value) && value.length === operand)
    case '$all':
      return array.length > 0 && array.every((entry) => meets({ $eq: entry }))
    case '$elemMatch':
      return values.some(
        (value) => Array.isArray(value) && hasElement(value, operand as JsonObject),
      )
    default:
      throw new Error(`the reference does not implement ${name}`)
  }
}

function hasElement(array: readonly Json[], condition: JsonObject): boolean {
  const first = Object.keys(condition)[0] ?? ''
  if (first.startsWith('$') && !['$and', '$or', '$nor'].includes(first))
    return array.some((element) => meetsCondition([element], [element], condition))

  return array.some(
    (element) => typeof element === 'object' && element !== null && matches(element, condition),
  )
}

/** The types in MongoDB's order. */
const TYPES = ['missing', 'null', 'number', 'string', 'object', 'array', 'bool']

function getType(value: Json | undefined): string {
  if (value === undefined) return 'missing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value === 'boolean' ? 'bool' : typeof value
}

const haveSameType = (a: Json | undefined, b: Json | undefined): boolean =>
  getType(a ?? null) === getType(b ?? null)

/** Compares two values in MongoDB's order. A missing value counts as null. */
const compare = (a: Json | undefined, b: Json | undefined): number =>
  compareKeys(toKey(a ?? null), toKey(b ?? null))

/** A number, bytes, or an array that is compared part by part; the shorter array comes first. */
type Key = number | Buffer | readonly Key[]

/** Converts a value to a key that sorts as the value does. */
export function toKey(value: Json | undefined): readonly Key[] {
  const rank = TYPES.indexOf(getType(value))
  if (typeof value === 'string') return [rank, Buffer.from(value)]
  if (typeof value === 'number' || typeof value === 'boolean') return [rank, Number(value) + 0]
  if (Array.isArray(value)) return [rank, value.map((element) => toKey(element))]
  if (typeof value !== 'object' || value === null) return [rank]
  const fields = Object.entries(value).map(([name, field]): Key => {
    const [type, ...content] = toKey(field)
    return [type as number, Buffer.from(name), ...content]
  })
  return [rank, fields]
}

/** Compares two keys: below 0, 0 or above 0. */
export function compareKeys(a: Key, b: Key): number {
  if (typeof a === 'number' && typeof b === 'number') return a < b ? -1 : a > b ? 1 : 0
  if (Buffer.isBuffer(a) && Buffer.isBuffer(b)) return Buffer.compare(a, b)
  const [left, right] = [a as readonly Key[], b as readonly Key[]]
  for (const [index, part] of left.entries()) {
    const other = right[index]
    const difference = other === undefined ? 1 : compareKeys(part, other)
    if (difference !== 0) return difference
  }
  return left.length - right.length
}

/** Returns the values by which an item could be sorted on a path without positions. */
export function sortValues(item: Json | undefined, path: readonly string[]): (Json | undefined)[] {
  if (Array.isArray(item)) {
    const elements = item as readonly Json[]
    if (path.length === 0) return elements.length === 0 ? [undefined] : [...elements]
    if (elements.length === 0) return [null]
    return elements.flatMap((element) =>
      Array.isArray(element) ? [null] : sortValues(element, path),
    )
  }
  if (path.length === 0) return [item ?? null]
  if (typeof item !== 'object' || item === null) return [null]
  return sortValues((item as JsonObject)[path[0] as string], path.slice(1))
}

/** Returns a value with its fields included or excluded by dotted paths. */
export function projectFields(
  value: Json,
  paths: readonly string[],
  isInclusion: boolean,
): Json | undefined {
  if (Array.isArray(value)) {
    const elements = value.map((element: Json) => projectFields(element, paths, isInclusion))
    return elements.filter((element) => element !== undefined)
  }
  if (typeof value !== 'object' || value === null) return isInclusion ? undefined : value
  const fields = Object.entries(value).flatMap(([name, field]: [string, Json]) => {
    if (paths.includes(name)) return isInclusion ? [[name, field]] : []
    const inner = paths.filter((path) => path.startsWith(`${name}.`))
    if (inner.length === 0) return isInclusion ? [] : [[name, field]]
    const rest = inner.map((path) => path.slice(name.length + 1))
    const projected = projectFields(field, rest, isInclusion)
    return projected === undefined ? [] : [[name, projected]]
  })
  return Object.fromEntries(fields) as JsonObject
}
