#!/usr/bin/env node
import * as nodeModule from 'node:module'
import { fileURLToPath } from 'node:url'

import { runCompiled } from './run-compiled.js'

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
