#!/usr/bin/env node
import * as nodeModule from 'node:module'

// The package's bin. Node keeps the compiled code of all modules that are loaded after this call, which
// exists since Node 22.1. Therefore the bundle of `main.ts` is a file of its own, `command.cjs`.
const { enableCompileCache } = nodeModule as { readonly enableCompileCache?: () => void }
enableCompileCache?.()
nodeModule.createRequire(import.meta.url)('./command.cjs')
