import type { Json, JsonObject } from '../../../src/json/json.js'
import { compareKeys, matches, toKey } from '../reference.js'

type Values = Record<string, unknown>

/** An update of one field: the operator, the names of the path, and the operand. */
type Change = readonly [operator: string, path: readonly string[], operand: Json]

/**
 * Applies an update to an item. Written from MongoDB's manual, and independent of `src/query`: it
 * replaces `$[]` and `$[x]` by the positions in the item, compares each pair of paths, and then
 * changes a copy path by path.
 * @throws Error for an update that MongoDB refuses
 */
export function applyUpdate(item: JsonObject, body: JsonObject): JsonObject {
  const { arrayFilters = [], ...operators } = body
  const changes = Object.entries(operators).flatMap(([operator, fields]) =>
    Object.entries(fields as JsonObject).map(([path, operand]): Change => [
      operator,
      path.split('.'),
      operand,
    ]),
  )
  changes.forEach(([, path], index) =>
    changes.slice(index + 1).forEach(([, other]) => checkConflict(path, other)),
  )
  const [filter] = arrayFilters as readonly JsonObject[]
  const expanded = changes.flatMap(([operator, path, operand]) =>
    expand(item, path, filter).map((names): Change => [operator, names, operand]),
  )
  expanded.forEach(([, path], index) =>
    expanded.slice(index + 1).forEach(([, other]) => checkConflict(path, other)),
  )
  const copy = structuredClone(item) as Values
  for (const [operator, path, operand] of expanded.toSorted((a, b) => comparePaths(a[1], b[1])))
    change(copy, path, operator, operand)
  return copy as JsonObject
}

const isFilter = (name: string | undefined): boolean => name?.startsWith('$[') === true

function checkConflict(a: readonly string[], b: readonly string[]): void {
  const length = Math.min(a.length, b.length)
  const at = a.slice(0, length).findIndex((name, index) => name !== b[index])
  if (at < 0 || isFilter(a[at]) !== isFilter(b[at])) throw new Error('conflict')
}

/** Returns a path with positions in the place of `$[]` and `$[x]`, for each selected element. */
function expand(
  value: Json | undefined,
  [name, ...rest]: readonly string[],
  filter: JsonObject | undefined,
): readonly (readonly string[])[] {
  if (name === undefined) return [[]]
  if (!isFilter(name)) {
    const inner = typeof value === 'object' ? (value as JsonObject | null)?.[name] : undefined
    return expand(inner, rest, filter).map((names) => [name, ...names])
  }
  if (!Array.isArray(value)) throw new Error('not an array')
  return (value as readonly Json[]).flatMap((element, index) => {
    const isSelected = name === '$[]' || matches({ x: element }, filter as JsonObject)
    return isSelected ? expand(element, rest, filter).map((names) => [`${index}`, ...names]) : []
  })
}

function comparePaths(a: readonly string[], b: readonly string[]): number {
  const at = a.findIndex((name, index) => name !== b[index])
  const [left = '', right = ''] = [a[at], b[at]]
  const [isNumber, isOtherNumber] = [/^\d+$/.test(left), /^\d+$/.test(right)]
  if (isNumber && isOtherNumber) return Number(left) - Number(right)
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1
  return left < right ? -1 : 1
}

const CREATING = new Set(['$set', '$inc', '$mul', '$min', '$max', '$bit', '$push', '$addToSet'])

function change(
  container: Values | unknown[],
  [name, ...rest]: readonly string[],
  operator: string,
  operand: Json,
): void {
  const isArray = Array.isArray(container)
  if (isArray && !/^\d+$/.test(name as string)) {
    if (operator === '$unset') return
    throw new Error('not a position')
  }
  const values = container as Values
  const exists = Object.keys(values).includes(name as string)
  if (!exists && !CREATING.has(operator)) return
  const fill = (): void => {
    if (!isArray) return
    while (container.length < Number(name)) container.push(null)
  }
  if (rest.length === 0) {
    const updated = calculate(
      operator,
      exists ? (values[name as string] as Json) : undefined,
      operand,
    )
    fill()
    if (updated !== undefined) values[name as string] = updated
    else if (isArray) values[name as string] = null
    else delete values[name as string]
    return
  }
  if (!exists) {
    fill()
    values[name as string] = {}
  }
  const inner = values[name as string]
  if (typeof inner === 'object' && inner !== null) change(inner as Values, rest, operator, operand)
  else if (operator !== '$unset') throw new Error('blocked')
}

const compare = (a: Json, b: Json): number => compareKeys(toKey(a), toKey(b))

function calculate(operator: string, value: Json | undefined, operand: Json): Json | undefined {
  switch (operator) {
    case '$set':
      return operand
    case '$unset':
      return undefined
    case '$inc':
      return toNumber(value) + (operand as number)
    case '$mul':
      return toNumber(value) * (operand as number) + 0
    case '$bit':
      return toNumber(value) | (operand as { or: number }).or
    case '$min':
      return value === undefined || compare(operand, value) < 0 ? operand : value
    case '$max':
      return value === undefined || compare(operand, value) > 0 ? operand : value
    case '$push':
      return [...toArray(value), operand]
    case '$addToSet':
      return toArray(value).some((entry) => compare(entry, operand) === 0)
        ? value
        : [...toArray(value), operand]
    case '$pop':
      return operand === 1 ? toArray(value).slice(0, -1) : toArray(value).slice(1)
    case '$pullAll':
      return toArray(value).filter((entry) =>
        (operand as readonly Json[]).every((removed) => compare(entry, removed) !== 0),
      )
    default:
      throw new Error(`the reference does not implement ${operator}`)
  }
}

function toNumber(value: Json | undefined): number {
  if (value === undefined || typeof value === 'number') return value ?? 0
  throw new Error('not a number')
}

function toArray(value: Json | undefined): readonly Json[] {
  if (value === undefined || Array.isArray(value)) return value ?? []
  throw new Error('not an array')
}
