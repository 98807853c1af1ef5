import { spawn, spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { constants } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

import { bundleTests } from './bundle-tests.js'

// Runs test files with tap: `tsx scripts/test/run-tests.ts [path …] [option of tap …]`. A path is that
// of a test file or of a folder; without one, all of `test` run but those that build the package.

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

const TAP = join(ROOT, 'node_modules/.bin/tap')

/** The tests that build the package and install it. */
const PACKAGE = 'test/package/'

const CURRENT_TEST = join(ROOT, 'scripts/test/current-test.ts')

const args = process.argv.slice(2)
const options = args.filter((arg) => arg.startsWith('-'))
const paths = args.filter((arg) => !arg.startsWith('-'))
const files =
  paths.length > 0
    ? [...new Set(paths.flatMap(findTests))].toSorted()
    : findTests('test').filter((file) => !file.startsWith(PACKAGE))

const folder = join(ROOT, 'dist', `tests-${process.pid}`)
try {
  mkdirSync(folder, { recursive: true })
  const entries = Object.fromEntries(files.map((file) => [getBundleName(file), file]))
  const helpers = { 'run-files': 'scripts/test/run-files.ts', report: 'scripts/test/report.ts' }
  await bundleTests({ ...entries, ...helpers }, CURRENT_TEST, ROOT, folder)
  const groups = groupFiles().map(writeGroup)
  buildTap()
  process.exitCode = await runTap(groups)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** Returns the test files of a path, relative to the root. */
function findTests(path: string): string[] {
  const absolute = resolve(path)
  if (!existsSync(absolute)) throw new Error(`there is no ${path}`)
  const found = statSync(absolute).isDirectory()
    ? readdirSync(absolute, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.test.ts'))
        .map((name) => join(absolute, name))
    : [absolute]
  if (found.length === 0) throw new Error(`${path} has no test files`)
  return found.map((file) => relative(ROOT, file)).toSorted()
}

/**
 * Groups the files by the folder of `test` that they are in: one process runs those of a folder, and
 * starts a browser or makes a check of responses only once. The largest groups are first, so that no long
 * one runs alone at the end.
 */
function groupFiles(): string[][] {
  const groups = new Map<string, string[]>()
  for (const file of files) {
    const [, name = ''] = /^test\/([^/]+)\//.exec(file) ?? []
    groups.set(name, [...(groups.get(name) ?? []), file])
  }
  return [...groups.values()].toSorted((one, other) => sumSizes(other) - sumSizes(one))
}

function sumSizes(group: readonly string[]): number {
  return group.reduce((sum, file) => sum + statSync(join(ROOT, file)).size, 0)
}

/**
 * Returns the name of a file's bundle. It is not that of the file: of a folder named `test`, coverage
 * would leave out all sources.
 */
function getBundleName(file: string): string {
  return `files/${files.indexOf(file)}`
}

/** Writes the module of a group, which imports its files in turn, and returns its path. */
function writeGroup(group: readonly string[], index: number): string {
  const loads = group.map((file) => `  '${file}': () => import('./${getBundleName(file)}.js'),\n`)
  const code = `import { runFiles } from './run-files.js'\n\nawait runFiles({\n${loads.join('')}})\n`
  const path = join(folder, `group-${index + 1}.js`)
  writeFileSync(path, code)
  return path
}

/** Removes the plugin that compiles TypeScript in each process, if tap is as it was installed. */
function buildTap(): void {
  const built = join(ROOT, 'node_modules/@tapjs/test/test-built/dist/esm/index.js')
  if (readFileSync(built, 'utf8').includes('@tapjs/typescript'))
    spawnSync(TAP, ['build'], { cwd: ROOT })
}

/** Runs tap, and returns its exit code. */
async function runTap(groups: readonly string[]): Promise<number> {
  const reporter = options.some((option) => option.startsWith('--reporter'))
    ? []
    : [`--reporter=${join(folder, 'report.js')}`]
  const coverage = options.includes('--coverage') ? [] : ['--disable-coverage']
  const others = options.filter((option) => option !== '--coverage')
  const child = spawn(TAP, [...coverage, ...reporter, ...others, ...groups], {
    cwd: ROOT,
    env: { ...process.env, TEST_FILES: String(files.length) },
    stdio: ['inherit', process.stdout.isTTY ? 'inherit' : 'pipe', 'inherit'],
  })
  // tap ends with the sequence that shows the cursor of a terminal.
  child.stdout
    ?.setEncoding('utf8')
    .on('data', (text: string) => process.stdout.write(text.replace('\x1b[?25h', '')))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
  return new Promise((done, fail) => {
    child.on('error', fail)
    child.on('close', (code, signal) => done(code ?? 128 + constants.signals[signal ?? 'SIGTERM']))
  })
}
