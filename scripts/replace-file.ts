import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/**
 * Writes a file under another name, and renames it, so that what reads it meanwhile has a whole one.
 * Makes its folder if there is none.
 */
export function replaceFile(path: string, content: string | Uint8Array, mode = 0o644): void {
  const folder = dirname(path)
  mkdirSync(folder, { recursive: true })
  const temporary = join(folder, `.${basename(path)}.${process.pid}`)
  writeFileSync(temporary, content, { mode })
  renameSync(temporary, path)
}
