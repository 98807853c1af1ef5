import { InputPath } from '../../json/input-path.js'
import type { JsonObject } from '../../json/json.js'
import { evaluate } from '../../query/evaluate.js'
import { checkQueryLimits } from '../../query/parse-parameter.js'
import { compileSelector } from '../../query/selector/compile-selector.js'
import type { Work } from '../../work/work.js'
import type { RequestItem } from '../journal/journal-record.js'
import { ARRIVING, checkRequestConditions, readsPath } from '../journal/request-conditions.js'

/** A compiled `match` of a rule. */
export interface RequestSelector {
  /** Whether the body decides, so that it must have arrived. */
  readonly readsBody: boolean
  /**
   * Whether a request matches.
   * @throws PatternTooCostly and others as `evaluate` does
   */
  readonly matches: (item: RequestItem) => Work<boolean>
}

/**
 * Compiles the `match` of a rule: a query of requests as the journal has them.
 * @throws BodyInvalid for a query that MongoDB rejects, and for a field that a request does not have
 * before it is answered
 * @throws BoundExceeded for a query beyond the limits of a list's
 */
export function compileRequestSelector(query: JsonObject): RequestSelector {
  const path = new InputPath('body', 'match')
  checkQueryLimits(query, path)
  const selector = compileSelector(query, path)
  checkRequestConditions(query, path, ARRIVING)
  return {
    readsBody: readsPath(query, /^body(?:\.|$)/),
    *matches(item) {
      const found = yield* evaluate([{ item }], {
        selector,
        sort: undefined,
        skip: 0,
        limit: 1,
      })
      return found.length === 1
    },
  }
}
