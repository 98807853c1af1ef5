import { spawn } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

import { bundleUi } from '../bundle-ui.js'
import { bundleTests } from './bundle-tests.js'
import { Report } from './report.js'

// Runs test files: `tsx scripts/test/run-tests.ts [path …]`. A path is that of a test file or of a
// folder; without a path, all of `test` and of the packages run.

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** The tests of the built package, which have packages of their own. */
const PACKAGE = 'tools/package/'

/** How many processes run the files, one for each of two cores: with a third, all take a seventh more CPU. */
const PROCESSES = 2

/** What all files of a process may take, in s. */
const TIMEOUT = '1800'

/** The tests that open the page or the explorer. */
const PAGE_TEST = /^test\/(browser|page|server\/pages|docs)\//

const CURRENT_TEST = join(ROOT, 'scripts/test/current-test.ts')

/** What Node keeps of young objects, in MB: fewer collections of garbage take a tenth less time (measured). */
const SEMI_SPACE = 64

const RUN_FILES = join(ROOT, 'scripts/test/run-files.ts')

const paths = process.argv.slice(2)
const files =
  paths.length > 0
    ? [...new Set(paths.flatMap(findTests))].toSorted()
    : ['packages', 'test'].flatMap(findTests)

/** Where the bundles are: they find the packages of their tests. */
const base = files.every((file) => file.startsWith(PACKAGE)) ? PACKAGE : '.'
const folder = join(ROOT, base, 'dist', `tests-${process.pid}`)

/** The folder in which a process claims the file that it runs. */
const CLAIMS = join(folder, 'claims')

if (paths.length === 0)
  console.log('The tests of python/ need pytest: npm run test:python runs them.')

try {
  mkdirSync(folder, { recursive: true })
  const entries = Object.fromEntries(files.map((file) => [getBundleName(file), file]))
  const needPage = files.some((file) => PAGE_TEST.test(file))
  const [pageFiles] = await Promise.all([
    needPage ? bundleUi() : [],
    bundleTests({ ...entries, 'run-files': RUN_FILES }, CURRENT_TEST, ROOT, folder),
  ])
  process.exitCode = (await runProcesses(writeProcesses(), pageFiles)) ? 0 : 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** Returns the test files of a path, relative to the root. */
function findTests(path: string): string[] {
  const absolute = resolve(path)
  if (!existsSync(absolute))
    throw new Error(`there is no ${path}; give paths of test files or of folders`)
  const found = statSync(absolute).isDirectory()
    ? readdirSync(absolute, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.test.ts') && !name.includes('node_modules'))
        .map((name) => join(absolute, name))
    : [absolute]
  if (found.length === 0) throw new Error(`${path} has no test files`)
  return found.map((file) => relative(ROOT, file)).toSorted()
}

/**
 * Orders the files so that the long ones are first, and no process runs one alone at the end: those
 * with a browser, then the files that start the command, then the rest by size.
 */
function orderFiles(): string[] {
  const weights = new Map(
    files.map((file) => {
      const text = readFileSync(join(ROOT, file), 'utf8')
      const kind = /\/(browser|open-page)\.js'/.test(text)
        ? 2
        : text.includes("/command.js'")
          ? 1
          : 0
      return [file, kind * 1_000_000 + text.length]
    }),
  )
  return files.toSorted((one, other) => (weights.get(other) ?? 0) - (weights.get(one) ?? 0))
}

/**
 * Returns the name of a file's bundle. It differs from the name of the file: of a folder named `test`,
 * coverage would leave out all sources.
 */
function getBundleName(file: string): string {
  return `files/${files.indexOf(file)}`
}

/** Writes the module of each process, with a file that it has claimed, and returns their paths. */
function writeProcesses(): string[] {
  const loads = orderFiles().map(
    (file) => `  '${file}': () => import('./${getBundleName(file)}.js'),\n`,
  )
  return Array.from({ length: Math.min(PROCESSES, files.length) }, (_, index) => {
    mkdirSync(join(CLAIMS, String(index)), { recursive: true })
    const path = join(folder, `group-${index + 1}.js`)
    const call = `await runFiles({\n${loads.join('')}}, ${index})`
    writeFileSync(path, `import { runFiles } from './run-files.js'\n\n${call}\n`)
    return path
  })
}

/**
 * Runs the modules of the processes.
 * @returns whether all tests passed
 */
async function runProcesses(
  modules: readonly string[],
  pageFiles: readonly string[],
): Promise<boolean> {
  const env = {
    ...process.env,
    TEST_CLAIMS: CLAIMS,
    PAGE_FILES: JSON.stringify(pageFiles),
    TAP_TIMEOUT: TIMEOUT,
  }
  const report = new Report(files.length)
  const areGood = await Promise.all(
    modules.map((module) => {
      const argv = ['--enable-source-maps', `--max-semi-space-size=${SEMI_SPACE}`, module]
      const child = spawn(process.execPath, argv, {
        cwd: ROOT,
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      for (const signal of ['SIGINT', 'SIGTERM'] as const)
        process.on(signal, () => child.kill(signal))
      return report.follow(child)
    }),
  )
  report.end()
  return !areGood.includes(false)
}
