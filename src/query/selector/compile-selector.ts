import type { Json, JsonObject } from '../../json/json.js'
import { InputPath } from '../../json/input-path.js'
import { parseSelector } from './parse-selector.js'
import { compileExpressions } from './operators.js'
import { needsTimeout } from './ast.js'
import type { Expression } from './ast.js'

/** A top-level condition that every matching item meets, by which an index can narrow. */
export interface IndexableCondition {
  readonly path: string
  readonly operator: '$eq' | '$in' | '$gt' | '$gte' | '$lt' | '$lte'
  /** A list for `$in`. */
  readonly operand: Json
}

/** A checked, compiled `query`. */
export interface Selector {
  /** Whether an item meets the query. Neither throws nor changes the item. */
  readonly matches: (item: JsonObject) => boolean
  /** Whether a `$regex` in it can take long on one item, so that it has to be interruptible. */
  readonly needsTimeout: boolean
  readonly conditions: readonly IndexableCondition[]
  /** Whether an item that meets all conditions meets the query: there is nothing else in it. */
  readonly isConjunction: boolean
}

/**
 * Compiles a query in MongoDB's language (https://www.mongodb.com/docs/manual/tutorial/query-documents/).
 * Throws QueryInvalid for all that MongoDB refuses at parse time and for what is not supported
 * here, whether or not an item would meet it.
 */
export const compileSelector = (query: JsonObject): Selector =>
  new CompiledSelector(parseSelector(query, new InputPath('query')))

class CompiledSelector implements Selector {
  readonly needsTimeout: boolean
  readonly conditions: readonly IndexableCondition[]
  readonly isConjunction: boolean
  readonly #expressions: readonly Expression[]
  #matches: Selector['matches'] | undefined

  constructor(expressions: readonly Expression[]) {
    this.needsTimeout = needsTimeout(expressions)
    this.conditions = conditionsOf(expressions)
    this.isConjunction = isConjunction(expressions)
    this.#expressions = expressions
  }

  /** Made when it is first read: an index may leave no item to be asked. */
  get matches(): Selector['matches'] {
    return (this.#matches ??= compileExpressions(this.#expressions, 'objects'))
  }
}

/** The selector of `{}`. */
export const MATCH_ALL: Selector = {
  matches: () => true,
  needsTimeout: false,
  conditions: [],
  isConjunction: true,
}

const comparisons = new Set(['$eq', '$in', '$gt', '$gte', '$lt', '$lte'])

function conditionsOf(expressions: readonly Expression[]): IndexableCondition[] {
  return expressions.flatMap((expression) => {
    if ('branches' in expression)
      return expression.operator === '$and' ? expression.branches.flatMap(conditionsOf) : []
    return comparisons.has(expression.operator) ? [expression as IndexableCondition] : []
  })
}

const isConjunction = (expressions: readonly Expression[]): boolean =>
  expressions.every((expression) =>
    'branches' in expression
      ? expression.operator === '$and' && expression.branches.every(isConjunction)
      : comparisons.has(expression.operator),
  )
