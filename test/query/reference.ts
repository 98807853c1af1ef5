import type { Json, JsonObject } from '../../src/json/json.js'

/**
 * MongoDB's query language, read from its manual alone and written as plainly as can be: it goes
 * through a query again for each item, makes a list of all candidates of a path before it looks at
 * any, and turns values into lists of numbers and bytes to compare them. Slow, and independent of
 * `src/query`, which it is compared with.
 */
export function meets(item: Json, query: JsonObject): boolean {
  return Object.entries(query).every(([key, value]) => {
    const branches = value as readonly JsonObject[]
    if (key === '$and') return branches.every((branch) => meets(item, branch))
    if (key === '$or') return branches.some((branch) => meets(item, branch))
    if (key === '$nor') return !branches.some((branch) => meets(item, branch))
    const found = endpoints(item, key.split('.'))
    return meetsCondition(offered(found), wholes(found), value)
  })
}

/** Where a path ends: a value, or nothing. `fixed` says that a position in an array ended it. */
interface Endpoint {
  readonly value: Json | undefined
  readonly fixed: boolean
}

const nothing: Endpoint = { value: undefined, fixed: false }

function endpoints(start: Json, [name, ...rest]: readonly string[]): readonly Endpoint[] {
  if (Array.isArray(start)) {
    // Only at the top, where an array inside an array is judged by $elemMatch.
    const element = start[Number(name)] as Json | undefined
    return rest.length === 0 ? [{ value: element, fixed: false }] : below(element, rest)
  }
  const value = (start as JsonObject)[name as string]
  return rest.length === 0 ? [{ value, fixed: false }] : below(value, rest)
}

function below(value: Json | undefined, path: readonly string[]): readonly Endpoint[] {
  if (Array.isArray(value)) return throughArray(value, path)
  if (typeof value === 'object' && value !== null) return endpoints(value as JsonObject, path)
  return [nothing]
}

function throughArray(array: readonly Json[], path: readonly string[]): readonly Endpoint[] {
  const [name, ...rest] = path
  return array.flatMap((element, position) => {
    const isObject = typeof element === 'object' && element !== null && !Array.isArray(element)
    const byName = isObject ? endpoints(element, path) : []
    if (String(position) !== name) return byName
    if (rest.length === 0) return [...byName, { value: element, fixed: true }]
    const isHolder = typeof element === 'object' && element !== null
    return [...byName, ...(isHolder ? below(element, rest) : [])]
  })
}

const offered = (found: readonly Endpoint[]): readonly (Json | undefined)[] =>
  found.flatMap(({ value, fixed }) =>
    Array.isArray(value) && !fixed ? [...value, value] : [value],
  )

const wholes = (found: readonly Endpoint[]): readonly (Json | undefined)[] =>
  found.map(({ value }) => value)

type Candidates = readonly (Json | undefined)[]

function meetsCondition(candidates: Candidates, whole: Candidates, condition: Json): boolean {
  const isOperators =
    typeof condition === 'object' && Object.keys(condition ?? {})[0]?.startsWith('$') === true
  const operators = isOperators ? (condition as JsonObject) : { $eq: condition }
  return Object.entries(operators).every(([name, operand]) =>
    meetsOperator(candidates, whole, name, operand),
  )
}

function meetsOperator(
  candidates: Candidates,
  whole: Candidates,
  name: string,
  operand: Json,
): boolean {
  const inner = (value: Json): boolean => meetsCondition(candidates, whole, value)
  const some = (test: (candidate: Json | undefined) => boolean): boolean => candidates.some(test)
  const list = operand as readonly Json[]
  switch (name) {
    case '$eq':
      return some((candidate) => sameType(candidate, operand) && order(candidate, operand) === 0)
    case '$ne':
      return !inner({ $eq: operand })
    case '$gt':
      return some((candidate) => sameType(candidate, operand) && order(candidate, operand) > 0)
    case '$gte':
      return some((candidate) => sameType(candidate, operand) && order(candidate, operand) >= 0)
    case '$lt':
      return some((candidate) => sameType(candidate, operand) && order(candidate, operand) < 0)
    case '$lte':
      return some((candidate) => sameType(candidate, operand) && order(candidate, operand) <= 0)
    case '$in':
      return list.some((entry) => inner({ $eq: entry }))
    case '$nin':
      return !inner({ $in: operand })
    case '$not':
      return !inner(operand)
    case '$exists':
      return some((candidate) => candidate !== undefined) === operand
    case '$type':
      return some((candidate) => typeName(candidate) === operand)
    case '$size':
      return whole.some((value) => Array.isArray(value) && value.length === operand)
    case '$all':
      return list.length > 0 && list.every((entry) => inner({ $eq: entry }))
    case '$elemMatch':
      return whole.some((value) => Array.isArray(value) && hasElement(value, operand as JsonObject))
    default:
      throw new Error(`the reference has no ${name}`)
  }
}

function hasElement(array: readonly Json[], condition: JsonObject): boolean {
  const first = Object.keys(condition)[0] ?? ''
  if (first.startsWith('$') && !['$and', '$or', '$nor'].includes(first))
    return array.some((element) => meetsCondition([element], [element], condition))

  return array.some(
    (element) => typeof element === 'object' && element !== null && meets(element, condition),
  )
}

/** The place of each type in the order of types; missing and null are one in a comparison. */
const types = ['missing', 'null', 'number', 'string', 'object', 'array', 'bool']

function typeName(value: Json | undefined): string {
  if (value === undefined) return 'missing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value === 'boolean' ? 'bool' : typeof value
}

const sameType = (a: Json | undefined, b: Json | undefined): boolean =>
  typeName(a ?? null) === typeName(b ?? null)

/** MongoDB's order of two values, where a missing one is like null: below 0, 0, above 0. */
const order = (a: Json | undefined, b: Json | undefined): number =>
  orderOfKeys(comparable(a ?? null), comparable(b ?? null))

type Key = number | Buffer | readonly Key[]

/** A value as a list whose parts are compared one by one, the shorter list being the smaller. */
export function comparable(value: Json | undefined): readonly Key[] {
  const rank = types.indexOf(typeName(value))
  if (typeof value === 'string') return [rank, Buffer.from(value)]
  if (typeof value === 'number' || typeof value === 'boolean') return [rank, Number(value) + 0]
  if (Array.isArray(value)) return [rank, value.map((element) => comparable(element))]
  if (typeof value !== 'object' || value === null) return [rank]
  const fields = Object.entries(value).map(([name, field]): Key => {
    const [type, ...content] = comparable(field)
    return [type as number, Buffer.from(name), ...content]
  })
  return [rank, fields]
}

export function orderOfKeys(a: Key, b: Key): number {
  if (typeof a === 'number' && typeof b === 'number') return a < b ? -1 : a > b ? 1 : 0
  if (Buffer.isBuffer(a) && Buffer.isBuffer(b)) return Buffer.compare(a, b)
  const [left, right] = [a as readonly Key[], b as readonly Key[]]
  for (const [index, part] of left.entries()) {
    const other = right[index]
    const difference = other === undefined ? 1 : orderOfKeys(part, other)
    if (difference !== 0) return difference
  }
  return left.length - right.length
}

/** The values that an item could be sorted by on a path without positions. */
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

/** What an inclusion or exclusion of dotted paths leaves of a value. */
export function fieldsOf(
  value: Json,
  paths: readonly string[],
  including: boolean,
): Json | undefined {
  if (Array.isArray(value)) {
    const elements = value.map((element: Json) => fieldsOf(element, paths, including))
    return elements.filter((element) => element !== undefined)
  }
  if (typeof value !== 'object' || value === null) return including ? undefined : value
  const kept = Object.entries(value).flatMap(([name, field]: [string, Json]) => {
    if (paths.includes(name)) return including ? [[name, field]] : []
    const within = paths.filter((path) => path.startsWith(`${name}.`))
    if (within.length === 0) return including ? [] : [[name, field]]
    const rest = within.map((path) => path.slice(name.length + 1))
    const left = fieldsOf(field, rest, including)
    return left === undefined ? [] : [[name, left]]
  })
  return Object.fromEntries(kept) as JsonObject
}
