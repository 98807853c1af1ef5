import { CHANGES } from '../../admin/mutation/mutation.js'
import type { Change } from '../../admin/mutation/mutation.js'
import type { StatementResult } from '../../contract/report.js'
import { formatJunit } from '../check/format-report.js'
import type { ReportFormat } from '../check/format-report.js'

/** A change, and whether the tests have noticed it. */
export interface MutationResult {
  readonly id: string
  /** A sentence without a full stop. */
  readonly title: string
  readonly method: string
  readonly path: string
  readonly change: Change
  readonly field?: string
  /** Whether a request names the field. */
  readonly isNamed: boolean
  readonly outcome: 'killed' | 'survived' | 'timeout'
  /** The time that the tests took. */
  readonly ms: number
  /** The first request whose answer was changed. */
  readonly request: string
  /** Its answer, or the part that was changed. */
  readonly before: string
  readonly after: string
}

/** The results of the runs of the tests. */
export interface MutationReport {
  /** The run without a change. */
  readonly baseline: { readonly code: number; readonly requests: number }
  readonly mutations: readonly MutationResult[]
  /** The share of the changes that the tests have noticed. */
  readonly score: number
  /** The changes that have changed no answer, which do not count. */
  readonly unreached: number
  /** Those among them with which the tests failed all the same. */
  readonly flaky: number
}

/** The groups of changes, that first which a test should notice first. */
const GROUPS = [
  'Requests that fail',
  'Writes and lists',
  'Fields that a request names, or a test reads',
  'Fields that nothing seems to read (--skip leaves them out)',
]

const FAILURES: ReadonlySet<Change> = new Set(['status-500', 'status-401', 'reset', 'hang'])

/** Returns the index of the group of a change. A test reads a field if it has noticed another change of it. */
function findGroup(
  { method, path, change, field, isNamed }: MutationResult,
  mutations: readonly MutationResult[],
): number {
  if (field === undefined) return FAILURES.has(change) ? 0 : 1
  const isRead = mutations.some(
    (each) =>
      each.outcome !== 'survived' &&
      each.field === field &&
      each.method === method &&
      each.path === path,
  )
  return isNamed || isRead ? 2 : 3
}

/** Formats a report. The changes that survived come first, those first that a test should notice first. */
export function formatMutations(report: MutationReport, format: ReportFormat): string {
  const { mutations } = report
  const rank = (result: MutationResult): number =>
    findGroup(result, mutations) * 100 + Object.keys(CHANGES).indexOf(result.change)
  const survivors = mutations
    .filter(({ outcome }) => outcome === 'survived')
    .toSorted((one, other) => rank(one) - rank(other))
  const others = mutations.filter(({ outcome }) => outcome !== 'survived')
  const sorted = [...survivors, ...others]
  switch (format) {
    case 'text':
      return formatText(report, survivors)
    case 'json':
      return `${JSON.stringify({ ...report, mutations: sorted }, null, 2)}\n`
    case 'junit':
      return formatJunit({
        name: 'materials-mock mutate',
        startedAt: new Date().toISOString(),
        properties: { score: String(report.score) },
        warnings: describeFlaky(report),
        results: sorted.map(toStatement),
      })
  }
}

/** A change that has survived is a statement of the tests that does not hold. */
const toStatement = (result: MutationResult): StatementResult => {
  const { id, title, change, outcome, request, before, after } = result
  const held = { id, title, level: 'documented', outcome: 'held' } as const
  if (outcome !== 'survived') return held
  const expected = toHint(change)
  return { ...held, outcome: 'failed', expected, actual: `${before} → ${after}`, request }
}

const toHint = (change: Change): string => `An assertion on ${CHANGES[change][1]} would see it.`

const describeCount = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? '' : 's'}`

/** Rounds a score down: what is below a `--min-score` of 0.8 is not shown as 0.80. */
const toShown = (score: number): string => (Math.floor(score * 100 + 1e-9) / 100).toFixed(2)

const describe = ({ baseline, mutations, score, unreached }: MutationReport): string[] => {
  const count = (outcome: MutationResult['outcome']): number =>
    mutations.filter((each) => each.outcome === outcome).length
  return [
    `${describeCount(mutations.length, 'change')} of ${describeCount(baseline.requests, 'request')}: ${count('killed')} killed, ${count('timeout')} timed out, ${count('survived')} survived; score ${toShown(score)}`,
    ...(unreached === 0 ? [] : [`${unreached} more changed no answer and do not count`]),
  ]
}

const describeFlaky = ({ flaky }: MutationReport): string[] =>
  flaky === 0
    ? []
    : [`${flaky} of the runs failed although no answer was changed: the tests do not always pass`]

const formatText = (report: MutationReport, survivors: readonly MutationResult[]): string =>
  [
    ...describeFlaky(report).map((warning) => `! ${warning}`),
    ...(survivors.length === 0 ? [] : ['', 'No test has noticed these changes:']),
    ...GROUPS.flatMap((title, group) => {
      const found = survivors.filter((each) => findGroup(each, report.mutations) === group)
      return found.length === 0 ? [] : ['', `${title}:`, '', ...found.flatMap(describeSurvivor)]
    }),
    '',
    ...describe(report).toReversed(),
    '',
  ].join('\n')

const describeSurvivor = ({ title, change, request, before, after }: MutationResult): string[] => [
  `✗ ${title}`,
  `    request  ${request}`,
  `    before   ${before}`,
  `    after    ${after}`,
  `    ${toHint(change)}`,
]
