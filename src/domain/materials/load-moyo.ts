import { existsSync, readFileSync } from 'node:fs'

import { initSync } from '@spglib/moyo-wasm'

import { packagePath } from '../../package.js'

/** Whether the library, of which a process has one, is loaded. */
let isLoaded = false

const FILE = 'moyo_wasm_bg.wasm'

/**
 * Loads spglib's library at its first use: a start and a test file that write no structure pay nothing.
 * The file is beside the bundle, and in the library's own folder for the sources.
 */
export function loadMoyo(): void {
  if (isLoaded) return
  const shipped = packagePath(`dist/${FILE}`)
  const path = existsSync(shipped) ? shipped : packagePath(`node_modules/@spglib/moyo-wasm/${FILE}`)
  initSync({ module: readFileSync(path) })
  isLoaded = true
}
