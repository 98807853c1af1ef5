import type { Json, JsonObject } from '../../../src/json/json.js'
import { compareKeys, toKey } from '../reference.js'

/**
 * Returns the value of an expression for an item. This file is a reference implementation of MongoDB's
 * expressions, written from its manual and independent of `src/query`. It is simple and slow: it
 * interprets the expression again for each item, gives each number a tag for its type, and computes
 * integers as bigints. It knows nothing of what MongoDB evaluates when it parses an expression.
 * @throws ReferenceError for a value of the wrong type
 */
export function evaluate(expression: Json, item: JsonObject): Value {
  const root = fromJson(item)
  return compute(expression, { root, variables: { CURRENT: root, ROOT: root, REMOVE: undefined } })
}

/** A number with its type. An `int` and a `long` are integers. */
type Tagged = { readonly type: 'int' | 'long'; readonly big: bigint } | Float
interface Float {
  readonly type: 'double'
  readonly float: number
}

/** A value; undefined is a missing one. */
export type Value = undefined | null | boolean | string | Tagged | readonly Value[] | Fields
/** The fields of an object, in order. */
type Fields = ReadonlyMap<string, Value>

interface Scope {
  readonly root: Value
  readonly variables: Readonly<Record<string, Value>>
}

const fail = (message: string): never => {
  throw new ReferenceError(message)
}

function fromJson(json: Json): Value {
  if (typeof json === 'number') return toTagged(json)
  if (typeof json !== 'object' || json === null) return json
  if (Array.isArray(json)) return json.map(fromJson)
  return new Map(Object.entries(json).map(([name, field]) => [name, fromJson(field)]))
}

function toTagged(number: number): Tagged {
  if (!Number.isInteger(number)) return { type: 'double', float: number }
  const big = BigInt(number)
  return { type: big >= -(2n ** 31n) && big < 2n ** 31n ? 'int' : 'long', big }
}

/** Returns a value as JSON. */
export function toPlain(value: Value): Json | undefined {
  if (isTagged(value)) return toNumber(value)
  if (isArray(value)) return value.map((element) => toPlain(element) as Json)
  if (isFields(value))
    return Object.fromEntries([...value].map(([name, field]) => [name, toPlain(field) as Json]))
  return value as Json | undefined
}

const isArray = (value: Value): value is readonly Value[] => Array.isArray(value)
const isFields = (value: Value): value is Fields => value instanceof Map
const isTagged = (value: Value): value is Tagged =>
  typeof value === 'object' && value !== null && !isArray(value) && !isFields(value)
const isNullish = (value: Value): value is null | undefined => value === null || value === undefined
const toNumber = (value: Tagged): number =>
  value.type === 'double' ? value.float : Number(value.big)
const isTrue = (value: Value): boolean =>
  isTagged(value) ? toNumber(value) !== 0 : value !== false && !isNullish(value)
const compare = (a: Value, b: Value): number => compareKeys(toKey(toPlain(a)), toKey(toPlain(b)))
const double = (float: number): Tagged => ({ type: 'double', float })
const int = (number: number): Tagged => ({ type: 'int', big: BigInt(number) })

const LONGEST = 2n ** 63n
const isLong = (big: bigint): boolean => big >= -LONGEST && big < LONGEST

/** Returns an integer, a `long` if an operand was one or if it has more than 32 bits. */
const integer = (big: bigint, ...operands: readonly Tagged[]): Tagged => ({
  type:
    operands.some(({ type }) => type === 'long') || big < -(2n ** 31n) || big >= 2n ** 31n
      ? 'long'
      : 'int',
  big,
})

function getType(value: Value): string {
  if (value === undefined) return 'missing'
  if (value === null) return 'null'
  if (isTagged(value)) return value.type
  if (isArray(value)) return 'array'
  if (isFields(value)) return 'object'
  return typeof value === 'boolean' ? 'bool' : 'string'
}

function compute(expression: Json, scope: Scope): Value {
  if (typeof expression === 'string' && expression.startsWith('$$')) {
    const [name = '', ...path] = expression.slice(2).split('.')
    return follow(scope.variables[name], path)
  }
  if (typeof expression === 'string' && expression.startsWith('$'))
    return follow(scope.variables.CURRENT, expression.slice(1).split('.'))
  if (Array.isArray(expression)) return expression.map((each: Json) => compute(each, scope) ?? null)
  if (typeof expression !== 'object' || expression === null) return fromJson(expression)
  const entries = Object.entries(expression)
  const [first] = entries
  if (first?.[0].startsWith('$') === true) return computeOperator(first[0], first[1], scope)
  const fields = entries.map(([name, each]) => [name, compute(each, scope)] as const)
  return new Map(fields.filter(([, value]) => value !== undefined))
}

/** Follows a path. In an array, it collects what the elements that are objects have. */
function follow(value: Value, [name, ...rest]: readonly string[]): Value {
  if (name === undefined) return value
  if (isFields(value)) return follow(value.get(name), rest)
  if (!isArray(value)) return undefined
  return value
    .filter(isFields)
    .map((element) => follow(element.get(name), rest))
    .filter((each) => each !== undefined)
}

type Named = Readonly<Record<string, Json>>

function computeOperator(name: string, operand: Json, scope: Scope): Value {
  const named = operand as Named
  const inScope = (expression: Json, variables: Readonly<Record<string, Value>>): Value =>
    compute(expression, { ...scope, variables: { ...scope.variables, ...variables } })
  switch (name) {
    case '$literal':
      return fromJson(operand)
    case '$cond': {
      const [condition, then, otherwise] = operand as readonly Json[]
      return compute((isTrue(compute(condition as Json, scope)) ? then : otherwise) as Json, scope)
    }
    case '$ifNull': {
      const operands = operand as readonly Json[]
      const index = operands.findIndex((each) => !isNullish(compute(each, scope)))
      return compute(operands.at(index) as Json, scope)
    }
    case '$and':
      return (operand as readonly Json[]).every((each) => isTrue(compute(each, scope)))
    case '$or':
      return (operand as readonly Json[]).some((each) => isTrue(compute(each, scope)))
    case '$let': {
      const vars = Object.entries(named.vars as Named)
      const values = vars.map(([each, value]) => [each, compute(value, scope)] as const)
      return inScope(named.in as Json, Object.fromEntries(values))
    }
    case '$map':
    case '$filter':
    case '$reduce':
      return computeLoop(name, named, compute(named.input as Json, scope), inScope, scope)
    default: {
      const operands = Array.isArray(operand) ? (operand as readonly Json[]) : [operand]
      return apply(name, () => operands.map((each) => compute(each, scope)), operands, scope)
    }
  }
}

function computeLoop(
  name: string,
  named: Named,
  input: Value,
  inScope: (expression: Json, variables: Readonly<Record<string, Value>>) => Value,
  scope: Scope,
): Value {
  if (isNullish(input)) return null
  if (!isArray(input)) return fail(`${name} of no array`)
  if (name === '$map') return input.map((each) => inScope(named.in as Json, { this: each }) ?? null)
  if (name === '$filter')
    return input.filter((each) => isTrue(inScope(named.cond as Json, { this: each })))
  return input.reduce<Value>(
    (value, each) => inScope(named.in as Json, { this: each, value }),
    compute(named.initialValue as Json, scope),
  )
}

/** Computes operands one by one until one is null; returns null then. */
function untilNull(
  operands: readonly Json[],
  scope: Scope,
  check: (value: Value) => boolean,
): readonly Value[] | null {
  const values: Value[] = []
  for (const operand of operands) {
    const value = compute(operand, scope)
    if (isNullish(value)) return null
    if (!check(value)) fail('an operand of the wrong type')
    values.push(value)
  }
  return values
}

const isText = (value: Value): value is string => typeof value === 'string'

function apply(
  name: string,
  getAll: () => readonly Value[],
  operands: readonly Json[],
  scope: Scope,
): Value {
  switch (name) {
    case '$add':
    case '$multiply': {
      const values = untilNull(operands, scope, isTagged) as readonly Tagged[] | null
      return values && calculate(name, values)
    }
    case '$concat': {
      const values = untilNull(operands, scope, isText)
      return values && values.join('')
    }
    case '$concatArrays': {
      const values = untilNull(operands, scope, isArray) as readonly (readonly Value[])[] | null
      return values && values.flat()
    }
    case '$indexOfArray': {
      const array = compute(operands[0] as Json, scope)
      if (isNullish(array)) return null
      const elements = asArray(array)
      const searched = compute(operands[1] as Json, scope)
      return int(elements.findIndex((each) => compare(each, searched) === 0))
    }
    case '$slice': {
      const [array, from, count] = operands.map((each) => () => compute(each, scope))
      const [a, b] = [array?.(), from?.()]
      if (isNullish(a) || isNullish(b)) return null
      asArray(a)
      asInt(b)
      const c = count?.()
      return count !== undefined && isNullish(c) ? null : applyToPresent(name, a, b, c)
    }
    case '$setUnion':
    case '$setIntersection': {
      const values = untilNull(operands, scope, isArray) as readonly (readonly Value[])[] | null
      if (values === null) return null
      const [head = [], ...others] = values
      if (name === '$setUnion') return toSet(values.flat())
      return toSet(head).filter((each) => others.every((other) => includes(other, each)))
    }
    default:
      return applyStrict(name, getAll())
  }
}

function calculate(name: '$add' | '$multiply', values: readonly Tagged[]): Tagged {
  return values.reduce<Tagged>(
    (total, value) => {
      const [a, b] = [toNumber(total), toNumber(value)]
      const float = double(name === '$add' ? a + b : a * b)
      if (total.type === 'double' || value.type === 'double') return float
      const big = name === '$add' ? total.big + value.big : total.big * value.big
      return isLong(big) ? integer(big, total, value) : float
    },
    int(name === '$add' ? 0 : 1),
  )
}

function toSet(values: readonly Value[]): readonly Value[] {
  const different: Value[] = []
  for (const value of values) if (!includes(different, value)) different.push(value)
  return different.toSorted(compare)
}

const includes = (values: readonly Value[], value: Value): boolean =>
  values.some((each) => compare(each, value) === 0)

const asArray = (value: Value): readonly Value[] => (isArray(value) ? value : fail('no array'))
const asText = (value: Value): string => (isText(value) ? value : fail('no string'))
const asInt = (value: Value): number => {
  const number = isTagged(value) ? toNumber(value) : fail('no number')
  return Number.isInteger(number) && Math.abs(number) < 2 ** 31 ? number : fail('no integer')
}

const COMPARISONS: Readonly<Record<string, (order: number) => boolean>> = {
  $eq: (order) => order === 0,
  $ne: (order) => order !== 0,
  $gt: (order) => order > 0,
  $gte: (order) => order >= 0,
  $lt: (order) => order < 0,
  $lte: (order) => order <= 0,
}

/** Applies an operator to the values of all its operands. */
function applyStrict(name: string, values: readonly Value[]): Value {
  const [a, b, c] = values
  const isMatch = COMPARISONS[name]
  if (isMatch !== undefined) return isMatch(compare(a, b))
  const isNull = isNullish(a) || (values.length > 1 && isNullish(b))
  switch (name) {
    case '$not':
      return !isTrue(a)
    case '$cmp':
      return int(Math.sign(compare(a, b)))
    case '$type':
      return getType(a)
    case '$isNumber':
      return isTagged(a)
    case '$isArray':
      return isArray(a)
    case '$in':
      return includes(asArray(b), a)
    case '$size':
      return int(asArray(a).length)
    case '$sum':
    case '$max':
    case '$min':
    case '$mergeObjects':
      return aggregate(name, values.length === 1 && isArray(a) ? a : values)
    case '$strLenCP':
      return int([...asText(a)].length)
    case '$toUpper':
      if (typeof a === 'boolean') return fail('no text')
      return isNullish(a) ? '' : toText(a).replace(/[a-z]/g, (letter) => letter.toUpperCase())
    case '$allElementsTrue':
      return asArray(a).every(isTrue)
    case '$anyElementTrue':
      return asArray(a).some(isTrue)
    case '$setEquals':
      return compare(toSet(asArray(a)), toSet(asArray(b))) === 0
    case '$setIsSubset':
      return asArray(a).every((each) => includes(asArray(b), each)) && asArray(b).length >= 0
    case '$range': {
      const length = Math.max(0, asInt(b) - asInt(a))
      if (length > 100_000) return fail('too many integers')
      return Array.from({ length }, (_, index) => int(asInt(a) + index))
    }
    default:
      return isNull ? null : applyToPresent(name, a, b, c)
  }
}

function aggregate(name: string, values: readonly Value[]): Value {
  const present = values.filter((value) => !isNullish(value))
  if (name === '$sum') return calculate('$add', values.filter(isTagged))
  if (name === '$max') return present.toSorted((a, b) => compare(b, a))[0] ?? null
  if (name === '$min') return present.toSorted(compare)[0] ?? null
  return toFields(present.flatMap((value) => (isFields(value) ? [...value] : fail('no object'))))
}

/** JavaScript puts names that are positions first, in items too (docs/decisions/query-json.md). */
function toFields(entries: readonly (readonly [string, Value])[]): Fields {
  const fields = new Map(entries)
  return new Map(
    Object.keys(Object.fromEntries(fields)).map((name) => [name, fields.get(name)] as const),
  )
}

/** Applies an operator that is null if its first or its second operand is. */
function applyToPresent(name: string, a: Value, b: Value, c: Value): Value {
  switch (name) {
    case '$subtract': {
      const [left, right] = isTagged(a) && isTagged(b) ? [a, b] : fail('no numbers')
      if (left.type === 'double' || right.type === 'double')
        return double(toNumber(left) - toNumber(right))
      return integer(left.big - right.big, left, right)
    }
    case '$divide': {
      const [left, right] = isTagged(a) && isTagged(b) ? [a, b] : fail('no numbers')
      return toNumber(right) === 0 ? fail('by zero') : double(toNumber(left) / toNumber(right))
    }
    case '$abs': {
      const number = isTagged(a) ? a : fail('no number')
      if (number.type === 'double') return double(Math.abs(number.float))
      return integer(number.big < 0n ? -number.big : number.big, number)
    }
    case '$arrayElemAt':
      return asArray(a).at(asInt(b))
    case '$first':
      return asArray(a)[0]
    case '$last':
      return asArray(a).at(-1)
    case '$reverseArray':
      return asArray(a).toReversed()
    case '$slice': {
      const [array, from] = [asArray(a), asInt(b)]
      if (c !== undefined) {
        const count = asInt(c) > 0 ? asInt(c) : fail('no count')
        const start = from < 0 ? Math.max(0, array.length + from) : from
        return array.slice(start, start + count)
      }
      return from < 0 ? array.slice(from) : array.slice(0, from)
    }
    case '$setDifference': {
      const excluded = asArray(b)
      return toDifferent(asArray(a).filter((each) => !includes(excluded, each)))
    }
    case '$objectToArray':
      return (isFields(a) ? [...a] : fail('no object')).map(
        ([k, v]) =>
          new Map<string, Value>([
            ['k', k],
            ['v', v],
          ]),
      )
    case '$split':
      return asText(b) === '' ? fail('an empty separator') : asText(a).split(asText(b))
    case '$toBool':
      return isTagged(a) || typeof a === 'boolean' ? isTrue(a) : true
    case '$toString':
      return toText(a)
    case '$toInt':
      return toInt(a)
    default:
      return fail(`the reference does not implement ${name}`)
  }
}

function toDifferent(values: readonly Value[]): readonly Value[] {
  const different: Value[] = []
  for (const value of values) if (!includes(different, value)) different.push(value)
  return different
}

function toText(value: Value): string {
  if (isText(value)) return value
  if (typeof value === 'boolean') return value ? 'true' : 'false'
  // Only numbers of few digits occur in the tests, which C and JavaScript write in the same way.
  return isTagged(value) ? String(toNumber(value)) : fail('no text')
}

function toInt(value: Value): Tagged {
  if (typeof value === 'boolean') return int(value ? 1 : 0)
  if (isTagged(value)) return int(asInt(double(Math.trunc(toNumber(value)))))
  return /^[+-]?\d+$/.test(asText(value)) ? int(Number(value)) : fail('no number')
}
