import { isJsonArray } from '@materials-mock/json'
import { isNullish } from '../values/value.js'
import type { Value } from '../values/value.js'
import { constant } from './parse-context.js'
import type {
  Evaluate,
  Expression,
  OperandType,
  ParseContext,
  ParseOperator,
} from './parse-context.js'

/** In MongoDB's order: what it does not evaluate, after a null, can't cause an error. */
export type Apply = (operands: readonly Evaluate[], context: ParseContext) => Value

/**
 * Which constant operands MongoDB evaluates when it parses: those before the first variable one
 * (`left`), each run (`runs`, if associative), or all (`all`, if commutative too; joined as the
 * last operand). `never` does not even evaluate an expression of constants alone.
 */
export type Folding = 'none' | 'left' | 'runs' | 'all' | 'never'

/** The number of operands, and the folding, of a function. */
export interface FunctionOptions {
  readonly min?: number
  readonly max?: number
  readonly folding?: Folding
  /** Whether a single operand is not folded into others, because it may be an array of operands. */
  readonly takesArray?: boolean
  /** Checks constant operands while others are not. It may return a replacement. */
  readonly check?: (
    operands: readonly Expression[],
    context: ParseContext,
  ) => Expression | undefined | void
}

/** Defines an operator with positional operands. A single operand needs no array. */
export function defineFunction(apply: Apply, options: FunctionOptions = {}): ParseOperator {
  return (operand, context) => {
    const operands = (isJsonArray(operand) ? operand : [operand]).map((each, index) =>
      (Array.isArray(operand) ? context.child(index) : context).parse(each),
    )
    checkCount(operands.length, options, context)
    return foldOperands(operands, apply, options, context)
  }
}

/** Defines an operator with a fixed number of operands, which are all evaluated. */
export const defineStrict = (
  count: number,
  compute: (values: readonly Value[], context: ParseContext) => Value,
): ParseOperator =>
  defineFunction(
    (operands, context) =>
      compute(
        operands.map((each) => each()),
        context,
      ),
    {
      min: count,
      max: count,
    },
  )

/** Defines a function of one operand of a type. The result for null is null. */
export const defineUnary = <Type extends Value>(
  type: OperandType<Type>,
  compute: (operand: Type, context: ParseContext) => Value,
): ParseOperator =>
  defineStrict(1, ([value], context) =>
    isNullish(value) ? null : compute(context.take(type, value), context),
  )

/** Defines a function of two operands of a type. The result is null if one of them is null. */
export const defineBinary = <Type extends Value>(
  type: OperandType<Type>,
  compute: (a: Type, b: Type, context: ParseContext) => Value,
): ParseOperator =>
  defineStrict(2, ([a, b], context) =>
    isNullish(a) || isNullish(b)
      ? null
      : compute(context.take(type, a), context.take(type, b), context),
  )

/** Defines a function of any number of operands of a type. They are evaluated until one is null. */
export const defineVariadic = <Type extends Value>(
  type: OperandType<Type>,
  folding: Folding,
  compute: (operands: readonly Type[], context: ParseContext) => Value,
): ParseOperator =>
  defineFunction(
    (operands, context) => {
      const values: Type[] = []
      for (const operand of operands) {
        const value = operand()
        if (isNullish(value)) return null
        values.push(context.take(type, value))
      }
      return compute(values, context)
    },
    { folding },
  )

function checkCount(
  count: number,
  { min = 0, max = Infinity }: FunctionOptions,
  context: ParseContext,
): void {
  if (count >= min && count <= max) return
  const range = min === max ? `${min}` : max === Infinity ? `${min} or more` : `${min} to ${max}`
  throw context.path.error(
    `must have ${range} operand${min === 1 && max === 1 ? '' : 's'}, not ${count}`,
  )
}

function foldOperands(
  parsed: readonly Expression[],
  apply: Apply,
  { folding = 'none', takesArray = false, check }: FunctionOptions,
  context: ParseContext,
): Expression {
  const create = (operands: readonly Expression[]): Expression => {
    const evaluates = operands.map(({ evaluate }) => evaluate)
    const { scope } = context
    const evaluate = (): Value => {
      scope.spend(1)
      return apply(evaluates, context)
    }
    return { evaluate }
  }
  if (!context.folds) return create(parsed)
  const evaluateNow = (operands: readonly Expression[]): Expression =>
    constant(create(operands).evaluate())
  if (folding !== 'never' && parsed.every((operand) => operand.constant)) return evaluateNow(parsed)
  const checked = check?.(parsed, context)
  if (checked) return checked
  if (folding === 'none' || folding === 'never' || (takesArray && parsed.length === 1))
    return create(parsed)
  const operator = context.name
  const flat = folding === 'left' ? parsed : flatten(parsed, operator)
  const operands = joinConstants(flat, folding, evaluateNow)
  return folding === 'left'
    ? create(operands)
    : { ...create(operands), nary: { operator, operands } }
}

const flatten = (operands: readonly Expression[], operator: string): readonly Expression[] =>
  operands.flatMap((operand) =>
    operand.nary?.operator === operator ? operand.nary.operands : [operand],
  )

/** Replaces constant operands that are folded by their result. */
function joinConstants(
  operands: readonly Expression[],
  folding: Folding,
  evaluateNow: (operands: readonly Expression[]) => Expression,
): readonly Expression[] {
  const joined: Expression[] = []
  let run: Expression[] = []
  const endRun = (): void => {
    if (run.length > 1) joined.push(evaluateNow(run))
    else joined.push(...run)
    run = []
  }
  for (const [index, operand] of operands.entries()) {
    if (operand.constant !== undefined) {
      run.push(operand)
      continue
    }
    if (folding !== 'all') endRun()
    joined.push(operand)
    if (folding === 'left') return [...joined, ...operands.slice(index + 1)]
  }
  endRun()
  return joined
}
