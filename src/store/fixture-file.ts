import { readFileSync } from 'node:fs'

import { FixturesInvalid } from '../errors.js'
import type { CatalogueError } from '../errors.js'
import { Utf8Error, decode } from './fixture-text.js'
import { LineError, readJsonLines } from './json-lines.js'

/** What one file of fixtures holds. */
export interface FixtureFile {
  readonly file: string
  /** A list of items, if the file is right. */
  readonly items: unknown
  /** What a message calls the item with this index: `item 3`, or `line 3` of JSON Lines. */
  readonly placeOf: (index: number) => string
}

/** The endings of files of fixtures: a JSON list, or JSON Lines. */
export const FIXTURE_FILE = /\.(json|jsonl)$/

/**
 * Reads `<name>.json` or, as a stream, `<name>.jsonl`.
 * @throws FixturesInvalid with the line and column of what is not JSON
 */
export const readFixtureFile = (file: string): Promise<FixtureFile> =>
  file.endsWith('.jsonl') ? readLines(file) : readJson(file)

/** What a message calls an item of a list. */
export const itemNumber = (index: number): string => `item ${index + 1}`

/** Why a file or a folder can't be read, in words. */
export function reason(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException
  return REASONS[code] ?? message
}

const TOO_LONG =
  'it is longer than one JSON text can be; make it JSON Lines, an item a line, ending in .jsonl'

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  ENOTDIR: 'it is not a folder',
  EISDIR: 'it is a folder',
  EACCES: 'access is denied',
  ERR_STRING_TOO_LONG: TOO_LONG,
  ERR_FS_FILE_TOO_LARGE: TOO_LONG,
}

async function readJson(file: string): Promise<FixtureFile> {
  const text = readText(file)
  try {
    return { file, items: JSON.parse(text.replace(/^\uFEFF/, '')), placeOf: itemNumber }
  } catch {
    throw await notJson(file, text)
  }
}

/** Read at once: in pieces it takes longer and holds the text twice, and its parsing waits for nobody. */
function readText(file: string): string {
  try {
    return decode(readFileSync(file))
  } catch (error) {
    if (error instanceof Utf8Error) throw notUtf8(file, error)
    throw new FixturesInvalid(`${file} can't be read: ${reason(error)}`)
  }
}

async function readLines(file: string): Promise<FixtureFile> {
  try {
    const { items, lines } = await readJsonLines(file)
    return { file, items, placeOf: (index) => `line ${lines[index]}` }
  } catch (error) {
    if (error instanceof LineError) throw await notJson(file, error.text, error.line)
    if (error instanceof Utf8Error) throw notUtf8(file, error)
    throw new FixturesInvalid(`${file} can't be read: ${reason(error)}`)
  }
}

const notUtf8 = (file: string, { message }: Utf8Error): CatalogueError =>
  new FixturesInvalid(`${file} is not UTF-8: ${message}`)

async function notJson(file: string, text: string, line?: number): Promise<CatalogueError> {
  const { locateJsonError } = await import('../schemas/json-error.js')
  return new FixturesInvalid(`${file} is not JSON: ${locateJsonError(text, line)}`)
}
