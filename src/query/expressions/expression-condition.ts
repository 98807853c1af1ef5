import { CatalogueError } from '../../errors.js'
import type { InputPath } from '../../json/input-path.js'
import { isJsonObject } from '../../json/json.js'
import type { Json } from '../../json/json.js'
import type { Combination, ComputedOperand, ItemTest } from '../condition.js'
import { isTruthy } from '../values/value.js'
import type { Expression } from './parse-context.js'
import type { Scope } from './scope.js'
import { toJson } from './to-json.js'

/** A parsed `$expr`. */
interface ParsedCondition {
  /** The expression, and all that are inside it, by what they were parsed from. */
  readonly parsed: ReadonlyMap<Json, Expression>
  readonly cost: number
  readonly path: InputPath
  readonly scope: Scope
}

/** Creates the condition that an expression is. `$and`, `$or` and `$not` split it into smaller ones. */
export function createCondition(source: Json, parsed: ParsedCondition): ItemTest {
  const expression = parsed.parsed.get(source) as Expression
  const [operator, operand] = findOperator(source)
  const combine = findCombine(operator, operand)
  return {
    kind: 'item',
    operator: '$expr',
    operand: source,
    matches: () => isTruthy(expression.evaluate()),
    cost: parsed.cost,
    isQueryOnly: true,
    readOperands: () => [operand].flat().flatMap((each) => readOperand(each, parsed)),
    ...(combine !== undefined && {
      split: (): Combination => ({
        kind: 'combination',
        operator: `$expr ${operator}`,
        combine,
        conditions: [operand].flat().map((each) => createCondition(each, parsed)),
      }),
    }),
  }
}

function findCombine(
  operator: string | undefined,
  operand: Json,
): Combination['combine'] | undefined {
  if (operator === '$not') return 'none'
  if (!Array.isArray(operand)) return undefined
  return operator === '$and' ? 'every' : operator === '$or' ? 'some' : undefined
}

/** Returns the operator of an expression and its operand; an expression without one is its operand. */
function findOperator(source: Json): [operator: string | undefined, operand: Json] {
  const [operator] = isJsonObject(source) ? Object.keys(source) : []
  return operator?.startsWith('$') === true
    ? [operator, (source as Readonly<Record<string, Json>>)[operator] as Json]
    : [undefined, source]
}

/** Evaluates an operand that depends on the item; none if it can't be evaluated by itself. */
function readOperand(operand: Json, { parsed, path, scope }: ParsedCondition): ComputedOperand[] {
  const expression = parsed.get(operand)
  if (expression === undefined || expression.constant !== undefined) return []
  try {
    return [{ operand, value: toJson(expression.evaluate(), { path, scope }) }]
  } catch (error) {
    if (error instanceof CatalogueError) return []
    throw error
  }
}
