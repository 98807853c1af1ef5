import { BoundExceeded, CatalogueError, FaultFailed, FaultNotFound } from '../../errors.js'
import type { Fault } from './fault.js'
import type { Work } from '../../work/work.js'
import { compileFault } from './compile-fault.js'
import type { CompiledFault, RequestSelector } from './compile-fault.js'
import type { CompiledOutcome } from './compile-outcome.js'
import type { RequestItem } from '../journal/journal-record.js'
import { stripTrailingSlash } from '../path-glob.js'

/** A stored rule. `_id` is its number; `matchCount` is the number of requests that it has matched. */
export type FaultRule = Fault & {
  readonly _id: string
  readonly matchCount: number
  /** The time at which a rule with a `ttl` is removed (ISO 8601). */
  readonly expiresAt?: string
}

/** The part of a request that rules are matched against. */
export interface MatchableRequest {
  readonly method: string
  /** Percent-encoded, without the query string. */
  readonly path: string
  readonly accountId: string | undefined
  /** Returns the request as the journal has it. Only rules with a `match` need it. */
  readonly toItem: () => RequestItem
}

/** What applies to a request: an outcome, and the rule that it is of, if it is of a rule. */
export interface AppliedOutcome {
  readonly outcome: CompiledOutcome
  readonly rule: { readonly _id: string | null; readonly name?: string }
}

interface StoredRule extends CompiledFault {
  readonly _id: string
  readonly fault: Fault
  readonly expiresAt: string | undefined
  /** Removes the rule after its `ttl`. */
  readonly timer: NodeJS.Timeout | undefined
  matchCount: number
  /** The index of the next outcome, and the number of requests that it has been applied to. */
  position: number
  count: number
}

/** The fault rules of one server. The first rule that matches a request applies. */
export class Faults {
  #rules: StoredRule[] = []
  #lastNumber = 0
  #version = 0

  /** A number that changes whenever a rule is added or removed. */
  get version(): number {
    return this.#version
  }

  /** Whether there is no rule, so that no request can match. */
  get isEmpty(): boolean {
    return this.#rules.length === 0
  }

  /** Returns all rules in the order in which they were added. */
  list(): FaultRule[] {
    return this.#rules.map(toFaultRule)
  }

  /**
   * Adds a rule after all others.
   * @throws BodyInvalid for keys that contradict each other, and for what can't match
   * @throws BoundExceeded if there are too many rules, or if the rule is too large
   */
  add(fault: Fault): FaultRule {
    const compiled = compileFault(fault)
    checkLimits(this.#rules, compiled)
    this.#lastNumber += 1
    const _id = String(this.#lastNumber)
    const { ttl } = fault
    const rule: StoredRule = {
      ...compiled,
      _id,
      fault,
      expiresAt: ttl === undefined ? undefined : new Date(Date.now() + ttl).toISOString(),
      timer: ttl === undefined ? undefined : setTimeout(() => this.remove(_id), ttl).unref(),
      matchCount: 0,
      position: 0,
      count: 0,
    }
    this.#rules.push(rule)
    this.#version += 1
    return toFaultRule(rule)
  }

  /**
   * Removes a rule.
   * @throws FaultNotFound
   */
  remove(id: string): void {
    const index = this.#rules.findIndex(({ _id }) => _id === id)
    if (index === -1) throw new FaultNotFound(id)
    const [removed] = this.#rules.splice(index, 1)
    clearTimeout(removed?.timer)
    this.#version += 1
  }

  /** Removes all rules. The numbers continue, so that no two rules ever have the same `_id`. */
  clear(): void {
    for (const { timer } of this.#rules) clearTimeout(timer)
    this.#rules = []
    this.#version += 1
  }

  /** Whether a rule may match that has to know the body of the request. */
  needsBody(request: MatchableRequest): boolean {
    return this.#rules.some((rule) => rule.selector?.readsBody === true && hasKeys(rule, request))
  }

  /** Whether a rule has a `match`, which takes time. */
  get hasSelectors(): boolean {
    return this.#rules.some(({ selector }) => selector !== undefined)
  }

  /**
   * Returns the outcome that applies to a request, and counts the match. A rule matches `after`
   * requests before it applies, and is removed after its last outcome.
   * @throws FaultFailed if the `match` of a rule can't be evaluated
   */
  *match(request: MatchableRequest): Work<AppliedOutcome | undefined> {
    const rules = [...this.#rules] // which may change in the meantime
    for (const rule of rules) {
      if (!hasKeys(rule, request)) continue
      const { selector, fault, random } = rule
      if (selector !== undefined && !(yield* evaluateSelector(rule._id, selector, request)))
        continue
      if (!this.#rules.includes(rule)) continue
      rule.matchCount += 1
      if (rule.matchCount <= (fault.after ?? 0)) continue
      if (random !== undefined && random() >= (fault.probability ?? 1)) continue
      return this.#apply(rule)
    }
    return undefined
  }

  /** Returns the next outcome of the first rule with a name, whatever requests it is for. */
  applyNamed(name: string): AppliedOutcome | undefined {
    const rule = this.#rules.find(({ fault }) => fault.name === name)
    if (rule === undefined) return undefined
    rule.matchCount += 1
    return this.#apply(rule)
  }

  #apply(rule: StoredRule): AppliedOutcome | undefined {
    const { _id, fault, outcomes, position } = rule
    const current = outcomes[position]
    if (current === undefined) return undefined
    rule.count += 1
    if (rule.count === current.times) {
      rule.position += 1
      rule.count = 0
    }
    if (rule.position === outcomes.length) this.remove(_id)
    const { name } = fault
    return { outcome: current.outcome, rule: { _id, ...(name !== undefined && { name }) } }
  }
}

function toFaultRule({ _id, fault, matchCount, expiresAt }: StoredRule): FaultRule {
  return { _id, ...fault, matchCount, ...(expiresAt !== undefined && { expiresAt }) }
}

/** Whether a request has the method, the account and the path of a rule. */
function hasKeys(
  { fault, matchesPath }: StoredRule,
  { method, path, accountId }: MatchableRequest,
): boolean {
  if (fault.method !== undefined && fault.method !== method) return false
  if (fault.accountId !== undefined && fault.accountId !== accountId) return false
  return matchesPath === undefined || matchesPath(stripTrailingSlash(path))
}

function* evaluateSelector(
  id: string,
  selector: RequestSelector,
  { toItem }: MatchableRequest,
): Work<boolean> {
  try {
    return yield* selector.matches(toItem())
  } catch (error) {
    throw error instanceof CatalogueError ? new FaultFailed(id, error.message) : error
  }
}

/** The number of rules: each one is matched with each request. */
const MAX_RULES = 200

/** The size of all rules, in characters of JSON. */
const MAX_SIZE = 16 * 1024 * 1024

/**
 * Checks that there is room for one more rule.
 * @throws BoundExceeded for too many or too large rules
 */
function checkLimits(
  rules: readonly Pick<CompiledFault, 'size'>[],
  added: Pick<CompiledFault, 'size'>,
): void {
  if (rules.length >= MAX_RULES)
    throw new BoundExceeded(`there must be at most ${MAX_RULES} fault rules; remove some first`)
  const size = rules.reduce((sum, rule) => sum + rule.size, added.size)
  if (size <= MAX_SIZE) return
  throw new BoundExceeded(
    `all fault rules must have at most ${MAX_SIZE} characters of JSON, not ${size}; remove some first`,
  )
}
