import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'

import t from 'tap'
import type { Test } from 'tap'

import { codeCacheFile, loadWithCodeCache } from '../../src/cli/code-cache.js'

const SOURCE = `const { sep } = require('node:path')
exports.result = { sep, __dirname, sum: sum(1, 2) }
function sum(a, b) { return a + b }
`

/** Source of the same length with another sum. */
const OTHER = SOURCE.replace('sum(1, 2)', 'sum(1, 3)')

/** A module, and the code cache that was saved for it. */
function saved(t: Test): { folder: string; file: string; cache: Buffer } {
  const folder = t.testdir({ 'module.cjs': SOURCE })
  const file = `${folder}/module.cjs`
  loadWithCodeCache(file).saveCodeCache()
  return { folder, file, cache: readFileSync(codeCacheFile(file)) }
}

const sumOf = (exports: unknown): number => (exports as { result: { sum: number } }).result.sum

t.test('a module runs as require would run it', async (t) => {
  const folder = t.testdir({ 'module.cjs': SOURCE })
  const { exports, isCached } = loadWithCodeCache(`${folder}/module.cjs`)
  t.same(exports, { result: { sep: '/', __dirname: folder, sum: 3 } })
  t.equal(isCached, false)
})

t.test('the next load uses the saved cache, and leaves no other file', async (t) => {
  const { folder, file } = saved(t)
  const { exports, isCached } = loadWithCodeCache(file)
  t.equal(isCached, true)
  t.equal(sumOf(exports), 3)
  t.equal(readdirSync(folder).length, 2)
})

t.test('a cache of another source, or a damaged one, is not used', async (t) => {
  const { file, cache } = saved(t)
  const damaged = Buffer.from(cache).fill(0xff, 100, 104)
  for (const [name, content] of [
    ['damaged', damaged],
    ['cut off', cache.subarray(0, -100)],
    ['empty', Buffer.alloc(0)],
    ['something else', Buffer.from(SOURCE)],
  ] as const) {
    writeFileSync(codeCacheFile(file), content)
    const { exports, isCached } = loadWithCodeCache(file)
    t.equal(isCached, false, name)
    t.equal(sumOf(exports), 3, name)
  }
  writeFileSync(codeCacheFile(file), cache)
  writeFileSync(file, OTHER)
  const { exports, isCached } = loadWithCodeCache(file)
  t.equal(isCached, false, 'another source of the same length')
  t.equal(sumOf(exports), 4)
})

t.test('where nothing can be written, the module runs all the same', async (t) => {
  const folder = t.testdir({ 'module.cjs': SOURCE })
  const { saveCodeCache } = loadWithCodeCache(`${folder}/module.cjs`)
  rmSync(folder, { recursive: true })
  t.doesNotThrow(saveCodeCache)
})

t.test('an error in a module names its file and line', async (t) => {
  const file = `${t.testdir({ 'module.cjs': '\nthrow new Error("no")\n' })}/module.cjs`
  try {
    loadWithCodeCache(file)
    t.fail('it throws')
  } catch (error) {
    t.match((error as Error).stack, `${file}:2:7`)
  }
})
