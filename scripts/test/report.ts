import type { ChildProcessByStdio } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { inspect, stripVTControlCharacters } from 'node:util'

import { Parser } from 'tap-parser'
import type { FinalResults, Result } from 'tap-parser'

/** Details of a failure that do not help to find it. */
const LESS_USEFUL = new Set(['source', 'at', 'stack', 'diff', 'found', 'wanted', 'compare'])

/**
 * Prints a line for each test file when it ends, its failures and what it wrote, and the totals at the
 * end: the same with and without a terminal.
 */
export class Report {
  readonly #files: number
  readonly #started = performance.now()
  #filesDone = 0
  #passed = 0
  #failed = 0
  #skipped = 0

  /** @param files the number of test files */
  constructor(files: number) {
    this.#files = files
  }

  /**
   * Reads what a process writes that runs test files one after the other.
   * @returns at the end of the process, whether all of its tests passed
   */
  async follow(child: ChildProcessByStdio<null, Readable, Readable>): Promise<boolean> {
    let file = 'the start'
    let output = ''
    let failures: string[] = []
    let hasFailed = false
    const finish = (line: string): void => {
      print([line, ...(output === '' ? [] : [output.trimEnd()]), ...failures].join('\n'))
      output = ''
      failures = []
    }
    const parser = new Parser()
    parser.on('pass', () => (this.#passed += 1))
    parser.on('skip', () => (this.#skipped += 1))
    parser.on('fail', (result: Result) => {
      this.#failed += 1
      hasFailed = true
      failures.push(formatFailure(result))
    })
    parser.on('extra', (text: string) => (output += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text))
    parser.on('child', (test: Parser) => {
      file = test.name
      test.on('complete', ({ time }: FinalResults) => {
        this.#filesDone += 1
        const seconds = formatSeconds(time ?? 0)
        finish(`file ${this.#filesDone} of ${this.#files}  ${seconds}  ${file}`)
      })
    })
    child.stdout.setEncoding('utf8').on('data', (text: string) => parser.write(text))
    const [code, signal] = await once(child, 'close')
    if (signal !== null || (code !== 0 && !hasFailed))
      parser.abort(`the process ended with ${signal ?? code}`)
    parser.end()
    if (failures.length > 0 || output !== '') finish(`after ${file}`)
    return code === 0
  }

  /** Prints the totals. */
  end(): void {
    const seconds = formatSeconds(performance.now() - this.#started)
    const skipped = this.#skipped > 0 ? `, ${this.#skipped} skipped` : ''
    print(`\n${this.#filesDone} of ${this.#files} files in ${seconds}${skipped}`)
    print(`${this.#passed} passed, ${this.#failed} failed`)
  }
}

function formatFailure({ fullname, name, diag }: Result): string {
  const details = (diag ?? {}) as Record<string, unknown>
  const rest = Object.entries(details).filter(([key]) => !LESS_USEFUL.has(key))
  const { at, stack, diff, found, wanted } = details
  const path = fullname.endsWith(name) ? fullname : `${fullname} > ${name}`
  const lines = [
    `not ok  ${path}`,
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
