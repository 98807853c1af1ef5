import type { Probe } from './probe.js'

/**
 * The source of a statement. `documented`: the platform's documentation. `assumed`: the documentation says nothing,
 * and the mock had to decide; a deployment that differs is right. `schema`: the types of the client.
 */
export type Level = 'documented' | 'assumed' | 'schema'

/** One statement of the contract. */
export interface Statement {
  /** A stable name, with the group before the dot: `projection.limit-default`. */
  readonly id: string
  /** The statement as a sentence without a full stop. */
  readonly title: string
  readonly level: Level
  /** @throws Mismatch if the statement does not hold, and Lack if it can't be checked */
  readonly check: (probe: Probe) => Promise<void>
}

/** Returns a statement that is skipped if lists ignore projection. */
export const needsProjection = (statement: Statement): Statement => ({
  ...statement,
  check: (probe) => {
    probe.needProjection()
    return statement.check(probe)
  },
})

const defineWith =
  (level: Level) =>
  (id: string, title: string, check: Statement['check']): Statement => ({ id, title, level, check })

/** Defines a statement that the platform documents. */
export const documented = defineWith('documented')

/** Defines a statement that the mock has decided. */
export const assumed = defineWith('assumed')
