#!/usr/bin/env node
import * as nodeModule from 'node:module'
import { fileURLToPath } from 'node:url'

// Since Node 22.1, Node keeps the compiled code of what is loaded after `enableCompileCache`: so
// the bundle of `main.ts` is a file of its own. The folder is the package's, so that only who can
// change the package can change it. Where it can't be written, nothing is kept.
const { enableCompileCache } = nodeModule as {
  readonly enableCompileCache?: (folder: string) => unknown
}
enableCompileCache?.(fileURLToPath(new URL('compiled', import.meta.url)))
nodeModule.createRequire(import.meta.url)('./command.cjs')
