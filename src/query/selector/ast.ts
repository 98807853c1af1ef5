/** A parsed condition: an operator on a path, or a combination of expressions. */
export type Expression = Predicate | LogicalExpression

/** One operator on one path. */
export interface Predicate {
  readonly path: string
  readonly operator: string
  /** The parsed operand, whose form depends on the operator. */
  readonly operand: unknown
  /** Whether matching one value can take long, as with some regular expressions. */
  readonly needsTimeout?: boolean
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

/** Whether matching one item can take long. */
export const needsTimeout = (expressions: readonly Expression[]): boolean =>
  expressions.some((expression) => {
    if ('branches' in expression) return expression.branches.some(needsTimeout)
    if (expression.operator !== '$elemMatch') return expression.needsTimeout === true
    return needsTimeout((expression.operand as ElemMatch).expressions)
  })

/** Returns the estimated size of all regular expressions together, in nodes. */
export const sumPatternSizes = (expressions: readonly Expression[]): number =>
  expressions.reduce((sum, expression) => {
    if ('branches' in expression)
      return sum + expression.branches.reduce((size, each) => size + sumPatternSizes(each), 0)
    if (expression.operator !== '$elemMatch') return sum + (expression.patternSize ?? 0)
    return sum + sumPatternSizes((expression.operand as ElemMatch).expressions)
  }, 0)
