import { InputPath } from '../../json/input-path.js'
import type { Json, JsonObject } from '../../json/json.js'
import { ExpressionParser } from '../expressions/expression-parser.js'
import type { Scope } from '../expressions/scope.js'
import { findItemOperator, needsTimeout } from './ast.js'
import type { Expression } from './ast.js'
import { compileArrayPosition } from './compile-array-position.js'
import type { FindArrayPosition } from './compile-array-position.js'
import { compileExpressions } from './compile-expressions.js'
import { checkPatternLengths, checkPatternSizes } from './compile-regex.js'
import { describeExpressions } from './describe-expressions.js'
import { parseSelector } from './parse-selector.js'

/** A condition that every matching item meets, and by which an index can find candidates. */
export interface IndexableCondition {
  readonly path: string
  readonly operator: '$eq' | '$in' | '$gt' | '$gte' | '$lt' | '$lte'
  /** An array for `$in`. */
  readonly operand: Json
}

/** A compiled `query`. */
export interface Selector {
  /**
   * Whether an item matches the query. It does not change the item.
   * @throws QueryInvalid if an `$expr` can't be evaluated for the item, BoundExceeded if it takes
   * too many steps; without one it does not throw
   */
  readonly matches: (item: JsonObject) => boolean
  /** Whether matching one item can take long, so that it must run with a timeout. */
  readonly needsTimeout: boolean
  /**
   * Whether the query has an `$expr`: matching one item may take some ms, and may throw, so it must
   * be one that the client sees.
   */
  readonly hasExpressions: boolean
  readonly conditions: readonly IndexableCondition[]
  /** Whether the conditions are the whole query: an item that meets all of them matches. */
  readonly isConjunction: boolean
  /** Finds the array position by which an item matches, for the positional `$` of `fields`. */
  readonly findArrayPosition: FindArrayPosition
  /** Describes the conditions, as `describeExpressions` does. */
  readonly describeConditions: () => readonly string[]
  /** An operator such as `$jsonSchema`, with which MongoDB refuses the positional `$`. */
  readonly itemOperator: string | undefined
}

/** The selector of `{}`. */
export const MATCH_ALL: Selector = {
  matches: () => true,
  needsTimeout: false,
  hasExpressions: false,
  conditions: [],
  isConjunction: true,
  findArrayPosition: () => undefined,
  describeConditions: () => [],
  itemOperator: undefined,
}

const INDEXABLE_OPERATORS: ReadonlySet<string> = new Set([
  '$eq',
  '$in',
  '$gt',
  '$gte',
  '$lt',
  '$lte',
])

/**
 * Compiles a query in MongoDB's language
 * (https://www.mongodb.com/docs/manual/tutorial/query-documents/).
 * @throws QueryInvalid for a query that MongoDB rejects when it parses it, and for an operator that
 * is not supported; another error if the path is of another input
 * @throws BoundExceeded for a `$regex` that is too long or too expensive to compile
 */
export function compileSelector(query: JsonObject, path = new InputPath('query')): Selector {
  checkPatternLengths(query, path)
  const parser = new ExpressionParser(path)
  const expressions = parseSelector(query, path, parser)
  checkPatternSizes(expressions, path)
  return new CompiledSelector(expressions, parser)
}

class CompiledSelector implements Selector {
  readonly needsTimeout: boolean
  readonly hasExpressions: boolean
  readonly conditions: readonly IndexableCondition[]
  readonly isConjunction: boolean
  readonly itemOperator: string | undefined
  readonly #expressions: readonly Expression[]
  readonly #scope: Scope
  #matches: Selector['matches'] | undefined
  #findArrayPosition: FindArrayPosition | undefined

  constructor(expressions: readonly Expression[], { scope, isUsed }: ExpressionParser) {
    this.needsTimeout = needsTimeout(expressions)
    this.hasExpressions = isUsed
    this.#scope = scope
    this.conditions = findConditions(expressions)
    this.isConjunction = isConjunction(expressions)
    this.itemOperator = findItemOperator(expressions)
    this.#expressions = expressions
  }

  // Compiled on first use: with an index, there may be no item left to match.
  get matches(): Selector['matches'] {
    return (this.#matches ??= this.#compile())
  }

  #compile(): Selector['matches'] {
    const matches = compileExpressions(this.#expressions, 'object')
    if (!this.hasExpressions) return matches
    const scope = this.#scope
    return (item) => {
      scope.start(item)
      return matches(item)
    }
  }

  describeConditions = (): readonly string[] => describeExpressions(this.#expressions)

  get findArrayPosition(): FindArrayPosition {
    return (this.#findArrayPosition ??= compileArrayPosition(this.#expressions))
  }
}

function findConditions(expressions: readonly Expression[]): IndexableCondition[] {
  return expressions.flatMap((expression) => {
    if ('branches' in expression)
      return expression.operator === '$and' ? expression.branches.flatMap(findConditions) : []
    return INDEXABLE_OPERATORS.has(expression.operator) ? [expression as IndexableCondition] : []
  })
}

const isConjunction = (expressions: readonly Expression[]): boolean =>
  expressions.every((expression) =>
    'branches' in expression
      ? expression.operator === '$and' && expression.branches.every(isConjunction)
      : INDEXABLE_OPERATORS.has(expression.operator),
  )
