import { BodyInvalid, FaultNotFound } from '../errors.js'
import type { Fault } from '../schemas/fault.js'
import { compileGlob, withoutTrailingSlash } from './path-glob.js'

/** A stored rule. `_id` is its number; `matchCount` is the number of requests that it has matched. */
export type FaultRule = Fault & { readonly _id: string; readonly matchCount: number }

/** What of a request the rules look at. */
export interface FaultSubject {
  readonly method: string
  /** As it was sent, without what follows the `?`. */
  readonly path: string
  readonly accountId: string | undefined
}

interface StoredRule {
  readonly _id: string
  readonly fault: Fault
  readonly pattern: RegExp | undefined
  matchCount: number
}

/** The faults of one server, in the order in which they came: the first that fits wins. */
export class Faults {
  #rules: StoredRule[] = []
  #lastNumber = 0

  /** Whether there is no rule, so that no request need be looked at. */
  get isEmpty(): boolean {
    return this.#rules.length === 0
  }

  /** All rules in their order. */
  list(): FaultRule[] {
    return this.#rules.map(toRule)
  }

  /**
   * Adds a rule after all others.
   * @throws BodyInvalid where its parts do not go together
   */
  add(fault: Fault): FaultRule {
    checkFault(fault)
    this.#lastNumber += 1
    const rule: StoredRule = {
      _id: String(this.#lastNumber),
      fault,
      pattern: fault.path === undefined ? undefined : compileGlob(fault.path),
      matchCount: 0,
    }
    this.#rules.push(rule)
    return toRule(rule)
  }

  /**
   * Takes one out.
   * @throws FaultNotFound
   */
  remove(id: string): void {
    const index = this.#rules.findIndex(({ _id }) => _id === id)
    if (index === -1) throw new FaultNotFound(id)
    this.#rules.splice(index, 1)
  }

  /** Takes all out. The numbers go on, so that an `_id` never means another rule. */
  clear(): void {
    this.#rules = []
  }

  /** The rule for a request: counts it, and takes the rule out when it was for the last time. */
  take(subject: FaultSubject): FaultRule | undefined {
    for (const rule of this.#rules) {
      if (!matches(rule, subject)) continue
      rule.matchCount += 1
      const { after = 0, times = Infinity } = rule.fault
      if (rule.matchCount <= after) continue
      if (rule.matchCount === after + times) this.remove(rule._id)
      return toRule(rule)
    }
    return undefined
  }
}

const toRule = ({ _id, fault, matchCount }: StoredRule): FaultRule => ({
  _id,
  ...fault,
  matchCount,
})

function matches(
  { fault, pattern }: StoredRule,
  { method, path, accountId }: FaultSubject,
): boolean {
  if (fault.method !== undefined && fault.method !== method) return false
  if (fault.accountId !== undefined && fault.accountId !== accountId) return false
  return pattern === undefined || pattern.test(withoutTrailingSlash(path))
}

/** Refuses what no schema can: a rule that could never do what it says. */
function checkFault({ path, delay, status, message, retryAfter, drop }: Fault): void {
  if (delay === undefined && status === undefined && drop === undefined)
    throw new BodyInvalid('a fault must have a delay, a status or a drop')
  if (path !== undefined && !isUnderApi(path)) {
    throw new BodyInvalid(
      `path must fit something under /api, such as "/api/**/materials", not ${JSON.stringify(path)}`,
    )
  }
  if (path !== undefined && /[^!-~]|[?#]/.test(path)) {
    throw new BodyInvalid(
      `path must be as it is sent, percent-encoded and with nothing after a "?", not ${JSON.stringify(path)}`,
    )
  }
  if (typeof delay === 'object' && delay.min > delay.max)
    throw new BodyInvalid(`delay.min must be at most delay.max, ${delay.max}, not ${delay.min}`)
  if (status === undefined && message !== undefined)
    throw new BodyInvalid('message must come with a status')
  if (status === undefined && retryAfter !== undefined)
    throw new BodyInvalid('retryAfter must come with a status')
  if (status !== undefined && (drop === 'reset' || drop === 'hang'))
    throw new BodyInvalid(`status can't come with drop "${drop}", which never answers`)
}

/** Whether what is before the first wildcard can be the start of a path under `/api`. */
function isUnderApi(path: string): boolean {
  const [start = ''] = path.split('*')
  return /^\/api(\/|$)/.test(start) || (path.includes('*') && '/api/'.startsWith(start))
}
