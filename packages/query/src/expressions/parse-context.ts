import { isJsonObject, quote } from '@materials-mock/json'
import type { InputPath, Json, JsonObject } from '@materials-mock/json'
import type { PatternBudget } from '../compile-pattern.js'
import { describeValue, getNumberType, isArray, isNumeric, isObject } from '../values/value.js'
import type { NumericValue, Value, ValueObject } from '../values/value.js'
import type { Scope } from './scope.js'

/** Computes a value for the item of the scope. */
export type Evaluate = () => Value

export interface Expression {
  readonly evaluate: Evaluate
  /** The value of an expression that is the same for all items. */
  readonly constant?: { readonly value: Value }
  /** An associative operator with its operands, which may become operands of the outer one. */
  readonly nary?: { readonly operator: string; readonly operands: readonly Expression[] }
}

/** The positions of variables in `Scope.variables`, by name. */
export type Variables = ReadonlyMap<string, number>

/** Parses the operand of an operator, which is the value of its key. */
export type ParseOperator = (operand: Json, context: ParseContext) => Expression

/** The budget that compiles the patterns of expressions, and the sum of their costs (see `CompiledPattern`). */
export interface CountedPatterns {
  readonly budget: PatternBudget
  /** The sum of the costs; Infinity if a pattern comes from items. */
  cost: number
}

export interface OperandType<Type extends Value> {
  readonly is: (value: Value) => value is Type
  readonly one: string
  readonly many: string
}

export const ARRAY: OperandType<readonly Value[]> = { is: isArray, one: 'an array', many: 'arrays' }
export const OBJECT: OperandType<ValueObject> = { is: isObject, one: 'an object', many: 'objects' }
export const NUMBER: OperandType<NumericValue> = { is: isNumeric, one: 'a number', many: 'numbers' }
export const INTEGER: OperandType<NumericValue> = {
  is: (value): value is NumericValue => isNumeric(value) && getNumberType(value) !== 'double',
  one: 'an int or a long',
  many: 'int and long',
}
export const STRING: OperandType<string> = {
  is: (value): value is string => typeof value === 'string',
  one: 'a string',
  many: 'strings',
}

/** The place of an expression while it is parsed. */
export class ParseContext {
  readonly path: InputPath
  /** The operator or the field of this place. */
  readonly name: string
  readonly scope: Scope
  readonly patterns: CountedPatterns
  readonly variables: Variables
  /** Whether constant expressions are evaluated when they are parsed, so that their errors are found. */
  readonly folds: boolean
  readonly #parseOperand: ParseOperator

  constructor(
    fields: Pick<ParseContext, 'path' | 'scope' | 'patterns'> &
      Partial<Pick<ParseContext, 'name' | 'variables' | 'folds'>>,
    parseOperand: ParseOperator,
  ) {
    this.path = fields.path
    this.name = fields.name ?? ''
    this.scope = fields.scope
    this.patterns = fields.patterns
    this.variables = fields.variables ?? new Map()
    this.folds = fields.folds ?? true
    this.#parseOperand = parseOperand
  }

  /** Returns the context of a field, an operator or an entry of this place. */
  child(key: string | number): ParseContext {
    const name = typeof key === 'number' ? this.name : key
    return this.#with({ path: this.path.child(key), name })
  }

  /** Returns this context with further variables. */
  define(names: readonly string[]): ParseContext {
    const variables = new Map(this.variables)
    for (const name of names) {
      variables.set(name, this.scope.variables.length)
      this.scope.variables.push(undefined)
    }
    return this.#with({ variables })
  }

  withFolding(folds: boolean): ParseContext {
    return this.#with({ folds })
  }

  parse(operand: Json): Expression {
    return this.#parseOperand(operand, this)
  }

  /** @throws the path's error for another operand, and for a missing or an unknown argument */
  parseArguments<Required extends string>(
    operand: Json,
    required: readonly Required[],
    optional: readonly string[],
  ): JsonObject & Readonly<Record<Required, Json>> {
    if (!isJsonObject(operand)) throw this.path.error(`must be an object, not ${quote(operand)}`)
    const known: readonly string[] = [...required, ...optional]
    const unknown = Object.keys(operand).find((key) => !known.includes(key))
    if (unknown !== undefined)
      throw this.path.error(`has no argument ${quote(unknown)}, only ${known.join(', ')}`)
    const missing = required.find((key) => !Object.hasOwn(operand, key))
    if (missing !== undefined) throw this.path.error(`must have the argument ${quote(missing)}`)
    return operand as JsonObject & Readonly<Record<Required, Json>>
  }

  parseArgument(operands: JsonObject, name: string): Expression {
    return this.child(name).parse(operands[name]!)
  }

  /**
   * All are expressions.
   * @throws as `parseArguments` does
   */
  parseNamed<Required extends string, Optional extends string = never>(
    operand: Json,
    required: readonly Required[],
    optional: readonly Optional[] = [],
  ): Record<Required, Expression> & Partial<Record<Optional, Expression>> {
    const operands = this.parseArguments(operand, required, optional)
    const names = [...required, ...optional].filter((name) => name in operands)
    return Object.fromEntries(
      names.map((name) => [name, this.parseArgument(operands, name)]),
    ) as Record<Required | Optional, Expression>
  }

  /**
   * Returns a value of a type, and counts the steps of reading a text.
   * @param argument the name of the argument that has the value; undefined for operands without names
   * @throws the path's error for another value
   */
  take<Type extends Value>(
    { is, one, many }: OperandType<Type>,
    value: Value,
    argument?: string,
  ): Type {
    if (!is(value)) {
      if (argument === undefined) throw this.valueError(`must be of ${many}`, value)
      throw this.child(argument).valueError(`must be ${one}`, value)
    }
    if (typeof value === 'string') this.scope.spendText(value.length)
    return value
  }

  /** Returns an error about a value: `query.$expr.$add must be of numbers, not the string "x"`. */
  valueError(requirement: string, value: Value): Error {
    return this.path.error(`${requirement}, not ${describeValue(value)}`)
  }

  #with(
    fields: Partial<Pick<ParseContext, 'path' | 'name' | 'variables' | 'folds'>>,
  ): ParseContext {
    return new ParseContext({ ...this, ...fields }, this.#parseOperand)
  }
}

/** Creates an expression with the same value for all items. */
export const constant = (value: Value): Expression => ({
  evaluate: () => value,
  constant: { value },
})

/** Evaluates an expression if its operands are constant; else it stays as it is. */
export const fold = (
  expression: Expression,
  operands: readonly (Expression | undefined)[],
  context: ParseContext,
): Expression =>
  context.folds && operands.every((operand) => operand === undefined || operand.constant)
    ? constant(expression.evaluate())
    : expression
