import type { StatementResult } from '@materials-mock/check'
import { escapeControls } from '@materials-mock/json'
import { CHANGES } from '../../controls/mutation/mutation.js'
import type { Change, Mutation } from '../../controls/mutation/mutation.js'
import { formatJunit } from '../check/format-report.js'
import type { ReportFormat } from '../check/format-report.js'

export interface MutationResult extends Pick<Mutation, 'method' | 'path' | 'change' | 'field'> {
  readonly id: string
  /** A sentence without a full stop. */
  readonly title: string
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

/** A route that the tests use. */
export interface RouteResult {
  readonly method: string
  readonly path: string
  /** The number of its changes; 0 if it was not tried. */
  readonly changed: number
  /** The number of changes that the tests have noticed. */
  readonly noticed: number
}

export interface MutationReport {
  /** The run without a change. */
  readonly baseline: { readonly code: number; readonly requests: number }
  readonly routes: readonly RouteResult[]
  readonly mutations: readonly MutationResult[]
  /** The share of the changes that the tests have noticed, of the routes that were tried. */
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

/** Groups the changes that survived, as `GROUPS` does. A test reads a field if it has noticed another change of it. */
function groupSurvivors(
  survivors: readonly MutationResult[],
  noticed: readonly MutationResult[],
): readonly (readonly MutationResult[])[] {
  const toKey = ({ method, path, field }: MutationResult): string => `${method} ${path} ${field}`
  const read = new Set(noticed.map(toKey))
  const findGroup = (each: MutationResult): number => {
    if (each.field === undefined) return FAILURES.has(each.change) ? 0 : 1
    return each.isNamed || read.has(toKey(each)) ? 2 : 3
  }
  const kinds = Object.keys(CHANGES)
  return GROUPS.map((_title, group) =>
    survivors
      .filter((each) => findGroup(each) === group)
      .toSorted((one, other) => kinds.indexOf(one.change) - kinds.indexOf(other.change)),
  )
}

/** Formats a report. The changes that survived come first, those first that a test should notice first. */
export function formatMutations(report: MutationReport, format: ReportFormat): string {
  const { mutations } = report
  const survivors = mutations.filter(({ outcome }) => outcome === 'survived')
  const noticed = mutations.filter(({ outcome }) => outcome !== 'survived')
  const groups = groupSurvivors(survivors, noticed)
  const sorted = [...groups.flat(), ...noticed]
  switch (format) {
    case 'text':
      return escapeControls(formatText(report, groups))
    case 'json':
      return escapeControls(`${JSON.stringify({ ...report, mutations: sorted }, null, 2)}\n`)
    case 'junit':
      return formatJunit(
        {
          startedAt: new Date().toISOString(),
          warnings: describeFlaky(report),
          statements: sorted.map(toStatement),
        },
        { name: 'materials-mock mutate', properties: { score: String(report.score) } },
      )
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

const describe = ({ baseline, routes, mutations, score, unreached }: MutationReport): string[] => {
  const tried = routes.filter(({ changed }) => changed > 0).length
  const places = `${tried < routes.length ? `${tried} of ` : ''}${describeCount(routes.length, 'route')}`
  const count = (outcome: MutationResult['outcome']): number =>
    mutations.filter((each) => each.outcome === outcome).length
  return [
    `${describeCount(mutations.length, 'change')} of ${describeCount(baseline.requests, 'request')} to ${places}: ${count('killed')} killed, ${count('timeout')} timed out, ${count('survived')} survived; score ${toShown(score)}`,
    ...(tried === routes.length
      ? []
      : [
          `${describeCount(routes.length - tried, 'route')} not tried, which the score leaves out: a larger --max may try more`,
        ]),
    ...(unreached === 0 ? [] : [`${unreached} more changed no answer and do not count`]),
  ]
}

const describeFlaky = ({ flaky }: MutationReport): string[] =>
  flaky === 0
    ? []
    : [`${flaky} of the runs failed although no answer was changed: the tests do not always pass`]

const formatText = (
  report: MutationReport,
  groups: readonly (readonly MutationResult[])[],
): string =>
  [
    ...describeFlaky(report).map((warning) => `! ${warning}`),
    ...(groups.flat().length === 0 ? [] : ['', 'No test has noticed these changes:']),
    ...groups.flatMap((group, index) =>
      group.length === 0 ? [] : ['', `${GROUPS[index]}:`, '', ...group.flatMap(describeSurvivor)],
    ),
    '',
    'Routes:',
    '',
    ...report.routes.map(describeRoute),
    '',
    ...describe(report).toReversed(),
    '',
  ].join('\n')

const describeRoute = ({ method, path, changed, noticed }: RouteResult): string =>
  `  ${(changed === 0 ? 'not tried' : `${noticed} of ${changed} noticed`).padEnd(16)}  ${method} ${path}`

const describeSurvivor = ({ title, change, request, before, after }: MutationResult): string[] => [
  `✗ ${title}`,
  `    request  ${request}`,
  `    before   ${before}`,
  `    after    ${after}`,
  `    ${toHint(change)}`,
]
