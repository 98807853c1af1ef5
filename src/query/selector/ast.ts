/** A checked condition: an operator that a path's candidates must meet, or a combination. */
export type Expression = Predicate | LogicalExpression

export interface Predicate {
  readonly path: string
  readonly operator: string
  /** In the form that `operators.ts` works with. */
  readonly operand: unknown
  /** Whether it can take long on one candidate, as some patterns do. */
  readonly needsTimeout?: boolean
}

export interface LogicalExpression {
  readonly operator: '$and' | '$or' | '$nor'
  readonly branches: readonly (readonly Expression[])[]
}

/** The operand of a checked `$elemMatch`: the elements are judged as objects or as bare values. */
export interface ElementSelector {
  readonly elements: 'objects' | 'values'
  readonly expressions: readonly Expression[]
}

/** Whether there is a pattern in the expressions that can take long on one text. */
export const needsTimeout = (expressions: readonly Expression[]): boolean =>
  expressions.some((expression) => {
    if ('branches' in expression) return expression.branches.some(needsTimeout)
    if (expression.operator !== '$elemMatch') return expression.needsTimeout === true
    return needsTimeout((expression.operand as ElementSelector).expressions)
  })
