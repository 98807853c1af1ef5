import { readFileSync, writeFileSync } from 'node:fs'

import t from 'tap'
import type { Test } from 'tap'

import { codeCacheOf, compiledScript, keepCompiled, runScript } from '../src/compiled-script.js'

const SOURCE = `const { sep } = require('node:path')
globalThis.scriptRan = { sep, __dirname, sum: sum(1, 2) }
function sum(a, b) { return a + b }
`

/** As long, with another sum. */
const OTHER = SOURCE.replace('sum(1, 2)', 'sum(1, 3)')

/** A file whose code cache was made of the first source, and that has the other now. */
function keptOfFormer(t: Test): { file: string; keep: (cache?: Buffer) => void; cache: Buffer } {
  const file = `${t.testdir({ 'module.cjs': SOURCE })}/module.cjs`
  const script = compiledScript(file)
  runScript(script, file)
  const cache = script.createCachedData()
  writeFileSync(file, OTHER)
  const keep = (kept: Buffer = cache): void =>
    keepCompiled(Object.assign(script, { createCachedData: () => kept }), file)
  return { file, keep, cache }
}

/** What running the file by way of its script leaves. */
function ran(file: string): unknown {
  runScript(compiledScript(file), file)
  return (globalThis as { scriptRan?: unknown }).scriptRan
}

t.test('a script runs as a module does', async (t) => {
  const folder = t.testdir({ 'module.cjs': SOURCE })
  t.match(ran(`${folder}/module.cjs`), { sep: '/', __dirname: folder, sum: 3 })
})

t.test('what was kept is run in place of the source', async (t) => {
  const { file, keep } = keptOfFormer(t)
  keep()
  t.equal(compiledScript(file).cachedDataRejected, false)
  t.match(ran(file), { sum: 3 })
})

t.test("another V8's is rejected, and the source is run", async (t) => {
  const { file, keep, cache } = keptOfFormer(t)
  cache.writeUInt32LE((cache.readUInt32LE(4) ^ 1) >>> 0, 4) // the second word is of the version
  keep(cache)
  t.equal(compiledScript(file).cachedDataRejected, true)
  t.match(ran(file), { sum: 4 })
})

t.test('a cache that is broken, or of a former source, is not given to V8', async (t) => {
  const { file, keep } = keptOfFormer(t)
  keep()
  const kept = readFileSync(codeCacheOf(file))
  const broken = Buffer.from(kept).fill(0xff, 100, 104)
  for (const [name, cache] of [
    ['broken', broken],
    ['cut off', kept.subarray(0, -100)],
    ['empty', Buffer.alloc(0)],
    ['something else', Buffer.from(SOURCE)],
  ] as const) {
    writeFileSync(codeCacheOf(file), cache)
    t.equal(compiledScript(file).cachedDataRejected, undefined, name)
    t.match(ran(file), { sum: 4 })
  }
  writeFileSync(codeCacheOf(file), kept)
  writeFileSync(file, SOURCE.replace('sum(1, 2)', 'sum(1, 4)'))
  t.equal(compiledScript(file).cachedDataRejected, undefined, 'of a former source')
  t.match(ran(file), { sum: 5 })
})

t.test('what goes wrong in a script is told by its file and line', async (t) => {
  const file = `${t.testdir({ 'module.cjs': '\nthrow new Error("no")\n' })}/module.cjs`
  const stack = (() => {
    try {
      return runScript(compiledScript(file), file)
    } catch (error) {
      return (error as Error).stack
    }
  })()
  t.match(stack, `${file}:2:7`)
})
