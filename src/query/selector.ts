import type { Json, JsonObject } from '../schemas/json.js'
import { Place } from '../schemas/place.js'
import { checkSelector } from './condition.js'
import { compileTerms } from './operators.js'
import { firstField } from './prefetch.js'
import { hasCostlyPattern } from './terms.js'
import type { Term } from './terms.js'

/** A top-level condition that every matching item meets, by which an index can narrow. */
export interface Condition {
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
  readonly usesPattern: boolean
  /** The top-level field that it looks at first, where it looks at any. */
  readonly firstField: string | undefined
  readonly conditions: readonly Condition[]
  /** Whether an item that meets all conditions meets the query: there is nothing else in it. */
  readonly isConjunction: boolean
}

/**
 * Compiles a query in MongoDB's language (https://www.mongodb.com/docs/manual/tutorial/query-documents/).
 * Throws QueryInvalid for all that MongoDB refuses at parse time and for what is not supported
 * here, whether or not an item would meet it.
 */
export const compileSelector = (query: JsonObject): Selector =>
  new CompiledSelector(checkSelector(query, new Place('query')))

class CompiledSelector implements Selector {
  readonly usesPattern: boolean
  readonly firstField: string | undefined
  readonly conditions: readonly Condition[]
  readonly isConjunction: boolean
  readonly #terms: readonly Term[]
  #matches: Selector['matches'] | undefined

  constructor(terms: readonly Term[]) {
    this.usesPattern = hasCostlyPattern(terms)
    this.firstField = firstField(terms)
    this.conditions = conditionsOf(terms)
    this.isConjunction = isConjunction(terms)
    this.#terms = terms
  }

  /** Made when it is first read: an index may leave no item to be asked. */
  get matches(): Selector['matches'] {
    return (this.#matches ??= compileTerms(this.#terms, 'objects'))
  }
}

/** The selector of `{}`. */
export const EVERYTHING: Selector = {
  matches: () => true,
  usesPattern: false,
  firstField: undefined,
  conditions: [],
  isConjunction: true,
}

const comparisons = new Set(['$eq', '$in', '$gt', '$gte', '$lt', '$lte'])

function conditionsOf(terms: readonly Term[]): Condition[] {
  return terms.flatMap((term) => {
    if ('combine' in term) return term.combine === '$and' ? term.branches.flatMap(conditionsOf) : []
    return comparisons.has(term.operator) ? [term as Condition] : []
  })
}

const isConjunction = (terms: readonly Term[]): boolean =>
  terms.every((term) =>
    'combine' in term
      ? term.combine === '$and' && term.branches.every(isConjunction)
      : comparisons.has(term.operator),
  )
