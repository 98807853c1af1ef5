#!/usr/bin/env node
import { fileURLToPath } from 'node:url'

import { loadWithCodeCache } from './code-cache.js'
import type { isServing as IsServing } from './main.js'

// The package's bin. It runs `command.cjs`, the bundle of `main.ts`, with V8's code cache. It is CommonJS,
// too, and its `require` that of the same folder.
void run(fileURLToPath(new URL('command.cjs', import.meta.url)))

async function run(command: string): Promise<void> {
  const { exports, isCached, saveCodeCache } = loadWithCodeCache(command, require)
  const { isServing } = exports as { readonly isServing: typeof IsServing }
  if (!(await isServing) || isCached) return
  // A server has compiled what the next start needs by the time it ends, or is killed; --help has not.
  setTimeout(saveCodeCache, 1000).unref()
  process.once('exit', saveCodeCache)
}
