import { BodyInvalid, BoundExceeded, FaultNotFound } from '../errors.js'
import type { Fault } from '../schemas/fault.js'
import { compilePathGlob, stripTrailingSlash } from './path-glob.js'
import type { PathMatcher } from './path-glob.js'

/** A stored rule. `_id` is its number; `matchCount` is the number of requests that it has matched. */
export type FaultRule = Fault & { readonly _id: string; readonly matchCount: number }

/** The part of a request that rules are matched against. */
export interface MatchableRequest {
  readonly method: string
  /** Percent-encoded, without the query string. */
  readonly path: string
  readonly accountId: string | undefined
}

/** The number of rules: each one is matched with each request. */
const MAX_RULES = 200

interface StoredRule {
  readonly _id: string
  readonly fault: Fault
  /** The compiled `path` of the fault. */
  readonly matchesPath: PathMatcher | undefined
  matchCount: number
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
   * @throws BodyInvalid for keys that contradict each other, and for a path that can't match
   * @throws BoundExceeded if there are too many rules
   */
  add(fault: Fault): FaultRule {
    validateFault(fault)
    if (this.#rules.length >= MAX_RULES)
      throw new BoundExceeded(`there must be at most ${MAX_RULES} fault rules; remove some first`)
    this.#lastNumber += 1
    const rule: StoredRule = {
      _id: String(this.#lastNumber),
      fault,
      matchesPath: fault.path === undefined ? undefined : compilePathGlob(fault.path),
      matchCount: 0,
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
    this.#rules.splice(index, 1)
    this.#version += 1
  }

  /** Removes all rules. The numbers continue, so that no two rules ever have the same `_id`. */
  clear(): void {
    this.#rules = []
    this.#version += 1
  }

  /**
   * Returns the rule that applies to a request, and counts the match. A rule matches `after` requests
   * before it applies, and is removed after it has applied `times` times.
   */
  match(request: MatchableRequest): FaultRule | undefined {
    for (const rule of this.#rules) {
      if (!matches(rule, request)) continue
      rule.matchCount += 1
      const { after = 0, times = Infinity } = rule.fault
      if (rule.matchCount <= after) continue
      if (rule.matchCount === after + times) this.remove(rule._id)
      return toFaultRule(rule)
    }
    return undefined
  }
}

const toFaultRule = ({ _id, fault, matchCount }: StoredRule): FaultRule => ({
  _id,
  ...fault,
  matchCount,
})

function matches(
  { fault, matchesPath }: StoredRule,
  { method, path, accountId }: MatchableRequest,
): boolean {
  if (fault.method !== undefined && fault.method !== method) return false
  if (fault.accountId !== undefined && fault.accountId !== accountId) return false
  return matchesPath === undefined || matchesPath(stripTrailingSlash(path))
}

/** Rejects what the schema can't: a rule that could never apply as it says. */
function validateFault({ path, delay, status, message, retryAfter, drop }: Fault): void {
  if (delay === undefined && status === undefined && drop === undefined)
    throw new BodyInvalid('a fault must have a delay, a status or a drop')
  if (path !== undefined && !canMatchApi(path)) {
    throw new BodyInvalid(
      `path must match a path under /api, such as "/api/**/materials", not ${JSON.stringify(path)}`,
    )
  }
  if (path !== undefined && /[^!-~]|[?#]/.test(path)) {
    throw new BodyInvalid(
      `path must be percent-encoded and end before the "?", not ${JSON.stringify(path)}`,
    )
  }
  if (typeof delay === 'object' && delay.min > delay.max)
    throw new BodyInvalid(`delay.min must be at most delay.max, ${delay.max}, not ${delay.min}`)
  if (status === undefined && message !== undefined)
    throw new BodyInvalid('message must come with a status')
  if (status === undefined && retryAfter !== undefined)
    throw new BodyInvalid('retryAfter must come with a status')
  if (status !== undefined && (drop === 'reset' || drop === 'hang'))
    throw new BodyInvalid(`status can't come with drop "${drop}", which sends no response`)
}

/** Whether the part of a pattern before its first wildcard can be the start of a path under `/api`. */
function canMatchApi(pattern: string): boolean {
  const [start = ''] = pattern.split('*')
  return /^\/api(\/|$)/.test(start) || (pattern.includes('*') && '/api/'.startsWith(start))
}
