import { isHeld } from '../../contract/report.js'
import type { Report, StatementResult } from '../../contract/report.js'

/** The marks of the outcomes, and their colours (SGR). A differing assumption is no failure. */
const STYLES = {
  held: { mark: '✓', colour: 32 },
  failed: { mark: '✗', colour: 31 },
  differs: { mark: '≠', colour: 33 },
  skipped: { mark: '-', colour: 90 },
} as const

/**
 * Formats a report for a terminal: a line for each statement, then what differs, with requests.
 * @param hasColours whether to use colours
 */
export function formatText(report: Report, hasColours: boolean): string {
  const paint = (colour: number, text: string): string =>
    hasColours ? `\x1b[${colour}m${text}\x1b[0m` : text
  const toLine = (result: StatementResult): string => {
    const { mark, colour } = STYLES[styleOf(result)]
    const lack =
      result.outcome === 'skipped' ? `: needs ${result.expected}, has ${result.actual}` : ''
    return `${paint(colour, mark)} ${result.id}  ${result.title}${paint(90, lack)}`
  }
  const toDetail = (result: StatementResult): string =>
    [
      toLine(result),
      `    expected  ${result.expected}`,
      `    actual    ${result.actual}`,
      ...(result.request === undefined ? [] : [paint(90, `    ${result.request}`)]),
    ].join('\n')
  const { failed, differing } = splitFailures(report)
  return [
    ...report.warnings.map((warning) => paint(33, `! ${warning}`)),
    ...report.statements.map(toLine),
    ...section('These documented statements do not hold:', failed.map(toDetail)),
    ...section(
      'Here the deployment differs from what we assume; the mock should learn it:',
      differing.map(toDetail),
    ),
    '',
    paint(isHeld(report) ? 32 : 31, describeSummary(report)),
    '',
  ].join('\n')
}

/** Returns the failed statements by their level. */
export function splitFailures({ statements }: Report): {
  readonly failed: StatementResult[]
  readonly differing: StatementResult[]
} {
  const failures = statements.filter(({ outcome }) => outcome === 'failed')
  return {
    failed: failures.filter(({ level }) => level === 'documented'),
    differing: failures.filter(({ level }) => level === 'assumed'),
  }
}

/** Describes the summary in one line: `170 statements hold, 0 fail, 2 differ …`. */
export function describeSummary(report: Report): string {
  const { held, skipped } = report.summary
  const { failed, differing } = splitFailures(report)
  return `${held} statements hold, ${failed.length} fail, ${differing.length} differ from what we assume, ${skipped} are skipped`
}

const styleOf = ({ outcome, level }: StatementResult): keyof typeof STYLES =>
  outcome === 'failed' && level === 'assumed' ? 'differs' : outcome

const section = (title: string, details: readonly string[]): string[] =>
  details.length === 0 ? [] : ['', title, '', ...details]
