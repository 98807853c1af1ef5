import { createRandom } from '../../domain/random.js'
import type { Random } from '../../domain/random.js'
import { BodyInvalid, BoundExceeded } from '../../errors.js'
import { InputPath } from '../../json/input-path.js'
import type { JsonObject } from '../../json/json.js'
import { evaluate } from '../../query/evaluate.js'
import { checkQueryLimits } from '../../query/parse-parameter.js'
import { compileSelector } from '../../query/selector/compile-selector.js'
import type { Work } from '../../work/work.js'
import type { RequestItem } from '../journal/journal-record.js'
import { ARRIVING, checkRequestConditions, readsPath } from '../journal/request-conditions.js'
import type { Fault } from './fault.js'
import { OUTCOME_KEYS } from './fault.js'
import type { FaultOutcome } from './fault.js'
import { compilePathGlob } from '../path-glob.js'
import type { PathMatcher } from '../path-glob.js'
import { compileOutcome } from './compile-outcome.js'
import type { CompiledOutcome } from './compile-outcome.js'

/** An outcome, and the number of requests that it is for. */
export interface RepeatedOutcome {
  readonly outcome: CompiledOutcome
  readonly times: number
}

/** A compiled rule. */
export interface CompiledFault {
  /** The size of its JSON, in characters. */
  readonly size: number
  readonly matchesPath: PathMatcher | undefined
  readonly selector: RequestSelector | undefined
  /** Draws a number from 0 to 1, for `probability`. */
  readonly random: Random | undefined
  /** At least one. */
  readonly outcomes: readonly RepeatedOutcome[]
}

/**
 * Compiles a rule that is valid by its schema.
 * @throws BodyInvalid for keys that contradict each other, and for what can't match
 * @throws BoundExceeded for bodies of more than 1 MiB, and for other limits
 */
export function compileFault(fault: Fault): CompiledFault {
  checkPath(fault)
  checkBodies(fault)
  const { path, match, probability, seed = 1 } = fault
  if (fault.seed !== undefined && probability === undefined)
    throw new BodyInvalid('seed must come with a probability')
  return {
    size: JSON.stringify(fault).length,
    outcomes: compileOutcomes(fault),
    matchesPath: path === undefined ? undefined : compilePathGlob(path),
    selector: match === undefined ? undefined : compileRequestSelector(match),
    random: probability === undefined ? undefined : createRandom(seed),
  }
}

function compileOutcomes(fault: Fault): RepeatedOutcome[] {
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

/** The size of all bodies of a rule, in bytes. */
const MAX_FAULT_BODY_BYTES = 1024 * 1024

function checkBodies(fault: Fault): void {
  const outcomes: FaultOutcome[] = [fault, ...(fault.sequence ?? [])]
  const bytes = outcomes
    .map(({ body }) => (body === undefined ? 0 : Buffer.byteLength(JSON.stringify(body))))
    .reduce((total, size) => total + size, 0)
  if (bytes <= MAX_FAULT_BODY_BYTES) return
  throw new BoundExceeded(
    `the bodies of a fault must have at most ${MAX_FAULT_BODY_BYTES} bytes of JSON, not ${bytes}`,
  )
}

/** Rejects a path that no request can have. */
function checkPath({ path }: Fault): void {
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
}

/** Whether the part of a pattern before its first wildcard can be the start of a path under `/api`. */
function canMatchApi(pattern: string): boolean {
  const [start = ''] = pattern.split('*')
  return /^\/api(\/|$)/.test(start) || (pattern.includes('*') && '/api/'.startsWith(start))
}

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
function compileRequestSelector(query: JsonObject): RequestSelector {
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
