import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { initSync } from '@spglib/moyo-wasm'

/** Whether the library, of which a process has one, is loaded. */
let isLoaded = false

/** The name of the file of spglib's library. */
export const MOYO_FILE = 'moyo_wasm_bg.wasm'

/** Loads spglib's library at its first use: a start and a test file that write no structure pay nothing. */
export function loadMoyo(): void {
  if (isLoaded) return
  initSync({ module: readFileSync(findMoyo()) })
  isLoaded = true
}

/** Returns the path of the library's file: beside the bundle, or for the sources in the library's own folder. */
export function findMoyo(): string {
  const shipped = fileURLToPath(new URL(MOYO_FILE, import.meta.url))
  if (existsSync(shipped)) return shipped
  const installed = `../../../node_modules/@spglib/moyo-wasm/${MOYO_FILE}`
  return fileURLToPath(new URL(installed, import.meta.url))
}
