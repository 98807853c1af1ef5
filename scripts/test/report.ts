import { inspect, stripVTControlCharacters } from 'node:util'

import type { Spawn, TestBase } from '@tapjs/core'
import type { FinalResults, Parser, Result } from 'tap-parser'

/** What is known of a group of test files, which one process runs. */
interface Group {
  /** The file that runs now. */
  file: string
  /** Whether that file has failed. */
  hasFailed: boolean
  /** The failures of that file, ready to print. */
  failures: string[]
  /** What that file wrote. */
  output: string
}

/** How many test files run, which the runner says. */
const FILES = Number(process.env.TEST_FILES)

/** Details of a failure that do not help to find it. */
const LESS_USEFUL = new Set(['source', 'at', 'stack', 'diff', 'found', 'wanted', 'compare'])

let isListening = false
let filesDone = 0

/**
 * A reporter of tap, which it takes for a component of React: prints a line for each test file when it
 * ends, its failures and what it wrote, and the totals at the end. It prints the same with and without
 * a terminal.
 */
export default function Report({ test }: { test: TestBase }): null {
  if (isListening) return null
  isListening = true
  const started = performance.now()
  test.on('subtestStart', (group) => listenToGroup(group as unknown as Spawn))
  test.on('complete', () => {
    const { pass, fail, skip } = test.counts
    const seconds = formatSeconds(performance.now() - started)
    const skipped = skip > 0 ? `, ${skip} skipped` : ''
    print(`\n${filesDone} of ${FILES} files in ${seconds}${skipped}`)
    print(`${pass} passed, ${fail} failed`)
  })
  return null
}

function listenToGroup(spawned: Spawn): void {
  const group: Group = { file: spawned.name, hasFailed: false, failures: [], output: '' }
  spawned.on('process', ({ stderr }) => stderr?.on('data', (chunk) => (group.output += chunk)))
  spawned.parser.on('extra', (text: string) => (group.output += text))
  spawned.parser.on('child', (parser: Parser) => {
    group.file = parser.name
    group.hasFailed = false
    collectFailures(parser, group)
    parser.on('complete', ({ time }: FinalResults) => {
      filesDone += 1
      const seconds = formatSeconds(time ?? 0)
      finish(group, `file ${filesDone} of ${FILES}  ${seconds}  ${parser.name}`)
    })
  })
  spawned.parser.on('assert', (result: Result) => addFailure(result, group))
  spawned.on('complete', () => finish(group, `after ${group.file}`))
}

/** Prints a line, and what was collected since the last one. */
function finish(group: Group, line: string): void {
  const { failures, output } = group
  if (line.startsWith('file') || failures.length > 0 || output !== '') print(line)
  if (output !== '') print(output.trimEnd())
  for (const failure of failures) print(failure)
  group.failures = []
  group.output = ''
}

function collectFailures(parser: Parser, group: Group): void {
  parser.on('child', (child: Parser) => collectFailures(child, group))
  parser.on('assert', (result: Result) => addFailure(result, group))
}

function addFailure(result: Result, group: Group): void {
  if (result.ok || result.todo || result.skip) return
  // That a test fails whose assertions fail says nothing new.
  if (result.closingTestPoint && group.hasFailed) return
  group.hasFailed = true
  group.failures.push(formatFailure(result))
}

function formatFailure({ fullname, name, diag }: Result): string {
  const details = (diag ?? {}) as Record<string, unknown>
  const rest = Object.entries(details).filter(([key]) => !LESS_USEFUL.has(key))
  const { at, stack, diff, found, wanted } = details
  const [, ...path] = (fullname.endsWith(name) ? fullname : `${fullname} > ${name}`).split(' > ')
  const lines = [
    `not ok  ${path.join(' > ')}`,
    ...rest.map(([key, value]) => `${key}: ${format(value)}`),
    ...(diff === undefined && 'wanted' in details
      ? [`found: ${format(found)}`, `wanted: ${format(wanted)}`]
      : []),
    ...(diff === undefined ? [] : [String(diff)]),
    ...(stack !== undefined ? [String(stack)] : at !== undefined ? [`at ${format(at)}`] : []),
  ]
  return lines.join('\n').trimEnd().replaceAll('\n', '\n    ')
}

const format = (value: unknown): string =>
  typeof value === 'string' ? value : inspect(value, { depth: 6, breakLength: 100 })

const formatSeconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`

function print(text: string): void {
  process.stdout.write(`${process.stdout.isTTY ? text : stripVTControlCharacters(text)}\n`)
}
