import { evaluate } from '../query/evaluate.js'
import type { Span } from '../query/evaluate.js'
import type { Order } from '../query/order.js'
import { EVERYTHING } from '../query/selector.js'
import type { Selector } from '../query/selector.js'
import type { Accepts } from './access.js'
import type { Entry, Listing } from './collection.js'
import { MIN_INDEXED } from './indexes.js'
import type { Candidates, Indexes } from './indexes.js'

/** How a list is evaluated: over which entries, and whether they still have to be sorted. */
export interface Plan {
  /** What is used, for a person: `scan`, `hash index on formula`. */
  readonly by: string
  /** How many entries are looked at, at most. */
  readonly count: number
  readonly entries: () => readonly Entry[]
  /** The part of the entries that is looked at, where it is not all of them. */
  readonly span: Span | undefined
  /** Whether each of the entries meets the query, so that none has to be asked. */
  readonly isDecided: boolean
  /** The order that is still to be made; undefined where the entries come in it. */
  readonly order: Order | undefined
}

/** An index for the order pays unless the conditions leave fewer than one in so many. */
const SORT_WORTH = 20

/**
 * Chooses the entries that the selector then judges: those that an index leaves, those of an index
 * that has the wanted order, or all.
 */
export function makePlan(
  { selector, order }: { readonly selector: Selector; readonly order: Order | undefined },
  all: readonly Entry[],
  indexes: Indexes,
): Plan {
  const { conditions } = selector
  if (all.length < MIN_INDEXED) return scan(all, selector, order)
  const narrowed = indexes.narrow(conditions, all)
  if (narrowed !== undefined && narrowed.count * SORT_WORTH <= all.length)
    return planOf(narrowed, selector, order)
  const [key, ...more] = order?.keys ?? []
  if (key !== undefined && more.length === 0) {
    const sorted = indexes.inOrder(key, conditions, all)
    if (sorted !== undefined) return planOf(sorted, selector, undefined)
  }
  // A list that is to be sorted looks at every entry; one that is not stops early.
  if (narrowed !== undefined && order !== undefined) return planOf(narrowed, selector, order)
  return scan(all, selector, order)
}

const scan = (all: readonly Entry[], selector: Selector, order: Order | undefined): Plan =>
  planOf({ by: 'scan', decided: [], count: all.length, entries: () => all }, selector, order)

const planOf = (
  { by, count, entries, span, decided }: Candidates,
  { conditions, isConjunction }: Selector,
  order: Order | undefined,
): Plan => ({
  by,
  count,
  entries,
  span,
  isDecided: isConjunction && conditions.every((each) => decided.includes(each)),
  order,
})

/** Whether a page is just a piece of a plan's entries, so that nothing has to be asked of any. */
export const isPiece = ({ isDecided, order }: Plan, accepts: Accepts | undefined): boolean =>
  isDecided && order === undefined && accepts === undefined

/**
 * The page of a plan's entries that a list asks for. Throws BudgetExceeded.
 * @param accepts asked of those that meet the query; undefined accepts all
 * @param hold has a list stay as it is, if it can
 */
export function evaluatePlan(
  plan: Plan,
  { selector, skip, limit, budget }: Listing,
  accepts: Accepts | undefined,
  hold: (entries: readonly Entry[]) => boolean = () => false,
): Entry[] | Promise<Entry[]> {
  const { entries, span, isDecided, order } = plan
  if (isPiece(plan, accepts)) {
    const all = entries()
    const { from, to } = span ?? { from: 0, to: all.length }
    return all.slice(from + skip, Math.min(to, from + skip + limit))
  }
  const asked = isDecided ? EVERYTHING : selector
  const page = { selector: asked, order, skip, limit }
  return evaluate(entries(), { ...page, span, accepts, budget, hold })
}
