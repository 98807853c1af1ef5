import type { ApiResponse } from './api-client.js'
import { expectFailure } from './expect.js'
import type { Probe } from './probe.js'

/**
 * The source of a statement. `documented`: the platform's documentation. `assumed`: the documentation says nothing,
 * and the mock had to decide; a deployment that differs is right. `schema`: the types of the client.
 */
export type Level = 'documented' | 'assumed' | 'schema'

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

export const defineStatement = (
  level: Level,
  id: string,
  title: string,
  check: (probe: Probe) => Promise<unknown>,
): Statement => ({
  id,
  title,
  level,
  check: async (probe) => {
    await check(probe)
  },
})

const defineWith =
  (level: Level, group: string) =>
  (name: string, title: string, check: (probe: Probe) => Promise<unknown>): Statement =>
    defineStatement(level, `${group}.${name}`, title, check)

export function defineGroup(group: string) {
  /** Defines a statement that the platform documents. */
  const documented = defineWith('documented', group)
  /** Defines a statement that the mock has decided. */
  const assumed = defineWith('assumed', group)
  /** Defines the statement that a request fails with the status and the code of its title: `400 QUERY_INVALID`. */
  const fails = (
    name: string,
    title: string,
    send: (probe: Probe) => Promise<ApiResponse>,
  ): Statement =>
    assumed(name, title, async (probe) => {
      const [, status, code] = /\b(\d{3}) ([A-Z_]+)\b/.exec(title) ?? []
      expectFailure(await send(probe), Number(status), code)
    })
  return { documented, assumed, fails }
}
