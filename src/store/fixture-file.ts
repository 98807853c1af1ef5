import { readFileSync, statSync } from 'node:fs'

import { FixturesInvalid } from '../errors.js'
import type { CatalogueError } from '../errors.js'
import { Utf8Error, decode } from './fixture-text.js'
import { NotJson, readJsonLines } from './json-lines.js'
import { TextMemory } from './text-memory.js'

/** What one file of fixtures holds. */
export interface FixtureFile {
  readonly file: string
  /** A list of items, if the file is right. */
  readonly items: unknown
  /** For the texts of the items. */
  readonly texts: TextMemory
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

/** Read at once: in pieces it takes longer and holds the text twice, and its parsing waits for nobody. */
async function readJson(file: string): Promise<FixtureFile> {
  try {
    const bytes = readFileSync(file)
    const items = parseJson(decode(bytes))
    // The bytes of the file are of no more use; the texts of its items need about as many.
    return { file, items, texts: new TextMemory(bytes), placeOf: itemNumber }
  } catch (error) {
    throw await unreadable(file, error)
  }
}

async function readLines(file: string): Promise<FixtureFile> {
  try {
    const texts = new TextMemory(Buffer.allocUnsafeSlow(Math.min(statSync(file).size, MAX_TEXTS)))
    const { items, lines } = await readJsonLines(file)
    return { file, items, texts, placeOf: (index) => `line ${lines[index]}` }
  } catch (error) {
    throw await unreadable(file, error)
  }
}

/** The most bytes that are set aside for texts. The system gives them only as they are written. */
const MAX_TEXTS = 2 ** 31

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    throw new NotJson(text)
  }
}

async function unreadable(file: string, error: unknown): Promise<CatalogueError> {
  if (error instanceof Utf8Error)
    return new FixturesInvalid(`${file} is not UTF-8: ${error.message}`)
  if (!(error instanceof NotJson))
    return new FixturesInvalid(`${file} can't be read: ${reason(error)}`)
  const { locateJsonError } = await import('../schemas/json-error.js')
  return new FixturesInvalid(`${file} is not JSON: ${locateJsonError(error.text, error.line)}`)
}
