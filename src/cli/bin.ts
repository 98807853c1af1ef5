#!/usr/bin/env node
import * as nodeModule from 'node:module'

// The package's bin. Node keeps the compiled code of what is loaded after this call, which it has since
// 22.1. That is why the bundle of `main.ts` is a file of its own, `command.cjs`.
const { enableCompileCache } = nodeModule as { readonly enableCompileCache?: () => void }
enableCompileCache?.()
nodeModule.createRequire(import.meta.url)('./command.cjs')
