/** A parsed condition: an operator on a path, or a combination of expressions. */
export type Expression = Predicate | LogicalExpression

/** One operator on one path. */
export interface Predicate {
  readonly path: string
  readonly operator: string
  /** The parsed operand, whose form depends on the operator. */
  readonly operand: unknown
  /**
   * An upper bound on the ways in which a regular expression can match at one position, which is the
   * cost of matching one character; 1 for other operators.
   */
  readonly cost?: number
  /** The estimated size of a compiled regular expression, in nodes. */
  readonly patternSize?: number
}

/** A combination of branches. All expressions of a branch must match. */
export interface LogicalExpression {
  readonly operator: '$and' | '$or' | '$nor'
  readonly branches: readonly (readonly Expression[])[]
}

/**
 * What expressions match: the fields of an object, by the paths of the expressions, or a value
 * itself, whose expressions have no path.
 */
export type MatchTarget = 'object' | 'value'

/** A parsed `$elemMatch`. All expressions must match one element. */
export interface ElemMatch {
  readonly target: MatchTarget
  readonly expressions: readonly Expression[]
}

/**
 * The operators that test a whole item. They have no path, and their operand is a function of the
 * item.
 */
export const ITEM_OPERATORS: ReadonlySet<string> = new Set(['$expr', '$jsonSchema'])

/** Finds an operator that tests a whole item, which MongoDB allows in queries only. */
export function findItemOperator(expressions: readonly Expression[]): string | undefined {
  for (const expression of expressions) {
    const inner =
      'branches' in expression
        ? expression.branches.flat()
        : expression.operator === '$elemMatch'
          ? (expression.operand as ElemMatch).expressions
          : []
    const found = findItemOperator(inner)
    if (found !== undefined) return found
    if (ITEM_OPERATORS.has(expression.operator)) return expression.operator
  }
  return undefined
}

/**
 * The cost of expressions that match the largest item, an array of half a million numbers, without a
 * timeout: that takes about 60 ms (measured).
 */
const MAX_COST_WITHOUT_TIMEOUT = 8

/** Whether matching one item can take long. */
export const needsTimeout = (expressions: readonly Expression[]): boolean =>
  sumPredicates(expressions, ({ cost = 1 }) => cost) > MAX_COST_WITHOUT_TIMEOUT

/** Returns the estimated size of all regular expressions together, in nodes. */
export const sumPatternSizes = (expressions: readonly Expression[]): number =>
  sumPredicates(expressions, ({ patternSize = 0 }) => patternSize)

/** Returns the sum of a number of each predicate, also of those in branches and in `$elemMatch`. */
const sumPredicates = (
  expressions: readonly Expression[],
  toNumber: (predicate: Predicate) => number,
): number =>
  expressions.reduce((sum, expression) => {
    if ('branches' in expression) return sum + sumPredicates(expression.branches.flat(), toNumber)
    if (expression.operator !== '$elemMatch') return sum + toNumber(expression)
    return sum + sumPredicates((expression.operand as ElemMatch).expressions, toNumber)
  }, 0)
