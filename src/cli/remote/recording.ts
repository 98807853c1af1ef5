import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises'
import { dirname } from 'node:path'

import { asError } from '@materials-mock/json'
import type { JsonObject } from '@materials-mock/json'
import { CatalogueError, OptionsInvalid } from '../../errors.js'
import { makeFolder } from '../../fixtures/write-files.js'

export interface RecordingInfo {
  readonly url: string
  /** The account whose lists were recorded. */
  readonly accountId: string
  /** The names of the recorded resources, separated by commas; null for all. */
  readonly resource: string | null
  readonly query: JsonObject
  /** The largest number of items of each resource; null for no limit. */
  readonly limit: number | null
  readonly redact: readonly string[]
}

/** The file with the `RecordingInfo`. Its name does not end in `.json`, because it is not a fixture. */
export const INFO_FILE = 'recording.info'

/**
 * Renames it when complete: after an error, there is none.
 * @throws OptionsInvalid if it can't be written, or the target is not empty
 */
export async function writeFolder<Result>(
  target: string,
  write: (folder: string) => Promise<Result>,
): Promise<Result> {
  const out = target.replace(/(?<=[^/])\/+$/, '')
  const folder = `${out}.partial-${randomUUID().slice(0, 8)}`
  try {
    await checkTarget(out)
    makeFolder(dirname(out))
    await mkdir(folder)
    const result = await write(folder)
    await rename(folder, out)
    return result
  } catch (error) {
    throw toOptionsInvalid(out, error)
  } finally {
    await rm(folder, { recursive: true, force: true }).catch(() => undefined) // or else it stays
  }
}

/** Removes an empty target: to give its name to another folder fails for a mount point, and for `.`. */
async function checkTarget(out: string): Promise<void> {
  if (!existsSync(out)) return
  if ((await readdir(out)).length > 0)
    throw new OptionsInvalid(`--out must be a new or an empty folder; ${out} has files`)
  await rmdir(out)
}

function toOptionsInvalid(out: string, error: unknown): unknown {
  const { code, message } = asError(error)
  if (code === undefined || error instanceof CatalogueError) return error
  return new OptionsInvalid(
    `${out} can't be written: ${message}; mend that and give the same command again, or give another --out`,
  )
}
