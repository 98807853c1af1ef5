import type { Report, StatementResult } from '../../contract/report.js'
import { escapeMarkup } from './escape-markup.js'
import { splitFailures } from './format-text.js'

/**
 * Formats a report as JUnit XML, which CI servers read. A documented statement that does not hold is
 * a failure. An assumed one is skipped, because it fails nothing.
 */
export function formatJunit(report: Report): string {
  const { url, startedAt, statements, summary, warnings } = report
  const { failed, differing } = splitFailures(report)
  const counts = `tests="${statements.length}" failures="${failed.length}" errors="0" skipped="${summary.skipped + differing.length}"`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts}>`,
    `  <testsuite name="materials-mock check" ${counts} timestamp="${startedAt.slice(0, 19)}">`,
    `    <properties><property name="url" value="${escapeMarkup(url)}"/></properties>`,
    ...statements.map(toTestCase),
    ...warnings.map((warning) => `    <system-err>${escapeMarkup(warning)}</system-err>`),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

function toTestCase(result: StatementResult): string {
  const [group = ''] = result.id.split('.')
  const start = `    <testcase classname="${group}" name="${escapeMarkup(`${result.id}: ${result.title}`)}"`
  return result.outcome === 'held' ? `${start}/>` : `${start}>${toOutcome(result)}</testcase>`
}

function toOutcome({ outcome, level, expected, actual, request = '' }: StatementResult): string {
  const [needed, found] = [expected ?? '', actual ?? ''].map(escapeMarkup)
  if (outcome === 'skipped') return `<skipped message="needs ${needed}, has ${found}"/>`
  const message = `expected ${needed}, not ${found}`
  const output = `<system-out>${escapeMarkup(request)}</system-out>`
  if (level === 'assumed')
    return `<skipped message="differs from what we assume: ${message}"/>${output}`
  return `<failure message="${message}">${escapeMarkup(request)}</failure>`
}
