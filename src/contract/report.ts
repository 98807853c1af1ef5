import type { Level } from './statement.js'

/** What a check found out about one statement. */
export interface StatementResult {
  readonly id: string
  readonly title: string
  readonly level: Level
  readonly outcome: 'held' | 'failed' | 'skipped'
  /** The expected answer; of a skipped statement, what it needs. */
  readonly expected?: string
  /** The actual answer; of a skipped statement, what there is. */
  readonly actual?: string
  /** The request with the wrong answer, as a curl command. Its credentials are variables. */
  readonly request?: string
}

/** What a check found out about a deployment. It has no secret. */
export interface Report {
  /** The versioned root of the deployment. */
  readonly url: string
  /** The time at which the check started (ISO 8601). */
  readonly startedAt: string
  readonly summary: { readonly held: number; readonly failed: number; readonly skipped: number }
  readonly statements: readonly StatementResult[]
  /** What the reader should know before the statements: `every answer is 401`. */
  readonly warnings: readonly string[]
}

/** Whether every documented statement that could be checked holds. */
export const isHeld = ({ statements }: Pick<Report, 'statements'>): boolean =>
  statements.every(({ level, outcome }) => level === 'assumed' || outcome !== 'failed')

/** Counts the outcomes. */
export function summarize(statements: readonly StatementResult[]): Report['summary'] {
  const count = (outcome: StatementResult['outcome']): number =>
    statements.filter((statement) => statement.outcome === outcome).length
  return { held: count('held'), failed: count('failed'), skipped: count('skipped') }
}
