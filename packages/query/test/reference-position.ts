import type { Json, JsonObject } from '@materials-mock/json'
import { meetsCondition } from './reference.js'

/** A value that a path leads to, and the position in the outermost array through which it leads. */
interface Candidate {
  readonly value: Json | undefined
  readonly position: number | undefined
}

/**
 * Returns the position of the array element by which an item matches a query, as the positional `$`
 * of `fields` uses it. Written from MongoDB's manual and its tests, and independent of `packages/query/src`:
 * it lists all candidates of a path with their positions, and takes the first that matches.
 */
export function findPosition(item: JsonObject, query: JsonObject): number | undefined {
  const positions = Object.entries(query).map(([key, value]) => {
    if (key === '$nor') return undefined
    const branches = value as readonly JsonObject[]
    if (key === '$and' || (key === '$or' && branches.length === 1))
      return last(branches.map((branch) => findPosition(item, branch)))
    if (key !== '$or') return findPositionOnPath(item, key, value)
    const equalities = branches.map(toEquality)
    const path = equalities[0]?.[0]
    if (path === undefined || equalities.some((each) => each?.[0] !== path)) return undefined
    return findPositionOnPath(item, path, { $in: equalities.map((each) => each?.[1] as Json) })
  })
  return last(positions)
}

const last = (positions: readonly (number | undefined)[]): number | undefined =>
  positions.findLast((position) => position !== undefined)

/** Returns the path and the value of a branch that is one equality. */
function toEquality(branch: JsonObject): readonly [string, Json] | undefined {
  const entries = Object.entries(branch)
  const [path, condition] = entries[0] as [string, Json]
  if (entries.length > 1) return undefined
  if (path === '$and' || path === '$or') {
    const [only, ...others] = condition as readonly JsonObject[]
    return others.length > 0 ? undefined : toEquality(only as JsonObject)
  }
  if (path.startsWith('$')) return undefined
  if (!isOperators(condition)) return [path, condition]
  const operators = Object.entries(condition)
  const [operator, operand] = operators[0] as [string, Json]
  if (operators.length > 1) return undefined
  if (operator === '$eq') return [path, operand]
  const values = operand as readonly Json[]
  return (operator === '$in' || operator === '$all') && isSingleValue(values)
    ? [path, values[0] as Json]
    : undefined
}

const isSingleValue = (values: readonly Json[]): boolean => values.length === 1

const isOperators = (condition: Json): condition is JsonObject =>
  typeof condition === 'object' && Object.keys(condition ?? {})[0]?.startsWith('$') === true

function findPositionOnPath(item: JsonObject, path: string, condition: Json): number | undefined {
  const ends = findEnds(item, path.split('.'), undefined)
  const operators = isOperators(condition) ? condition : { $eq: condition }
  const positions = Object.entries(operators).map(([operator, operand]) => {
    if (['$ne', '$nin', '$not'].includes(operator)) return undefined
    if (operator === '$exists' && operand !== true) return undefined
    if (operator === '$all') {
      const each = (operand as readonly Json[]).map((value) =>
        findFirst(expand(ends), { $eq: value }),
      )
      return last(each)
    }
    if (operator === '$elemMatch')
      return findFirst(ends.flatMap(enterArray), { $elemMatch: operand })
    return findFirst(operator === '$size' ? ends : expand(ends), { [operator]: operand })
  })
  return last(positions)
}

/** Returns the position of the first candidate that meets a condition. */
const findFirst = (candidates: readonly Candidate[], condition: JsonObject): number | undefined =>
  candidates.find(({ value }) => meetsCondition([value], [value], condition))?.position

/** Offers the elements of an array at the end of a path, then the array. */
const expand = (ends: readonly (Candidate & { isPosition: boolean })[]): readonly Candidate[] =>
  ends.flatMap((end) =>
    Array.isArray(end.value) && !end.isPosition
      ? [
          ...(end.value as readonly Json[]).map((value, index) => ({
            value,
            position: end.position ?? index,
          })),
          end,
        ]
      : [end],
  )

/** Offers each element of an array as an array of its own, for `$elemMatch`. */
const enterArray = ({ value, position }: Candidate): readonly Candidate[] =>
  Array.isArray(value)
    ? (value as readonly Json[]).map((element, index) => ({
        value: [element],
        position: position ?? index,
      }))
    : []

type End = Candidate & { readonly isPosition: boolean }

function findEnds(
  value: Json | undefined,
  path: readonly string[],
  position: number | undefined,
): readonly End[] {
  if (typeof value !== 'object' || value === null) return [toEnd(undefined, position)]
  const [name, ...rest] = path as [string, ...string[]]
  if (!Array.isArray(value)) {
    const field = (value as JsonObject)[name]
    return rest.length === 0 ? [toEnd(field, position)] : findEnds(field, rest, position)
  }
  return (value as readonly Json[]).flatMap((element, index) => {
    const outermost = position ?? index
    const isObject = typeof element === 'object' && element !== null && !Array.isArray(element)
    const byName = isObject ? findEnds(element, path, outermost) : []
    if (String(index) !== name) return byName
    if (rest.length === 0) return [...byName, { ...toEnd(element, outermost), isPosition: true }]
    const isContainer = typeof element === 'object' && element !== null
    return [...byName, ...(isContainer ? findEnds(element, rest, outermost) : [])]
  })
}

const toEnd = (value: Json | undefined, position: number | undefined): End => ({
  value,
  position,
  isPosition: false,
})
