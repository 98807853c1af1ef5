import { createReadStream } from 'node:fs'

import { Utf8Error, decode } from './fixture-text.js'

/** The items of a file, and the number of the line that each is on. */
export interface NumberedItems {
  readonly items: readonly unknown[]
  readonly lines: readonly number[]
}

/**
 * Reads JSON Lines (https://jsonlines.org): an item a line, blank lines skipped. The file is read
 * in pieces, so that it may be longer than one text can be.
 * @throws NotJson, and what the file system throws
 */
export async function readJsonLines(file: string): Promise<NumberedItems> {
  const items: unknown[] = []
  const lines: number[] = []
  let number = 0
  for await (const piece of readLines(file))
    for (const bytes of piece) {
      number += 1
      const text = decodeLine(bytes, number)
      if (text.trim() === '') continue
      items.push(parseLine(text, number))
      lines.push(number)
    }
  return { items, lines }
}

/** Tells that a text is not JSON: a line of a file, or all of it. */
export class NotJson extends SyntaxError {
  readonly text: string
  readonly line: number | undefined

  constructor(text: string, line?: number) {
    super('not JSON')
    this.text = text
    this.line = line
  }
}

function decodeLine(bytes: Buffer, line: number): string {
  try {
    return decode(bytes)
  } catch (error) {
    throw error instanceof Utf8Error ? new Utf8Error(`line ${line}: ${error.message}`) : error
  }
}

function parseLine(text: string, line: number): unknown {
  try {
    return JSON.parse(line === 1 ? text.replace(/^\uFEFF/, '') : text)
  } catch {
    throw new NotJson(text, line)
  }
}

const PIECE_BYTES = 1 << 20
const NEWLINE = 0x0a

/**
 * The lines that end in each piece of a file; the last needs no end. Split as bytes: no other
 * character of UTF-8 has that of a newline in it.
 */
async function* readLines(file: string): AsyncGenerator<Buffer[]> {
  let open: Buffer[] = []
  for await (const piece of createReadStream(file, { highWaterMark: PIECE_BYTES })) {
    const lines: Buffer[] = []
    let start = 0
    for (let end; (end = piece.indexOf(NEWLINE, start)) !== -1; start = end + 1) {
      const bytes = piece.subarray(start, end)
      lines.push(open.length === 0 ? bytes : Buffer.concat([...open, bytes]))
      open = []
    }
    open.push(piece.subarray(start))
    yield lines
  }
  yield [Buffer.concat(open)]
}
