import type { TSchema } from '@sinclair/typebox'

import { isJsonObject } from '@materials-mock/json'
import type { InputPath, Json, JsonObject } from '@materials-mock/json'
import type { PatternBudget } from '../compile-pattern.js'
import type { Condition, ElementQuery, FieldTest } from '../condition.js'
import type { ExpressionParser } from '../expressions/expression-parser.js'
import type { CandidateTest } from '../values/compile-path.js'
import { isDbRef } from '../values/path.js'

export interface QueryOperator<Schema extends TSchema = TSchema> {
  /** The operand in the OpenAPI document. It is not for validation: `parse` validates. */
  readonly schema: Schema
  /**
   * Undefined if it is no condition, such as `$comment`.
   * @throws the path's error
   */
  readonly parse: (operand: Json, place: Place) => Condition | undefined
  /** An easily overlooked reason why values do not match: `, a number, not a string`; or empty. */
  readonly note?: (operand: Json, values: readonly Json[]) => string
}

export interface Place {
  readonly operator: string
  /** The path of the operator's field; undefined for a top-level operator, and for an element itself. */
  readonly fieldPath: string | undefined
  readonly operators: JsonObject
  readonly path: InputPath
  readonly parser: ConditionParser
}

export interface ConditionParser {
  readonly patterns: PatternBudget
  /** The parser of expressions; undefined where MongoDB refuses `$expr`, as in `$elemMatch`. */
  readonly expressions: ExpressionParser | undefined
  /** Parses a query, all of whose conditions must hold. */
  parseQuery(query: JsonObject, path: InputPath): readonly Condition[]
  /** Parses an object of operators on a field, or on an element if the path is undefined. */
  parseOperators(
    fieldPath: string | undefined,
    operators: JsonObject,
    path: InputPath,
  ): readonly Condition[]
  parseElements(operand: Json, path: InputPath): ElementQuery
  /** Whether MongoDB reads a value in a list as an operator, not as a value. */
  isOperator(value: Json): boolean
}

interface TestDefinition<Schema extends TSchema, Operand> extends Partial<
  Pick<FieldTest, 'arrays' | 'isNegated' | 'isIndexable'>
> {
  readonly schema: Schema
  /** Parses the operand. Without it, any value is an operand. */
  readonly parseOperand?: (operand: Json, path: InputPath) => Operand
  /** Compiles a parsed operand into the test of one candidate. */
  readonly compile: (operand: Operand) => CandidateTest
  readonly computeCost?: (operand: Operand) => number
  readonly note?: QueryOperator['note']
}

export const defineTest = <Schema extends TSchema, Operand = Json>({
  schema,
  parseOperand = (operand) => operand as Operand,
  compile,
  computeCost = () => 1,
  arrays = 'elements',
  isNegated = false,
  isIndexable = false,
  note,
}: TestDefinition<Schema, Operand>): QueryOperator<Schema> => ({
  schema,
  parse: (operand, { operator, fieldPath, path }) => {
    const parsed = parseOperand(operand, path)
    return {
      kind: 'field',
      path: fieldPath,
      operator,
      operand,
      arrays,
      isNegated,
      isIndexable,
      cost: computeCost(parsed),
      compile: () => compile(parsed),
    }
  },
  ...(note !== undefined && { note }),
})

/** By default, the candidates of an array are its elements, then the array. */
export const createFieldTest = (
  { operator, fieldPath }: Pick<Place, 'operator' | 'fieldPath'>,
  operand: Json,
  test: Pick<FieldTest, 'compile'> & Partial<FieldTest>,
): FieldTest => ({
  kind: 'field',
  path: fieldPath,
  operator,
  operand,
  arrays: 'elements',
  isNegated: false,
  isIndexable: false,
  cost: 1,
  ...test,
})

/** Returns the first key of an object, which decides whether MongoDB reads it as operators. */
export const getFirstKey = (value: JsonObject): string | undefined => Object.keys(value)[0]

/** Whether a value is an object whose first key starts with `$`. It may be a DBRef. */
export const startsWithDollar = (value: Json): value is JsonObject =>
  isJsonObject(value) && getFirstKey(value)?.startsWith('$') === true

/** Whether a value is an object of operators, such as `{"$gt": 1}`. */
export const isOperatorObject = (value: Json): value is JsonObject =>
  startsWithDollar(value) && !isDbRef(value)
