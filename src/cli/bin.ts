#!/usr/bin/env node
import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import * as nodeModule from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Script } from 'node:vm'

// The package's bin. Node keeps the compiled code of all modules that are loaded after the call of
// `enableCompileCache`, which exists since Node 22.1. Therefore the bundle of `main.ts` is a file of its own.
const command = fileURLToPath(new URL('command.cjs', import.meta.url))
const { enableCompileCache } = nodeModule as { readonly enableCompileCache?: () => void }
const [first = '--port'] = process.argv.slice(2)
const isServer = first.startsWith('-') && !/^(?:-h|--help|-v|--version)$/.test(first)
if (enableCompileCache === undefined) {
  runCompiled(command, isServer)
} else {
  enableCompileCache()
  nodeModule.createRequire(import.meta.url)(command)
}

/**
 * Runs a CommonJS module without `import()` with the code that V8 has compiled in an earlier run, and keeps
 * that code when the process ends. This is for Node 20 alone: since Node 22.1, `module.enableCompileCache` does it.
 *
 * The code is kept beside the module, so that only who can change the module can change the code. V8 tells
 * whether it has been made by the same V8 (https://v8.dev/blog/improved-code-caching), and the times of the
 * files tell whether by the same module. Without it, or where it can't be written, the module only starts later.
 * @param keeps whether this run compiles what later runs need
 */
function runCompiled(file: string, keeps: boolean): void {
  const codeFile = `${file}.compiled`
  const cachedData = readCode(file, codeFile)
  const script = new Script(nodeModule.wrap(readFileSync(file, 'utf8')), {
    filename: file,
    ...(cachedData && { cachedData }),
  })
  if (keeps && script.cachedDataRejected !== false)
    process.once('exit', () => writeCode(codeFile, script))
  const module = { exports: {} }
  script.runInThisContext()(
    module.exports,
    nodeModule.createRequire(file),
    module,
    file,
    dirname(file),
  )
}

/** Returns the code, unless there is none or the module is newer. */
function readCode(file: string, codeFile: string): Buffer | undefined {
  try {
    return statSync(codeFile).mtimeMs > statSync(file).mtimeMs ? readFileSync(codeFile) : undefined
  } catch {
    return undefined
  }
}

/** Writes the code in one step: other processes may start at this moment. */
function writeCode(codeFile: string, script: Script): void {
  try {
    const partial = `${codeFile}.${process.pid}`
    writeFileSync(partial, script.createCachedData())
    renameSync(partial, codeFile)
  } catch {
    // The folder is read-only, or the disk is full.
  }
}
