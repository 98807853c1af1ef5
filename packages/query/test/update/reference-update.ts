import type { Json, JsonObject } from '@materials-mock/json'
import { compareKeys, matches, toKey } from '../reference.js'

type Values = Record<string, unknown>

/** An update of one field: the operator, the names of the path, and the operand. */
type Change = readonly [operator: string, path: readonly string[], operand: Json]

/**
 * Applies an update to an item. Written from MongoDB's manual, and independent of `packages/query/src`: it
 * replaces `$[]` and `$[x]` by the positions in the item, compares each pair of paths, and then
 * changes a copy path by path.
 * @throws Error for an update that MongoDB refuses
 */
export function applyUpdate(item: JsonObject, body: JsonObject): JsonObject {
  const { arrayFilters = [], ...operators } = body
  const changes = Object.entries(operators).flatMap(([operator, fields]) =>
    Object.entries(fields as JsonObject).flatMap(([path, operand]): readonly Change[] =>
      operator === '$rename'
        ? rename(item, path.split('.'), (operand as string).split('.'))
        : [[operator, path.split('.'), operand]],
    ),
  )
  changes.forEach(([, path], index) =>
    changes.slice(index + 1).forEach(([, other]) => checkConflict(path, other)),
  )
  const [filter] = arrayFilters as readonly JsonObject[]
  const expanded = changes.flatMap(([operator, path, operand]) =>
    expand(item, path, filter).map((names): [...Change, source: readonly string[]] => [
      operator,
      names,
      operand,
      path,
    ]),
  )
  expanded.forEach(([, path, , source], index) =>
    expanded
      .slice(index + 1)
      .forEach(([, other, , otherSource]) => checkConflict(path, other, source, otherSource)),
  )
  const copy = structuredClone(item) as Values
  const applied = expanded.filter(
    ([operator, path]) => operator !== SKIPPED && path.at(-1) !== NOTHING,
  )
  for (const [operator, path, operand] of applied.toSorted((a, b) => comparePaths(a[1], b[1])))
    change(copy, path, operator, operand)
  return copy as JsonObject
}

const SKIPPED = 'skip'

/** The end of a path whose `$[]` or `$[x]` selects no element. It conflicts with what ends before it. */
const NOTHING = 'nothing'

/** A `$rename` sets the new path and unsets the old one; neither may be in an array. */
function rename(
  item: JsonObject,
  from: readonly string[],
  to: readonly string[],
): readonly Change[] {
  let value: Json | undefined = item
  let isInArray = false
  for (const name of from) {
    if (value === undefined) break
    const isArray = Array.isArray(value)
    const isBlocked = typeof value !== 'object' || value === null
    if (isBlocked || (isArray && !/^\d+$/.test(name))) throw new Error('blocked')
    isInArray ||= isArray
    value = Object.keys(value as object).includes(name) ? (value as JsonObject)[name] : undefined
  }
  const isMissing = value === undefined
  if (!isMissing && (isInArray || isArrayOn(item, to))) throw new Error('in an array')
  return [
    [isMissing ? SKIPPED : '$set', to, value ?? null],
    [isMissing ? SKIPPED : '$unset', from, null],
  ]
}

const isArrayOn = (value: Json | undefined, [name, ...rest]: readonly string[]): boolean =>
  name !== undefined &&
  (Array.isArray(value) ||
    (typeof value === 'object' && isArrayOn((value as JsonObject | null)?.[name], rest)))

const isFilter = (name: string | undefined): boolean => name?.startsWith('$[') === true

/** @param sources the paths as they are written, in which names and `$[]` must not stand together */
function checkConflict(
  a: readonly string[],
  b: readonly string[],
  ...[source = a, otherSource = b]: readonly (readonly string[])[]
): void {
  if (a.at(-1) === NOTHING && b.at(-1) === NOTHING) return
  const length = Math.min(a.length, b.length)
  const at = a.slice(0, length).findIndex((name, index) => name !== b[index])
  if (at < 0 || isFilter(source[at]) !== isFilter(otherSource[at])) throw new Error('conflict')
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
  const paths = (value as readonly Json[]).flatMap((element, index) => {
    const isSelected = name === '$[]' || matches({ x: element }, filter as JsonObject)
    return isSelected ? expand(element, rest, filter).map((names) => [`${index}`, ...names]) : []
  })
  return paths.length === 0 ? [[NOTHING]] : paths
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
      return push(toArray(value), operand)
    case '$addToSet':
      return (getEach(operand) ?? [operand]).reduce<readonly Json[]>(
        (set, added) => (set.some((entry) => compare(entry, added) === 0) ? set : [...set, added]),
        toArray(value),
      )
    case '$pull':
      return toArray(value).filter((entry) => !isPulled(entry, operand))
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

const getEach = (operand: Json): readonly Json[] | undefined =>
  (operand as { $each?: readonly Json[] } | null)?.$each

interface Modifiers {
  readonly $position?: number
  readonly $sort?: Json
  readonly $slice?: number
}

/** Inserts, then sorts, then cuts. */
function push(array: readonly Json[], operand: Json): readonly Json[] {
  const each = getEach(operand)
  if (each === undefined) return [...array, operand]
  const { $position, $sort, $slice } = operand as Modifiers
  const entries = [...array]
  entries.splice($position ?? array.length, 0, ...each)
  if ($sort !== undefined) entries.sort((a, b) => compareBy($sort, a, b))
  if ($slice === undefined) return entries
  return $slice < 0 ? entries.slice(Math.max(0, entries.length + $slice)) : entries.slice(0, $slice)
}

const getField = (entry: Json, name: string): Json =>
  isObject(entry) && Object.keys(entry).includes(name) ? (entry[name] as Json) : null

/** A field that is missing, or in no object, counts as null. */
function compareBy(sort: Json, a: Json, b: Json): number {
  if (typeof sort === 'number') return sort * compare(a, b)
  for (const [name, direction] of Object.entries(sort as Record<string, number>)) {
    const order = direction * compare(getField(a, name), getField(b, name))
    if (order !== 0) return order
  }
  return 0
}

const isObject = (value: Json): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Operators are of the entry, other objects are queries of entries that are objects. */
function isPulled(entry: Json, operand: Json): boolean {
  if (!isObject(operand)) return compare(entry, operand) === 0
  if (/^\$(?!and|or|nor)/.test(Object.keys(operand)[0] ?? ''))
    return matches({ x: entry }, { x: operand })
  return isObject(entry) && matches(entry, operand)
}

function toNumber(value: Json | undefined): number {
  if (value === undefined || typeof value === 'number') return value ?? 0
  throw new Error('not a number')
}

function toArray(value: Json | undefined): readonly Json[] {
  if (value === undefined || Array.isArray(value)) return value ?? []
  throw new Error('not an array')
}
