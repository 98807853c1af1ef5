import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { Script } from 'node:vm'
import { crc32 } from 'node:zlib'

/** A CommonJS module that was run from V8's code cache, or compiled if there is no valid cache. */
export interface LoadedModule {
  readonly exports: unknown
  /** Whether V8 accepted a code cache. */
  readonly isCached: boolean
  /** Writes the code that V8 has compiled so far beside the module. Ignores errors of the disk. */
  readonly saveCodeCache: () => void
}

/**
 * Runs a CommonJS file of ASCII characters as `require` would, with V8's code cache.
 * @param require what the file loads other modules with
 */
export function loadWithCodeCache(file: string, require: NodeJS.Require): LoadedModule {
  const source = readFileSync(file)
  const script = new Script(WRAPPER.join(source.toString('latin1')), {
    filename: file,
    cachedData: readCodeCache(file, source),
  })
  const module = { exports: {} }
  script.runInThisContext()(module.exports, require, module, file, dirname(file))
  return {
    exports: module.exports,
    isCached: script.cachedDataRejected === false,
    saveCodeCache: () => saveCodeCache(file, source, script),
  }
}

/**
 * Returns the file of a code cache: it is valid for one Node and one kind of processor. V8 itself refuses
 * that of another set of flags.
 */
export const codeCacheFile = (file: string): string =>
  file.replace(/\.cjs$/, `-${process.version}-${process.arch}.cache`)

/** Node's own wrapper of a CommonJS module. */
const WRAPPER = ['(function (exports, require, module, __filename, __dirname) { ', '\n})']

/** The number of bytes of the checksum at the end of a code cache. */
const CHECKSUM_LENGTH = 4

/** V8 compares only the length of the source, and runs a damaged cache: so both are in the sum. */
const checksum = (source: Buffer, cache: Buffer): number => crc32(cache, crc32(source))

function readCodeCache(file: string, source: Buffer): Buffer | undefined {
  try {
    const content = readFileSync(codeCacheFile(file))
    const cache = content.subarray(0, -CHECKSUM_LENGTH)
    return content.readUInt32LE(cache.length) === checksum(source, cache) ? cache : undefined
  } catch {
    return undefined
  }
}

function saveCodeCache(file: string, source: Buffer, script: Script): void {
  const cache = script.createCachedData()
  const sum = Buffer.alloc(CHECKSUM_LENGTH)
  sum.writeUInt32LE(checksum(source, cache))
  const target = codeCacheFile(file)
  const temporary = `${target}-${process.pid}`
  try {
    writeFileSync(temporary, Buffer.concat([cache, sum]))
    renameSync(temporary, target)
  } catch {
    // The package's directory may be read-only, or the disk full. The next start compiles again.
  }
}
