import { spawn, spawnSync } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'

import { createRandom, shuffle } from '@materials-mock/structures'
import type * as BundleUi from '../../scripts/bundle-ui.js'
import { bundleTests } from '../../scripts/test/bundle-tests.js'
import { addProbes, listMutations } from './mutations.js'
import type { Mutation } from './mutations.js'

// Changes single places of `src` and of the packages at random, and tells which changes no test notices:
// `npx tsx tools/mutation/run.ts [--count 50] [--from 1] [--seed 1] [--only packages/query/src,src/store]`.
// `--from 21` leaves out the first twenty of the same fifty, which a run has tried before.
// Each change is made in a copy of the last commit. First all tests run once without a change, which tells
// the test files that run each place and how long they take; one that fails takes no further part. Then
// only these run with the change, the closest ones first, until one fails. Tests with a browser run only
// for changes of pages, which are bundled again for each.

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '50' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: 'src,packages' },
  },
})

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** How many test files run at a time. */
const PROCESSES = 3

/** With a change, a test file may take this many times as long as without it, and ten seconds at least. */
const PATIENCE = 10

/** How long a process may take to close its browser, in ms. */
const PATIENCE_AT_END = 5_000

/** How a test file ended: `failed` if an assertion failed, `crashed` if its process did without one. */
type Outcome = 'passed' | 'failed' | 'crashed' | 'timeout'

/** The folders of the sources that tests with a browser are about. */
const PAGES = /^(packages\/page\/src|src\/server\/pages)\//

/** What a run without a change tells of a test file. */
interface Usual {
  readonly milliseconds: number
  /** The indexes of the changes whose places the file runs. */
  readonly reached: ReadonlySet<number>
}

const copy = mkdtempSync(join(tmpdir(), 'mutation-'))
const bundles = join(copy, 'dist/bundles')
const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) kill(child)
  rmSync(copy, { recursive: true, force: true })
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))

clone()
const { bundleUi } = (await import(
  pathToFileURL(join(copy, 'scripts/bundle-ui.ts')).href
)) as typeof BundleUi
const tests = listFiles('test').filter((file) => file.endsWith('.test.ts'))
const mutations = values.only
  .split(',')
  .flatMap(listFiles)
  .filter((file) => /\.tsx?$/.test(file))
  .flatMap((file) => listMutations(file, readFileSync(join(copy, file), 'utf8')))
const random = createRandom(Number(values.seed))
const first = Number(values.from) - 1
const chosen = shuffle(mutations, random).slice(first, Number(values.count))
/** Names the files of the page for a test. */
let pageFiles = JSON.stringify(await bundleUi())
const usual = await runWithoutChange()

const lists: Record<Outcome, string[]> = { passed: [], failed: [], crashed: [], timeout: [] }
for (const [index, mutation] of chosen.entries()) {
  const { outcome, test } = await tryChange(mutation, index)
  lists[outcome].push(describe(mutation))
  const verdict = outcome === 'passed' ? 'SURVIVED' : `killed: ${test} ${outcome}`
  console.log(`${first + index + 1} of ${values.count}  ${describe(mutation)}\n    ${verdict}`)
}
console.log(
  `\n${chosen.length} changes: ${lists.failed.length} failed an assertion, ${lists.crashed.length} ended a process, ` +
    `${lists.timeout.length} timed out, ${lists.passed.length} survived`,
)
for (const survivor of lists.passed) console.log(`survived: ${survivor}`)

/** Copies the last commit, and bundles the command, which some tests expect. */
function clone(): void {
  const { status } = spawnSync('git', ['clone', '--quiet', ROOT, copy], { stdio: 'inherit' })
  if (status !== 0) throw new Error(`git clone of ${ROOT} failed`)
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  mkdirSync(bundles, { recursive: true })
  const bundled = spawnSync('npx', ['tsx', 'scripts/bundle.ts', 'command'], {
    cwd: copy,
    stdio: 'ignore',
  })
  if (bundled.status !== 0) throw new Error('scripts/bundle.ts failed')
}

/** Returns the files of a folder of the copy, relative to it. */
function listFiles(folder: string): string[] {
  return readdirSync(join(copy, folder), { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath, each.name).slice(copy.length + 1))
    .toSorted()
}

/**
 * Runs the test files that can matter without a change, first with a probe at each place. A file that
 * fails with probes, such as one that limits the size of a bundle, runs again without them. A file that
 * fails then is named and takes no further part.
 */
async function runWithoutChange(): Promise<Map<string, Usual>> {
  const changed = [...new Set(chosen.map(({ file }) => file))]
  const texts = new Map(changed.map((file) => [file, readFileSync(join(copy, file), 'utf8')]))
  const found = new Map<string, Usual>()
  const hasPages = changed.some((file) => PAGES.test(file))
  const needed = tests.filter((test) => hasPages || !isWithBrowser(test))
  const again: string[] = []
  for (const [file, text] of texts) writeFileSync(join(copy, file), addProbes(file, text, chosen))
  await bundle(needed)
  await forEachTest(needed, async (test, index) => {
    const log = join(bundles, `reached-${index}`)
    const started = performance.now()
    const outcome = await runTest(test, 600_000, { MUTATION_REACHED: log, TAP_BAIL: '0' })
    const milliseconds = performance.now() - started
    const lines = existsSync(log) ? readFileSync(log, 'utf8').split('\n') : []
    const reached = new Set(lines.filter((line) => line !== '').map(Number))
    found.set(test, { milliseconds, reached })
    if (outcome !== 'passed') again.push(test)
    return true
  })
  for (const [file, text] of texts) writeFileSync(join(copy, file), text)
  await bundle(again)
  for (const test of again) {
    const outcome = await runTest(test, 600_000)
    if (outcome === 'passed') continue
    console.log(`without a change: ${test} ${outcome}`)
    found.delete(test)
  }
  return found
}

/** Returns how the first test file ended that noticed a change; `passed` if none did. */
async function tryChange(
  { file, start, end, after }: Mutation,
  index: number,
): Promise<{ outcome: Outcome; test?: string }> {
  const ordered = [...usual.keys()]
    .filter((test) => isReachable(test, file, index))
    .toSorted((one, other) => getCost(one, file) - getCost(other, file))
  const path = join(copy, file)
  const text = readFileSync(path, 'utf8')
  writeFileSync(path, text.slice(0, start) + after + text.slice(end))
  let found: { outcome: Outcome; test?: string } = { outcome: 'passed' }
  try {
    await bundle(ordered)
    if (PAGES.test(file)) pageFiles = JSON.stringify(await bundleUi())
    await forEachTest(ordered, async (test) => {
      const { milliseconds } = usual.get(test) ?? { milliseconds: 0 }
      const outcome = await runTest(test, Math.max(PATIENCE * milliseconds, 10_000))
      // The other processes were ended when one had failed.
      if (found.outcome !== 'passed') return false
      if (outcome !== 'passed') found = { outcome, test }
      return outcome === 'passed'
    })
    return found
  } finally {
    writeFileSync(path, text)
  }
}

function isWithBrowser(test: string): boolean {
  const text = readFileSync(join(copy, test), 'utf8')
  return /\/(browser|open-page|structure-page)\.js'/.test(text)
}

/** Whether a test file runs a place. Probes in a browser tell nothing. */
function isReachable(test: string, file: string, index: number): boolean {
  if (isWithBrowser(test)) return PAGES.test(file)
  return usual.get(test)?.reached.has(index) === true
}

/** The rank of a test file: its seconds, reduced the more its path has in common with the path of a source. */
function getCost(test: string, file: string): number {
  const folders = new Set(dirname(file).split('/').slice(1))
  const common = dirname(test)
    .split('/')
    .filter((folder) => folders.has(folder)).length
  const name = basename(file).replace(/\.tsx?$/, '')
  const closeness = 4 ** common * (basename(test).startsWith(name) ? 16 : 1)
  return (usual.get(test)?.milliseconds ?? 0) / closeness
}

/** Calls a function for test files, some at a time and in order, until it returns false. */
async function forEachTest(
  files: readonly string[],
  call: (test: string, index: number) => Promise<boolean>,
): Promise<void> {
  const waiting = [...files.entries()]
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      if (await call(next[1], next[0])) continue
      waiting.length = 0
      for (const child of running) terminate(child)
    }
  }
  await Promise.all(Array.from({ length: PROCESSES }, work))
}

/** Bundles test files, each with a module that runs it. */
async function bundle(files: readonly string[]): Promise<void> {
  const entries = Object.fromEntries(files.map((file) => [`files/${tests.indexOf(file)}`, file]))
  await bundleTests(
    { ...entries, 'run-files': 'scripts/test/run-files.ts' },
    join(copy, 'scripts/test/current-test.ts'),
    copy,
    bundles,
  )
  for (const file of files) {
    const index = tests.indexOf(file)
    writeFileSync(
      join(bundles, `${index}.js`),
      `import { runFiles } from './run-files.js'\n` +
        `await runFiles({ '${file}': () => import('./files/${index}.js') }, 0)\n`,
    )
  }
}

/** Runs a test file in a process of its own. */
function runTest(test: string, timeout: number, env: NodeJS.ProcessEnv = {}): Promise<Outcome> {
  const child = spawn(
    process.execPath,
    ['--enable-source-maps', join(bundles, `${tests.indexOf(test)}.js`)],
    {
      cwd: copy,
      detached: true,
      env: { ...process.env, TAP_BAIL: '1', TAP_TIMEOUT: '600', PAGE_FILES: pageFiles, ...env },
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  )
  running.add(child)
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    terminate(child)
  }, timeout)
  return new Promise((done) => {
    child.on('exit', (code) => {
      clearTimeout(timer)
      running.delete(child)
      // Ends what the file has started and left.
      kill(child)
      if (isLate) done('timeout')
      else if (code === 0) done('passed')
      else done(/^ *not ok/m.test(output) ? 'failed' : 'crashed')
    })
  })
}

/** Ends a process, which can close its browser first. A browser outlives a process that is killed. */
function terminate(child: ChildProcess): void {
  kill(child, 'SIGTERM')
  setTimeout(() => {
    if (running.has(child)) kill(child)
  }, PATIENCE_AT_END)
}

/** Sends a signal to a process and its group. */
function kill({ pid }: ChildProcess, signal: NodeJS.Signals = 'SIGKILL'): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

function describe({ file, line, before, after }: Mutation): string {
  return `${file}:${line}  ${shorten(before)}  ->  ${shorten(after)}`
}

function shorten(text: string): string {
  return text.replaceAll(/\s+/g, ' ').slice(0, 60)
}
