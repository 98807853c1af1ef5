import { spawnSync } from 'node:child_process'
import {
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
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

import { build } from 'esbuild'

import { listMutations } from './mutations.js'
import type { Mutation } from './mutations.js'

// Changes single places of `src` at random, and tells which changes no test notices:
// `npx tsx tools/mutation/run.ts [--count 50] [--seed 1] [--only src/query]`.
// Each change is made in a copy of the last commit. The nearest tests run first, and all that reach the
// file before a change counts as survived.

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: 'src' },
  },
})

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** The number of test files that run first: those whose paths are most like that of the source. */
const NEAREST = 6

const copy = mkdtempSync(join(tmpdir(), 'mutation-'))
process.on('exit', () => rmSync(copy, { recursive: true, force: true }))
process.on('SIGINT', () => process.exit(130))
run('git', ['clone', '--quiet', ROOT, copy])
symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
mkdirSync(join(copy, 'dist'), { recursive: true })

const tests = listFiles('test').filter((file) => file.endsWith('.test.ts'))
const reached = await findReached(tests)
const survivors: Mutation[] = []
const chosen = choose(
  listFiles(values.only)
    .filter((file) => /\.tsx?$/.test(file))
    .flatMap((file) => listMutations(file, readFileSync(join(copy, file), 'utf8'))),
  Number(values.count),
  Number(values.seed),
)
for (const [index, mutation] of chosen.entries()) {
  const killer = findKiller(mutation)
  if (killer === undefined) survivors.push(mutation)
  console.log(`${index + 1} of ${chosen.length}  ${describe(mutation)}`)
  console.log(killer === undefined ? '    SURVIVED' : `    killed by one of ${killer}`)
}
console.log(`\n${chosen.length - survivors.length} of ${chosen.length} killed`)
for (const survivor of survivors) console.log(`survived: ${describe(survivor)}`)

/** Returns the files of a folder of the copy, relative to it. */
function listFiles(folder: string): string[] {
  return readdirSync(join(copy, folder), { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath, each.name).slice(copy.length + 1))
    .toSorted()
}

/** Returns the sources that each test file imports. */
async function findReached(entryPoints: readonly string[]): Promise<Map<string, Set<string>>> {
  const found = new Map<string, Set<string>>()
  for (const entry of entryPoints) {
    const { metafile } = await build({
      entryPoints: [join(copy, entry)],
      absWorkingDir: copy,
      bundle: true,
      write: false,
      metafile: true,
      platform: 'node',
      format: 'esm',
      packages: 'external',
      outdir: 'out',
      logLevel: 'silent',
    })
    found.set(entry, new Set(Object.keys(metafile.inputs)))
  }
  return found
}

/** Returns the tests of the first group of which one fails with a change; undefined if all pass. */
function findKiller({ file, start, end, after }: Mutation): string | undefined {
  const path = join(copy, file)
  const text = readFileSync(path, 'utf8')
  writeFileSync(path, text.slice(0, start) + after + text.slice(end))
  try {
    const ordered = tests
      .filter((test) => isReachable(test, file))
      .toSorted((one, other) => countCommon(other, file) - countCommon(one, file))
    const groups = [ordered.slice(0, NEAREST), ordered.slice(NEAREST)]
    return groups.find((group) => group.length > 0 && !pass(group))?.join(' ')
  } finally {
    writeFileSync(path, text)
  }
}

/** Whether a test can notice a change: it imports the file, or runs a bundle of it. */
function isReachable(test: string, file: string): boolean {
  if (file.startsWith('src/ui/')) return /^test\/(ui|server\/pages)\//.test(test)
  return reached.get(test)?.has(file) === true || test.startsWith('test/cli/')
}

/** How much a test is about a source: the folders that both have, and more for its own name. */
function countCommon(test: string, file: string): number {
  const folders = new Set(dirname(file).split('/').slice(1))
  const common = dirname(test)
    .split('/')
    .filter((folder) => folders.has(folder)).length
  const name = basename(file).replace(/\.tsx?$/, '')
  return (
    2 * common + (basename(test).startsWith(name) ? 5 : 0) - (/browser|ui|cli/.test(test) ? 1 : 0)
  )
}

function pass(files: readonly string[]): boolean {
  const { status } = spawnSync('npm', ['test', '--', '--bail', ...files], {
    cwd: copy,
    stdio: 'ignore',
    timeout: 900_000,
  })
  return status === 0
}

function run(command: string, args: readonly string[]): void {
  const { status } = spawnSync(command, args, { stdio: 'inherit' })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed`)
}

/** Chooses at random, the same for the same seed (mulberry32). */
function choose(all: readonly Mutation[], count: number, seed: number): Mutation[] {
  let state = seed
  const random = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return all
    .map((mutation) => ({ mutation, key: random() }))
    .toSorted((one, other) => one.key - other.key)
    .slice(0, count)
    .map(({ mutation }) => mutation)
}

function describe({ file, line, before, after }: Mutation): string {
  return `${file}:${line}  ${shorten(before)}  ->  ${shorten(after)}`
}

function shorten(text: string): string {
  return text.replaceAll(/\s+/g, ' ').slice(0, 60)
}
