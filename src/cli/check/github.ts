import { appendFile } from 'node:fs/promises'

import type { Report, StatementResult } from '@materials-mock/check'
import { escapeControls } from '@materials-mock/json'
import { describeSummary, splitFailures } from './format-report.js'

/**
 * Annotations go to standard error, which GitHub's runners read too, the summary to their file
 * (https://docs.github.com/actions/reference/workflow-commands-for-github-actions).
 */
export async function reportToGithub(
  report: Report,
  environment: Readonly<Record<string, string | undefined>>,
  isStrict: boolean,
): Promise<void> {
  const { failed, differing } = splitFailures(report, isStrict)
  const lines = [
    ...report.warnings.map(toWarning),
    ...failed.map((result) => toAnnotation('error', result)),
    ...differing.map((result) => toAnnotation('notice', result)),
  ]
  for (const line of lines) console.error(escapeControls(line))
  const file = environment.GITHUB_STEP_SUMMARY
  if (file === undefined || file === '') return
  await appendFile(file, toMarkdown(report)).catch(({ message }: Error) => {
    console.error(toWarning(`the step summary can't be written: ${message}`))
  })
}

const toWarning = (text: string): string =>
  `::warning title=materials-mock check::${escapeData(text)}`

const toAnnotation = (kind: string, { id, title, expected, actual }: StatementResult): string =>
  `::${kind} title=${escapeProperty(id)}::${escapeData(`${title}: expected ${expected}, not ${actual}`)}`

const escapeData = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')

const escapeProperty = (text: string): string =>
  escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')

function toMarkdown(report: Report): string {
  const { failed, differing } = splitFailures(report)
  const toRow = ({ id, title, level, expected, actual }: StatementResult): string =>
    `| ${[level, `\`${id}\``, title, expected ?? '', actual ?? ''].map(escapeCell).join(' | ')} |`
  const rows = [...failed, ...differing].map(toRow)
  return [
    `## Check of ${escapeCell(report.url)}`,
    '',
    ...report.warnings.map((warning) => `> ${escapeCell(warning)}\n`),
    describeSummary(report),
    '',
    ...(rows.length === 0
      ? []
      : [
          '| Level | Statement | | Expected | Actual |',
          '| --- | --- | --- | --- | --- |',
          ...rows,
        ]),
    '',
  ].join('\n')
}

const escapeCell = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('|', '\\|')
    .replace(/[\r\n]+/g, ' ')
