import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { cachedDataVersionTag } from 'node:v8'
import { Script } from 'node:vm'
import { crc32 } from 'node:zlib'

/**
 * A CommonJS file of ASCII characters as a script, with what V8 kept of compiling it. Where nothing
 * was kept, or what there is does not fit, the file is compiled anew.
 */
export function compiledScript(file: string): Script {
  const source = readFileSync(file)
  return new Script(WRAPPER.join(source.toString('latin1')), {
    filename: file,
    cachedData: readCodeCache(file, source),
  })
}

/** Runs such a script as `require` would run its file. */
export function runScript(script: Script, file: string): void {
  const module = { exports: {} }
  script.runInThisContext()(module.exports, createRequire(file), module, file, dirname(file))
}

/** Keeps what V8 has compiled of a script by now, beside its file. */
export function keepCompiled(script: Script, file: string): void {
  const cache = script.createCachedData()
  const sum = Buffer.alloc(SUM_LENGTH)
  sum.writeUInt32LE(sumOf(readFileSync(file), cache))
  writeFileSync(codeCacheOf(file), Buffer.concat([cache, sum]))
}

/** Where the code cache of a file is: good for one Node, one kind of processor, one set of V8's flags. */
export const codeCacheOf = (file: string): string =>
  file.replace(
    /\.cjs$/,
    `-${process.version}-${process.arch}-${cachedDataVersionTag().toString(16)}.cache`,
  )

/** Node's own around each CommonJS module. */
const WRAPPER = ['(function (exports, require, module, __filename, __dirname) { ', '\n})']

/** In bytes: what ends the file of a code cache. */
const SUM_LENGTH = 4

/** Of the source too: V8 compares no more of it than its length, and runs a broken cache as it is. */
const sumOf = (source: Buffer, cache: Buffer): number => crc32(cache, crc32(source))

function readCodeCache(file: string, source: Buffer): Buffer | undefined {
  try {
    const kept = readFileSync(codeCacheOf(file))
    const cache = kept.subarray(0, -SUM_LENGTH)
    return kept.readUInt32LE(cache.length) === sumOf(source, cache) ? cache : undefined
  } catch {
    return undefined
  }
}
