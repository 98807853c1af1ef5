import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'

import t from 'tap'
import type { Test } from 'tap'

import { codeCacheFile, loadWithCodeCache } from '../../src/cli/code-cache.js'

const require = createRequire(import.meta.url)

const SOURCE = `const { sep } = require('node:path')
exports.result = { sep, __dirname, sum: sum(1, 2) }
function sum(a, b) { return a + b }
`

/** Source of the same length with another sum. */
const OTHER_SOURCE = SOURCE.replace('sum(1, 2)', 'sum(1, 3)')

/** Creates a module, and saves the code cache for it. */
function createModule(t: Test): { directory: string; file: string; cache: Buffer } {
  const directory = t.testdir({ 'module.cjs': SOURCE })
  const file = `${directory}/module.cjs`
  loadWithCodeCache(file, require).saveCodeCache()
  return { directory, file, cache: readFileSync(codeCacheFile(file)) }
}

const readSum = (exports: unknown): number => (exports as { result: { sum: number } }).result.sum

t.test('a module runs as with require', async (t) => {
  const directory = t.testdir({ 'module.cjs': SOURCE })
  const { exports, isCached } = loadWithCodeCache(`${directory}/module.cjs`, require)
  t.same(exports, { result: { sep: '/', __dirname: directory, sum: 3 } })
  t.equal(isCached, false)
})

t.test('the next load uses the saved cache, and writes no other file', async (t) => {
  const { directory, file } = createModule(t)
  const { exports, isCached } = loadWithCodeCache(file, require)
  t.equal(isCached, true)
  t.equal(readSum(exports), 3)
  t.equal(readdirSync(directory).length, 2)
})

t.test('a cache of another source, or a damaged one, is not used', async (t) => {
  const { file, cache } = createModule(t)
  const damaged = Buffer.from(cache).fill(0xff, 100, 104)
  for (const [name, content] of [
    ['damaged', damaged],
    ['truncated', cache.subarray(0, -100)],
    ['empty', Buffer.alloc(0)],
    ['no cache', Buffer.from(SOURCE)],
  ] as const) {
    writeFileSync(codeCacheFile(file), content)
    const { exports, isCached } = loadWithCodeCache(file, require)
    t.equal(isCached, false, name)
    t.equal(readSum(exports), 3, name)
  }
  writeFileSync(codeCacheFile(file), cache)
  writeFileSync(file, OTHER_SOURCE)
  const { exports, isCached } = loadWithCodeCache(file, require)
  t.equal(isCached, false, 'another source of the same length')
  t.equal(readSum(exports), 4)
})

t.test('saving to a directory that does not exist is no error', async (t) => {
  const directory = t.testdir({ 'module.cjs': SOURCE })
  const { saveCodeCache } = loadWithCodeCache(`${directory}/module.cjs`, require)
  rmSync(directory, { recursive: true })
  t.doesNotThrow(saveCodeCache)
})

t.test('an error in a module names its file and line', async (t) => {
  const file = `${t.testdir({ 'module.cjs': '\nthrow new Error("no")\n' })}/module.cjs`
  try {
    loadWithCodeCache(file, require)
    t.fail('it throws')
  } catch (error) {
    t.match((error as Error).stack, `${file}:2:7`)
  }
})
