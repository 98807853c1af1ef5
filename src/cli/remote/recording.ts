import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { CatalogueError, OptionsInvalid } from '../../errors.js'
import { makeFolder } from '../../fixtures/write-files.js'
import type { JsonObject } from '../../json/json.js'
import type { Account } from '../../store/sign-in/accounts.js'

/** The source and the options of a recording. `diff` reads it. */
export interface RecordingInfo {
  readonly url: string
  /** The account whose lists were recorded. */
  readonly accountId: string
  readonly query: JsonObject
  /** The largest number of items of each resource; null for no limit. */
  readonly limit: number | null
  readonly redact: readonly string[]
}

/** The file with the `RecordingInfo`. Its name does not end in `.json`, because it is not a fixture. */
export const INFO_FILE = 'recording.info'

/**
 * A folder of fixtures that is written under another name, and renamed when it is complete. All methods
 * throw the errors of `node:fs`, which `toOptionsInvalid` describes.
 */
export class Recording {
  /** The folder while the recording is incomplete. */
  readonly folder: string
  readonly #out: string

  private constructor(out: string) {
    this.#out = out
    this.folder = `${out}.partial-${randomUUID().slice(0, 8)}`
  }

  /**
   * Creates the folder.
   * @throws OptionsInvalid if the target is not empty, or if it can't be written
   */
  static async open(target: string, info: RecordingInfo): Promise<Recording> {
    const out = target.replace(/(.)\/+$/, '$1')
    const recording = new Recording(out)
    try {
      await checkTarget(out)
      makeFolder(dirname(out))
      await mkdir(recording.folder)
      await writeFile(join(recording.folder, INFO_FILE), toText(info))
    } catch (error) {
      await recording.close()
      throw toOptionsInvalid(out, error)
    }
    return recording
  }

  /** Writes the items of a resource. */
  async write(resource: string, items: Iterable<JsonObject>): Promise<void> {
    await writeFile(join(this.folder, `${resource}.jsonl`), toLines(items))
  }

  /** Writes the accounts, and gives the folder its name. */
  async finish(accounts: readonly Account[]): Promise<void> {
    await writeFile(join(this.folder, 'accounts.json'), toText(accounts))
    await rename(this.folder, this.#out)
  }

  /** Removes the folder, if it has not got its name. A folder that can't be removed stays. */
  async close(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true }).catch(() => undefined)
  }
}

const toText = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`

function* toLines(items: Iterable<JsonObject>): Generator<string> {
  for (const item of items) yield `${JSON.stringify(item)}\n`
}

/** Removes an empty target: to give its name to another folder fails for a mount point, and for `.`. */
async function checkTarget(out: string): Promise<void> {
  if (!existsSync(out)) return
  if ((await readdir(out)).length > 0)
    throw new OptionsInvalid(`--out must be a new or an empty folder; ${out} has files`)
  await rmdir(out)
}

/** Describes an error of a file or a folder of a recording. Returns any other error as it is. */
export function toOptionsInvalid(out: string, error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === undefined || error instanceof CatalogueError) return error
  return new OptionsInvalid(
    `${out} can't be written: ${message}; mend that and give the same command again, or give another --out`,
  )
}
