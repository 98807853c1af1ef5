import { createRequire } from 'node:module'

import * as imported from 'materials-mock'

import { exercise } from './exercise.cjs'

// Bun, Deno and several versions of Node run this file.
await exercise(imported)
await exercise(createRequire(import.meta.url)('materials-mock'))
const { Bun, Deno, process } = globalThis
console.log(
  Bun ? `Bun ${Bun.version}` : Deno ? `Deno ${Deno.version.deno}` : `Node ${process.version}`,
)
