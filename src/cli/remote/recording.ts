import { existsSync } from 'node:fs'
import {
  appendFile,
  readFile,
  readdir,
  rename,
  rm,
  rmdir,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'

import { CatalogueError, OptionsInvalid } from '../../errors.js'
import { lockFolder } from '../../fixtures/state/lock-folder.js'
import type { FolderLock } from '../../fixtures/state/lock-folder.js'
import { makeFolder } from '../../fixtures/write-files.js'
import { isJsonObject, parseIfJson } from '../../json/json.js'
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

/** The part of a resource that was recorded before an interruption. */
export interface Progress {
  readonly count: number
  /** The `_id` of the last item. */
  readonly last: string | undefined
}

/**
 * A folder of fixtures that is written page by page under another name, and renamed when it is
 * complete. An interrupted recording is continued. All methods throw the errors of `node:fs`, which
 * `toOptionsInvalid` describes.
 */
export class Recording {
  /** The folder while the recording is incomplete. */
  readonly folder: string
  readonly #out: string
  /** Lets no other recording write to the folder. */
  #lock: FolderLock | undefined

  private constructor(out: string) {
    this.#out = out
    this.folder = `${out}.partial`
  }

  /**
   * Creates the folder, or finds the folder of an interrupted recording.
   * @throws OptionsInvalid if the target is not empty, if a recording with other options was
   *   interrupted, if another process writes to the folder, or if it can't be written
   */
  static async open(target: string, info: RecordingInfo): Promise<Recording> {
    const out = target.replace(/(.)\/+$/, '$1')
    const recording = new Recording(out)
    const file = join(recording.folder, INFO_FILE)
    try {
      await checkTarget(out)
      makeFolder(recording.folder)
      recording.#lock = await lockFolder(recording.folder).catch(({ message }: Error) => {
        throw new OptionsInvalid(`--out ${out} can't be written: ${message}`)
      })
      const text = `${JSON.stringify(info, undefined, 2)}\n`
      const hasItems = (await readdir(recording.folder)).some((name) => name.includes('.jsonl'))
      if (!hasItems || !existsSync(file)) {
        await writeFile(file, text)
      } else if ((await readFile(file, 'utf8')) !== text) {
        throw new OptionsInvalid(
          `give the same options to continue the interrupted recording ${recording.folder}, or delete it; it was made with others`,
        )
      }
    } catch (error) {
      await recording.close()
      throw toOptionsInvalid(out, error)
    }
    return recording
  }

  /** Returns the number of items of a complete resource; undefined for an incomplete one. */
  async countComplete(resource: string): Promise<number | undefined> {
    const file = this.#file(resource)
    return existsSync(file) ? splitLines(await readFile(file)).length : undefined
  }

  /**
   * Returns the recorded part of a resource. Removes an incomplete line.
   * @throws OptionsInvalid for a damaged line
   */
  async readProgress(resource: string): Promise<Progress> {
    const part = this.#part(resource)
    if (!existsSync(part)) return { count: 0, last: undefined }
    const bytes = await readFile(part)
    const end = bytes.lastIndexOf('\n') + 1
    if (end < bytes.length) await truncate(part, end)
    const lines = splitLines(bytes.subarray(0, end))
    return { count: lines.length, last: lines.map((line) => idOf(line, part)).at(-1) }
  }

  /** Adds a page to a resource. */
  async append(resource: string, items: readonly JsonObject[]): Promise<void> {
    await appendFile(
      this.#part(resource),
      items.map((item) => `${JSON.stringify(item)}\n`).join(''),
    )
  }

  /**
   * Completes a resource: its items get the order of a list without a sort.
   * @param order the `_id`s of items in this order. Other items follow
   * @returns the number of items
   * @throws OptionsInvalid for a damaged line
   */
  async complete(resource: string, order: ReadonlySet<string>): Promise<number> {
    const part = this.#part(resource)
    await this.append(resource, [])
    const lines = splitLines(await readFile(part))
    const byId = new Map(lines.map((line) => [idOf(line, part), line]))
    const ordered = [...order].flatMap((id) => byId.get(id) ?? [])
    const others = [...byId].filter(([id]) => !order.has(id)).map(([, line]) => line)
    const sorted = [...ordered, ...others]
    await writeFile(`${part}.sorted`, Buffer.concat(sorted.flatMap((line) => [line, NEWLINE])))
    await rename(`${part}.sorted`, this.#file(resource))
    await rm(part)
    return sorted.length
  }

  /** Writes the accounts, and gives the folder its name. */
  async finish(accounts: readonly Account[]): Promise<void> {
    const text = `${JSON.stringify(accounts, undefined, 2)}\n`
    await writeFile(join(this.folder, 'accounts.json'), text)
    await this.close()
    await rename(this.folder, this.#out)
  }

  /** Lets another process continue the recording. A lock that can't be removed ends with this process. */
  async close(): Promise<void> {
    await this.#lock?.unlock().catch(() => undefined)
  }

  #file(resource: string): string {
    return join(this.folder, `${resource}.jsonl`)
  }

  #part(resource: string): string {
    return `${this.#file(resource)}.part`
  }
}

const NEWLINE = Buffer.from('\n')

/** Splits lines without decoding them: a file may be longer than a string can be. */
function splitLines(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = []
  for (let start = 0, end; (end = bytes.indexOf(NEWLINE, start)) !== -1; start = end + 1)
    lines.push(bytes.subarray(start, end))
  return lines
}

/** @throws OptionsInvalid for a line that is no item */
function idOf(line: Buffer, file: string): string {
  const item = parseIfJson(String(line))
  if (isJsonObject(item) && typeof item._id === 'string') return item._id
  throw new OptionsInvalid(
    `delete ${file}, and give the same command again; it is damaged: a line is no item`,
  )
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
