import { InputPath, groupBy } from '@materials-mock/json'
import type { Json, JsonObject } from '@materials-mock/json'
import { PatternBudget } from '../compile-pattern.js'
import { findQueryOnlyOperator, needsTimeout, splitConjunctions, sumCosts } from '../condition.js'
import type { Condition } from '../condition.js'
import { ExpressionParser } from '../expressions/expression-parser.js'
import type { Scope } from '../expressions/scope.js'
import { isScalar } from '../values/compile-path.js'
import { compileArrayPosition } from './array-position.js'
import type { FindArrayPosition } from './array-position.js'
import { compileConditions } from './compile-conditions.js'
import { SelectorParser } from './parse-selector.js'

export interface IndexableCondition {
  readonly path: string
  readonly operator: '$eq' | '$in' | '$gt' | '$gte' | '$lt' | '$lte'
  /** The operand; an array for `$in`. */
  readonly operand: Json
}

export interface PathConditions {
  readonly path: string
  readonly conditions: readonly IndexableCondition[]
}

/** The largest number of operands of an `$in` that an index looks up. Each operand has a range of its own. */
const MAX_LOOKUPS = 100

/**
 * @throws QueryInvalid for what MongoDB rejects when it parses, and for what is not supported, or
 * the error of the path's input; BoundExceeded for a costly `$regex`
 */
export function compileSelector(query: JsonObject, path = new InputPath('query')): Selector {
  const patterns = new PatternBudget(path)
  const expressions = new ExpressionParser(path, patterns)
  const tree = new SelectorParser(patterns, expressions).parseQuery(query, path)
  return new Selector(tree, expressions)
}

export class Selector {
  readonly tree: readonly Condition[]
  /** Whether matching one item can take long, so that it must run with a timeout. */
  readonly needsTimeout: boolean
  /** The number of conditions, if the query is a conjunction of conditions on fields. */
  readonly conditionCount: number
  /** The conditions that an index answers, by path. Equalities come first, because they leave the fewest items. */
  readonly byPath: readonly PathConditions[]
  /** Whether the conditions are the whole query: an item that meets all of them matches. */
  readonly isConjunction: boolean
  /** Whether there is an `$expr`, which can fail on an item. */
  readonly hasExpr: boolean
  readonly #scope: Scope
  #matches: ((item: JsonObject) => boolean) | undefined
  #findArrayPosition: FindArrayPosition | undefined

  constructor(
    tree: readonly Condition[],
    { scope, isUsed }: Pick<ExpressionParser, 'scope' | 'isUsed'>,
  ) {
    this.tree = tree
    this.needsTimeout = needsTimeout(sumCosts(tree))
    this.hasExpr = isUsed
    this.#scope = scope
    const all = splitConjunctions(tree)
    this.conditionCount = all.length
    const indexable = all.filter(isIndexable) as unknown as readonly IndexableCondition[]
    this.byPath = groupByPath(indexable)
    this.isConjunction = indexable.length === all.length
  }

  /** An operator such as `$jsonSchema`, with which MongoDB refuses the positional `$`. */
  get itemOperator(): string | undefined {
    return findQueryOnlyOperator(this.tree)
  }

  /** Returns a selector of those of the conditions, all of which must hold, that are kept. */
  filter(keep: (condition: Condition) => boolean): Selector {
    const kept = splitConjunctions(this.tree).filter(keep)
    return new Selector(kept, { scope: this.#scope, isUsed: this.hasExpr })
  }

  /**
   * Compiled on first use: with an index, no item may be left to match.
   * @throws QueryInvalid, BoundExceeded for an `$expr` alone
   */
  get matches(): (item: JsonObject) => boolean {
    return (this.#matches ??= this.#compile())
  }

  #compile(): (item: JsonObject) => boolean {
    const matches = compileConditions(this.tree)
    if (!this.hasExpr) return matches
    return (item) => {
      this.start(item)
      return matches(item)
    }
  }

  /** Prepares the tests of the tree for an item. `matches` does it by itself. */
  start(item: JsonObject): void {
    this.#scope.start(item)
  }

  /** Finds the array position at which an item matches, for the positional `$` of `fields`. */
  get findArrayPosition(): FindArrayPosition {
    return (this.#findArrayPosition ??= compileArrayPosition(this.tree))
  }
}

/** The selector of `{}`. */
export const MATCH_ALL = compileSelector({})

function isIndexable(condition: Condition): boolean {
  return condition.kind === 'field' && condition.isIndexable
}

function groupByPath(conditions: readonly IndexableCondition[]): PathConditions[] {
  const groups = groupBy(conditions.filter(isAnswered), ({ path }) => path)
  const byPath: PathConditions[] = []
  for (const [path, onPath] of groups) byPath.push({ path, conditions: onPath })
  if (byPath.length < 2) return byPath
  return [...byPath.filter(hasEquality), ...byPath.filter((each) => !hasEquality(each))]
}

const hasEquality = ({ conditions }: PathConditions): boolean =>
  conditions.some(({ operator }) => operator === '$eq' || operator === '$in')

/** Whether an index, which holds scalars, answers a condition. */
function isAnswered({ operator, operand }: IndexableCondition): boolean {
  if (operator !== '$in') return isScalar(operand)
  const operands = operand as readonly Json[]
  return operands.length <= MAX_LOOKUPS && operands.every(isScalar)
}
