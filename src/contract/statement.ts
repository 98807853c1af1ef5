import type { Probe } from './probe.js'

/**
 * Where a statement comes from. `documented`: the platform's documentation says so. `assumed`: it
 * says nothing, and this is the mock's decision; a deployment that differs is right. `schema`: the items
 * are what the types of the client say.
 */
export type Level = 'documented' | 'assumed' | 'schema'

/** One statement of the contract. */
export interface Statement {
  /** A stable name, with the group before the dot: `projection.limit-default`. */
  readonly id: string
  /** What is to be true, as a sentence without a full stop. */
  readonly title: string
  readonly level: Level
  /**
   * Finds out whether the statement holds.
   * @throws Mismatch if it does not, and Lack if that can't be checked
   */
  readonly check: (probe: Probe) => Promise<void>
}

/** Returns a statement that is skipped where lists drop projection. */
export const needsProjection = (statement: Statement): Statement => ({
  ...statement,
  check: (probe) => {
    probe.needProjection()
    return statement.check(probe)
  },
})

/** Defines a statement that the platform documents. */
export const documented = (id: string, title: string, check: Statement['check']): Statement => ({
  id,
  title,
  level: 'documented',
  check,
})

/** Defines a statement that is the mock's decision. */
export const assumed = (id: string, title: string, check: Statement['check']): Statement => ({
  id,
  title,
  level: 'assumed',
  check,
})
