import { isJsonObject, quote } from '@materials-mock/json'
import type { JsonObject } from '@materials-mock/json'
import { isNullish, isTruthy, toInt } from '../../values/value.js'
import type { Value } from '../../values/value.js'
import { ARRAY } from '../parse-context.js'
import type { Expression, ParseContext, ParseOperator } from '../parse-context.js'
import { parseVariableName } from '../parse-field-path.js'

/** Parses the argument `as`, which is `this` by default. */
const parseAs = (operands: JsonObject, context: ParseContext): string =>
  operands.as === undefined ? 'this' : parseVariableName(operands.as, context.child('as'))

const findSlot = (name: string, { variables }: ParseContext): number => variables.get(name)!

/** Evaluates the input of a loop: an array, or undefined for null. */
function takeInput(input: Expression, context: ParseContext): readonly Value[] | undefined {
  const value = input.evaluate()
  if (isNullish(value)) return undefined
  const array = context.take(ARRAY, value, 'input')
  context.scope.spend(array.length)
  return array
}

const parseMap: ParseOperator = (operand, context) => {
  const operands = context.parseArguments(operand, ['input', 'in'], ['as'])
  const input = context.parseArgument(operands, 'input')
  const name = parseAs(operands, context)
  const inner = context.define([name])
  const slot = findSlot(name, inner)
  const body = inner.parseArgument(operands, 'in')
  const { variables } = context.scope
  return {
    evaluate: () =>
      takeInput(input, context)?.map((element) => {
        variables[slot] = element
        return body.evaluate() ?? null
      }) ?? null,
  }
}

const parseFilter: ParseOperator = (operand, context) => {
  const operands = context.parseArguments(operand, ['input', 'cond'], ['as', 'limit'])
  const input = context.parseArgument(operands, 'input')
  const name = parseAs(operands, context)
  const inner = context.define([name])
  const slot = findSlot(name, inner)
  const condition = inner.parseArgument(operands, 'cond')
  const limit = 'limit' in operands ? context.parseArgument(operands, 'limit') : undefined
  const { variables } = context.scope
  return {
    evaluate: () => {
      const array = takeInput(input, context)
      if (array === undefined) return null
      if (array.length === 0) return array
      const maximum = takeLimit(limit, context)
      const found: Value[] = []
      for (const element of array) {
        variables[slot] = element
        if (isTruthy(condition.evaluate())) found.push(element)
        if (found.length === maximum) break
      }
      return found
    },
  }
}

function takeLimit(limit: Expression | undefined, context: ParseContext): number {
  const value = limit?.evaluate()
  if (isNullish(value)) return Infinity
  const maximum = toInt(value)
  if (maximum !== undefined && maximum > 0) return maximum
  throw context.child('limit').valueError('must be an integer of 32 bits above 0', value)
}

const parseReduce: ParseOperator = (operand, context) => {
  const operands = context.parseArguments(operand, ['input', 'initialValue', 'in'], [])
  const input = context.parseArgument(operands, 'input')
  const initial = context.parseArgument(operands, 'initialValue')
  const inner = context.define(['this', 'value'])
  const [thisSlot, valueSlot] = [findSlot('this', inner), findSlot('value', inner)]
  const body = inner.parseArgument(operands, 'in')
  const { variables } = context.scope
  return {
    evaluate: () => {
      const array = takeInput(input, context)
      if (array === undefined) return null
      let value = initial.evaluate()
      for (const element of array) {
        variables[thisSlot] = element
        variables[valueSlot] = value
        value = body.evaluate()
      }
      return value
    },
  }
}

/** The values of the variables see only the outer variables. */
const parseLet: ParseOperator = (operand, context) => {
  const operands = context.parseArguments(operand, ['vars', 'in'], [])
  const { vars = null } = operands
  const varsContext = context.child('vars')
  if (!isJsonObject(vars)) throw varsContext.path.error(`must be an object, not ${quote(vars)}`)
  const names = Object.keys(vars)
  const values = names.map((name) => {
    parseVariableName(name, varsContext.child(name))
    return varsContext.parseArgument(vars, name)
  })
  const inner = context.define(names)
  const slots = names.map((name) => findSlot(name, inner))
  const body = inner.parseArgument(operands, 'in')
  if (names.length === 0) return body
  const { scope } = context
  return {
    evaluate: () => {
      scope.spend(values.length)
      for (const [index, value] of values.entries())
        scope.variables[slots[index]!] = value.evaluate()
      return body.evaluate()
    },
  }
}

/** `$map`, `$filter`, `$reduce` and `$let`: https://www.mongodb.com/docs/manual/reference/operator/aggregation/map/ */
export const LOOPS: Readonly<Record<string, ParseOperator>> = {
  $filter: parseFilter,
  $let: parseLet,
  $map: parseMap,
  $reduce: parseReduce,
}
