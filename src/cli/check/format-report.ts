import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'

import { isHeld } from '@materials-mock/check'
import type { Report, StatementResult, UsedResult } from '@materials-mock/check'
import { escapeControls } from '@materials-mock/json'

export const ReportFormat = Type.Union(
  [Type.Literal('text'), Type.Literal('json'), Type.Literal('junit')],
  { default: 'text', title: 'text|json|junit', description: 'format of the report' },
)
export type ReportFormat = Static<typeof ReportFormat>

export interface TextOptions {
  readonly isColoured?: boolean
  readonly verbose?: boolean
  readonly quiet?: boolean
  readonly strict?: boolean
}

export function formatReport(
  report: Report,
  format: ReportFormat,
  options: TextOptions = {},
): string {
  switch (format) {
    case 'text':
      return formatText(escapeTexts(report), options)
    case 'json':
      return escapeControls(`${JSON.stringify(report, null, 2)}\n`)
    case 'junit':
      return formatJunit(report, {
        name: 'materials-mock check',
        properties: { url: report.url, lists: report.lists ?? 'unknown' },
        isStrict: options.strict === true,
      })
  }
}

/** Escapes what a terminal would obey before the colours are added: the texts are those of a deployment. */
const escapeTexts = (report: Report): Report =>
  JSON.parse(JSON.stringify(report), (_key, value: unknown) =>
    typeof value === 'string' ? escapeControls(value) : value,
  )

interface JunitOptions {
  readonly name: string
  readonly properties: Readonly<Record<string, string>>
  readonly isStrict?: boolean
}

/** The marks of the outcomes, and their colours (SGR). A differing assumption is not a failure. */
const STYLES = {
  held: { mark: '✓', colour: 32 },
  failed: { mark: '✗', colour: 31 },
  differs: { mark: '≠', colour: 33 },
  skipped: { mark: '-', colour: 90 },
} as const

/** Failed statements with requests, differing assumptions, and the counts at the end. */
function formatText(
  report: Report,
  { isColoured = false, verbose = false, quiet = false, strict = false }: TextOptions,
): string {
  const paint = (colour: number, text: string): string =>
    isColoured ? `\x1b[${colour}m${text}\x1b[0m` : text
  const summary = paint(isHeld(report, strict) ? 32 : 31, describeSummary(report))
  const warnings = report.warnings.map((warning) => paint(33, `! ${warning}`))
  if (quiet) return [...warnings, summary, ''].join('\n')
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
  const setup = report.setup?.split('\n').map((line) => paint(90, `    ${line}`)) ?? []
  return [
    ...warnings,
    ...section('The requests below need these variables of the shell:', setup),
    ...section('These statements do not hold:', failed.map(toDetail)),
    ...section(
      'Here the deployment differs from what we assume; the mock should learn it:',
      differing.map(toDetail),
    ),
    ...(verbose
      ? section(
          'All other statements:',
          report.statements.filter(({ outcome }) => outcome !== 'failed').map(toLine),
        )
      : []),
    ...section(
      'What was used:',
      (report.uses ?? []).map(
        (use) =>
          `${paint(STYLES[use.outcome].colour, STYLES[use.outcome].mark)} ${describeUse(use)}`,
      ),
    ),
    ...report.notes.map((note) => paint(90, `i ${note}`)),
    '',
    describeLists(report),
    summary,
    '',
  ].join('\n')
}

/** Describes whether a route that was used holds: `GET /materials: 9 hold, 1 fails, 0 are skipped`. */
const describeUse = ({ method, path, held, failed, skipped }: UsedResult): string =>
  `${method} ${path}: ${held} hold, ${failed} fail, ${skipped} are skipped`

const describeLists = ({ lists }: Report): string =>
  lists === undefined
    ? 'It is unknown whether lists read more than query and projection'
    : `Lists read ${FORMS[lists]} (--lists ${lists})`

const FORMS: Readonly<Record<NonNullable<Report['lists']>, string>> = {
  both: 'query and projection, and advancedSearches beside them',
  documented: 'query and projection alone',
  migrated: 'advancedSearches, and drop query and projection',
}

/** @param isStrict whether an assumed statement that differs is a failure */
export function splitFailures(
  { statements }: Pick<Report, 'statements'>,
  isStrict = false,
): {
  readonly failed: StatementResult[]
  readonly differing: StatementResult[]
} {
  const failures = statements.filter(({ outcome }) => outcome === 'failed')
  return {
    failed: failures.filter(({ level }) => isStrict || level !== 'assumed'),
    differing: failures.filter(({ level }) => !isStrict && level === 'assumed'),
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

/**
 * A documented statement that does not hold is a failure, an assumed one is skipped unless
 * `strict`, and a check that did not come to its end has a test case with an error.
 */
export function formatJunit(
  report: Pick<Report, 'startedAt' | 'statements' | 'setup' | 'warnings' | 'problem'>,
  { name, properties, isStrict = false }: JunitOptions,
): string {
  const { startedAt, statements, setup, warnings, problem } = report
  const { failed, differing } = splitFailures(report, isStrict)
  const skipped = statements.filter(({ outcome }) => outcome === 'skipped').length
  const errors =
    problem === undefined
      ? []
      : [
          `    <testcase classname="check" name="complete"><error message="${escapeMarkup(problem)}"/></testcase>`,
        ]
  const counts = `tests="${statements.length + errors.length}" failures="${failed.length}" errors="${errors.length}" skipped="${skipped + differing.length}"`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts}>`,
    `  <testsuite name="${name}" ${counts} timestamp="${startedAt.slice(0, 19)}">`,
    '    <properties>',
    ...Object.entries(properties).map(
      ([key, value]) => `      <property name="${key}" value="${escapeMarkup(value)}"/>`,
    ),
    '    </properties>',
    ...statements.map((result) => toTestCase(result, isStrict)),
    ...errors,
    ...(setup === undefined ? [] : [`    <system-out>${escapeMarkup(setup)}</system-out>`]),
    ...warnings.map((warning) => `    <system-err>${escapeMarkup(warning)}</system-err>`),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

function toTestCase(result: StatementResult, isStrict: boolean): string {
  const [group = ''] = result.id.split('.')
  const start = `    <testcase classname="${group}" name="${escapeMarkup(`${result.id}: ${result.title}`)}"`
  return result.outcome === 'held'
    ? `${start}/>`
    : `${start}>${toOutcome(result, isStrict)}</testcase>`
}

function toOutcome(
  { outcome, level, expected, actual, request = '' }: StatementResult,
  isStrict: boolean,
): string {
  const [needed, found] = [expected ?? '', actual ?? ''].map(escapeMarkup)
  if (outcome === 'skipped') return `<skipped message="needs ${needed}, has ${found}"/>`
  const message = `expected ${needed}, not ${found}`
  const output = `<system-out>${escapeMarkup(request)}</system-out>`
  if (level === 'assumed' && !isStrict)
    return `<skipped message="differs from what we assume: ${message}"/>${output}`
  return `<failure message="${message}">${escapeMarkup(request)}</failure>`
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '\n': '&#10;',
  '\t': '&#9;',
  '\r': '&#13;',
}

/** The characters that XML 1.0 does not have, and those that it discourages because terminals obey them (section 2.2). */
// oxlint-disable-next-line no-control-regex -- these are the characters in question
const NOT_XML = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffe\uffff]|\p{Surrogate}/gu

/** Escapes text for an attribute or an element of XML. */
const escapeMarkup = (text: string): string =>
  text
    .replace(NOT_XML, '\ufffd')
    .replace(/[&<>"'\n\t\r]/g, (character) => ENTITIES[character] ?? '')
