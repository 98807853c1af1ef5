import { OUTCOME_KEYS } from '@materials-mock/api'
import type { Fault, FaultRule, RequestItem } from '@materials-mock/api'
import { InputPath, describeClosest, withoutUndefined } from '@materials-mock/json'
import type { JsonObject } from '@materials-mock/json'
import { compileSelector, evaluate } from '@materials-mock/query'
import type { Selector } from '@materials-mock/query'
import { createRandom } from '@materials-mock/structures'
import type { Random } from '@materials-mock/structures'
import { checkHeap } from '@materials-mock/work'
import type { Work } from '@materials-mock/work'
import {
  BodyInvalid,
  BoundExceeded,
  CatalogueError,
  FaultFailed,
  FaultNotFound,
} from '../../errors.js'
import { checkQueryLimits } from '../../http/list/json-parameter.js'
import { ARRIVING, checkRequestConditions } from '../journal/request-conditions.js'
import { compilePathGlob, fillTemplate, stripTrailingSlash } from '../path-glob.js'
import type { PathGlob } from '../path-glob.js'
import { compileOutcome } from './compile-outcome.js'
import type { CompiledOutcome } from './compile-outcome.js'

export interface MatchableRequest {
  readonly method: string
  /** The percent-encoded path, without the query string. */
  readonly path: string
  readonly accountId: string | undefined
  /** Returns the request in the form of the journal. Only rules with a `match` need it. */
  readonly toItem: () => RequestItem
}

/** The outcome that applies to a request, and its rule, if it comes from a rule. */
export interface AppliedOutcome {
  readonly outcome: CompiledOutcome
  readonly rule: { readonly _id: string | null; readonly name?: string }
  /** Whether it is of a mutation, which the journal does not show: only the answer changes. */
  readonly isMutation?: true
}

interface StoredRule {
  readonly _id: string
  readonly fault: Fault
  readonly glob: PathGlob | undefined
  readonly match: Selector | undefined
  /** Draws a number from 0 to 1, for `probability`. */
  readonly random: Random | undefined
  readonly outcomes: readonly { readonly outcome: CompiledOutcome; readonly times: number }[]
  readonly expiresAt: string | undefined
  /** Removes the rule after its `ttl`. */
  readonly timer: NodeJS.Timeout | undefined
  matchCount: number
  /** The index of the next outcome, and the number of requests that it has been applied to. */
  position: number
  count: number
}

/** Lists the paths of the routes under `/api`, with parameters such as `:id`. */
export type ListTemplates = () => readonly string[]

/** The fault rules of one server. The first rule that matches a request applies. */
export class Faults {
  #rules: StoredRule[] = []
  #lastNumber = 0
  #version = 0
  readonly #listTemplates: ListTemplates | undefined

  /** @param listTemplates undefined to allow any path, because requests without a route are passed on */
  constructor(listTemplates?: ListTemplates) {
    this.#listTemplates = listTemplates
  }

  /** A number that changes whenever a rule is added or removed. */
  get version(): number {
    return this.#version
  }

  get isEmpty(): boolean {
    return this.#rules.length === 0
  }

  get added(): Fault[] {
    return this.#rules.map(({ fault }) => fault)
  }

  list(): FaultRule[] {
    return this.#rules.map(toFaultRule)
  }

  /**
   * @throws BodyInvalid for contradictory keys, for a `match` that no request can meet and, without
   * `force`, for a path without a route; BoundExceeded for too many rules and a full memory
   */
  add(fault: Fault): FaultRule {
    checkPath(fault, this.#listTemplates)
    const compiled = compileFault(fault)
    if (this.#rules.length >= MAX_RULES)
      throw new BoundExceeded(`there must be at most ${MAX_RULES} fault rules; remove some first`)
    checkHeap()
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

  /** @throws FaultNotFound */
  remove(id: string): void {
    const index = this.#rules.findIndex(({ _id }) => _id === id)
    if (index === -1) throw new FaultNotFound(id)
    const [removed] = this.#rules.splice(index, 1)
    clearTimeout(removed?.timer)
    this.#version += 1
  }

  /** Removes all rules. The numbers continue, so no two rules ever have the same `_id`. */
  clear(): void {
    for (const { timer } of this.#rules) clearTimeout(timer)
    this.#rules = []
    this.#version += 1
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
      const { fault, random } = rule
      if (!(yield* matchesItem(rule, request))) continue
      if (!this.#rules.includes(rule)) continue
      rule.matchCount += 1
      if (rule.matchCount <= (fault.after ?? 0)) continue
      if (random !== undefined && random() >= (fault.probability ?? 1)) continue
      return this.#apply(rule)
    }
    return undefined
  }

  /** Returns the next outcome of the first rule with this name, for any request. */
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
    return { outcome: current.outcome, rule: { _id, ...withoutUndefined({ name }) } }
  }
}

const toFaultRule = ({ _id, fault, matchCount, expiresAt }: StoredRule): FaultRule => ({
  _id,
  ...fault,
  matchCount,
  ...withoutUndefined({ expiresAt }),
})

function hasKeys(
  { fault, glob }: StoredRule,
  { method, path, accountId }: MatchableRequest,
): boolean {
  if (fault.method !== undefined && fault.method !== method) return false
  if (fault.accountId !== undefined && fault.accountId !== accountId) return false
  return glob === undefined || glob.matches(stripTrailingSlash(path))
}

/** @throws FaultFailed if the `match` of the rule can't be evaluated */
function* matchesItem({ _id, match }: StoredRule, { toItem }: MatchableRequest): Work<boolean> {
  if (match === undefined) return true
  try {
    const page = { selector: match, sort: undefined, skip: 0, limit: 1 }
    return (yield* evaluate([{ item: toItem() }], page)).length === 1
  } catch (error) {
    throw error instanceof CatalogueError ? new FaultFailed(_id, error.message) : error
  }
}

/** The number of rules: each one is matched with each request. */
const MAX_RULES = 200

/** @throws BodyInvalid for contradictions, and for what no request can meet; BoundExceeded */
function compileFault(fault: Fault): Pick<StoredRule, 'glob' | 'match' | 'random' | 'outcomes'> {
  const { path, match, probability, seed = 1 } = fault
  if (fault.seed !== undefined && probability === undefined)
    throw new BodyInvalid('seed must come with a probability')
  return {
    outcomes: compileOutcomes(fault),
    glob: path === undefined ? undefined : compilePathGlob(path),
    match: match && compileMatch(match),
    random: probability === undefined ? undefined : createRandom(seed),
  }
}

function compileOutcomes(fault: Fault): StoredRule['outcomes'] {
  const given = Object.keys(OUTCOME_KEYS).filter((key) => key in fault)
  const { sequence, times } = fault
  if (sequence === undefined) {
    const outcome = compileOutcome(fault)
    const keys = Object.keys(OUTCOME_KEYS).join(', ')
    if (given.length === 0) throw new BodyInvalid(`a fault must have one of ${keys}, sequence`)
    return [{ outcome, times: times ?? Infinity }]
  }
  if (given.length > 0)
    throw new BodyInvalid(`${given[0]} can't come with a sequence; put it into an outcome`)
  if (times !== undefined)
    throw new BodyInvalid("times can't come with a sequence, whose outcomes have times")
  return sequence.map(({ times: count = 1, ...outcome }, index) => ({
    outcome: compileOutcome(outcome, `sequence[${index}].`),
    times: count,
  }))
}

/** @throws BodyInvalid as MongoDB rejects, and for fields of the response; BoundExceeded */
function compileMatch(query: JsonObject): StoredRule['match'] {
  const path = new InputPath('body', 'match')
  checkQueryLimits(query, path)
  const selector = compileSelector(query, path)
  checkRequestConditions(selector.tree, path, ARRIVING)
  return selector
}

function checkPath({ path, force = false }: Fault, listTemplates: ListTemplates | undefined): void {
  if (path === undefined) return
  if (!canMatchApi(path)) {
    throw new BodyInvalid(
      `path must match a path under /api, such as "/api/**/materials", not ${JSON.stringify(path)}`,
    )
  }
  if (/[^!-~]|[?#]/.test(path)) {
    throw new BodyInvalid(
      `path must be percent-encoded and end before the "?", not ${JSON.stringify(path)}`,
    )
  }
  if (force || listTemplates === undefined) return
  const all = listTemplates()
  const glob = compilePathGlob(path)
  if (all.some((template) => glob.canMatch(template))) return
  const closest = describeClosest(
    path,
    new Set(all.map((template) => fillTemplate(template, path))),
  )
  throw new BodyInvalid(
    `path must match the path of a route, or come with "force": true, not ${JSON.stringify(path)}${closest}`,
  )
}

/** Whether the part of a pattern before its first wildcard can be the start of a path under `/api`. */
function canMatchApi(pattern: string): boolean {
  const [start = ''] = pattern.split('*')
  return /^\/api(\/|$)/.test(start) || (pattern.includes('*') && '/api/'.startsWith(start))
}
