import type { Json, JsonObject } from '@materials-mock/json'
import { convert, NAMED, POSITIONAL, zip } from './reference-operators.js'
import {
  asArray,
  asInt,
  asText,
  calculate,
  compare,
  double,
  fail,
  fromJson,
  getType,
  includes,
  int,
  integer,
  isArray,
  isFields,
  isNullish,
  isTagged,
  isTrue,
  toDifferent,
  toFields,
  toInteger,
  toNumber,
  toSet,
  toOperandText,
  toText,
} from './reference-values.js'
import type { Tagged, Value } from './reference-values.js'

/**
 * Returns the value of an expression for an item. This file is a reference implementation of MongoDB's
 * expressions, written from its manual and independent of `packages/query/src`. It is simple and slow: it
 * interprets the expression again for each item, gives each number a tag for its type, and computes
 * integers as bigints. It knows nothing of what MongoDB evaluates when it parses an expression.
 * @throws ReferenceError for a value of the wrong type
 */
export function evaluate(expression: Json, item: JsonObject): Value {
  const root = fromJson(item)
  return compute(expression, { root, variables: { CURRENT: root, ROOT: root, REMOVE: undefined } })
}

interface Scope {
  readonly root: Value
  readonly variables: Readonly<Record<string, Value>>
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
    case '$switch': {
      const branch = (named.branches as readonly Named[]).find((each) =>
        isTrue(compute(each.case as Json, scope)),
      )
      const result = branch === undefined ? named.default : branch.then
      return result === undefined ? fail('no case') : compute(result, scope)
    }
    case '$zip': {
      const columns = untilNull(named.inputs as readonly Json[], scope, isArray)
      return (
        columns && zip(columns as readonly (readonly Value[])[], named.useLongestLength === true)
      )
    }
    case '$convert':
      return convert(
        (each) => compute(named[each] as Json, scope),
        (each) => named[each] !== undefined,
      )
    case '$map':
    case '$filter':
    case '$reduce':
      return computeLoop(name, named, compute(named.input as Json, scope), inScope, scope)
    default: {
      const applyNamed = NAMED[name]
      if (applyNamed !== undefined) return applyNamed(computeNamed(named, scope))
      const operands = Array.isArray(operand) ? (operand as readonly Json[]) : [operand]
      return apply(name, () => operands.map((each) => compute(each, scope)), operands, scope)
    }
  }
}

/** Evaluates an operand with a name when it is read; `sortBy` is no expression. */
function computeNamed(named: Named, scope: Scope): Readonly<Record<string, Value>> {
  const operands: Record<string, Value> = {}
  for (const [name, each] of Object.entries(named)) {
    const get = (): Value => (name === 'sortBy' ? fromJson(each) : compute(each, scope))
    Object.defineProperty(operands, name, { get, enumerable: true })
  }
  return operands
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
    case '$indexOfBytes':
    case '$indexOfCP':
    case '$round':
    case '$trunc': {
      const first = compute(operands[0] as Json, scope)
      return isNullish(first) ? null : applyStrict(name, getAll())
    }
    case '$bitAnd':
    case '$bitOr':
    case '$bitXor': {
      const values = untilNull(operands, scope, isTagged)
      return values && applyStrict(name, values)
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
  const applyPositional = POSITIONAL[name]
  if (applyPositional !== undefined) return applyPositional(...values)
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
      return isNullish(a)
        ? ''
        : toOperandText(a).replace(/[a-z]/g, (letter) => letter.toUpperCase())
    case '$allElementsTrue':
      return asArray(a).every(isTrue)
    case '$anyElementTrue':
      return asArray(a).some(isTrue)
    case '$setEquals':
      return compare(toSet(asArray(a)), toSet(asArray(b))) === 0
    case '$setIsSubset':
      return asArray(a).every((each) => includes(asArray(b), each)) && asArray(b).length >= 0
    case '$range': {
      const [from, to, step] = [asInt(a), asInt(b), values.length > 2 ? asInt(c) : 1]
      if (step === 0) return fail('no step')
      const length = Math.max(0, Math.ceil((to - from) / step))
      if (length > 100_000) return fail('too many integers')
      return Array.from({ length }, (_, index) => int(from + index * step))
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
      return toInteger(a, 'int')
    default:
      return fail(`the reference does not implement ${name}`)
  }
}
