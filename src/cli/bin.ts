#!/usr/bin/env node
import * as nodeModule from 'node:module'
import { fileURLToPath } from 'node:url'

// The package's bin. Since Node 22.1, Node keeps the compiled code of all modules that are loaded after the call of
// `enableCompileCache`: therefore the bundle of `main.ts` is a file of its own. The code is kept in the package's
// folder, so that only who can change the package can change it. Where that folder can't be written, nothing is kept.
const { enableCompileCache } = nodeModule as {
  readonly enableCompileCache?: (folder: string) => unknown
}
enableCompileCache?.(fileURLToPath(new URL('compiled', import.meta.url)))
nodeModule.createRequire(import.meta.url)('./command.cjs')
