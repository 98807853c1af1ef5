import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import { generateMaterials } from '../domain/materials/generate/generate-materials.js'
import { OptionsInvalid } from '../errors.js'
import type { GenerateOptions } from './generate-options.js'

/** The number of items in one chunk. A write for each item would cost more than the item. */
const ITEMS_PER_CHUNK = 100

/**
 * Writes generated materials to a file or to standard output, as a JSON array with one item a line
 * or as JSON Lines. It streams them, so that any number of them needs little memory.
 * @throws OptionsInvalid for a file that can't be written
 */
export async function generate(options: GenerateOptions): Promise<void> {
  const { out } = options
  const chunks = Readable.from(generateChunks(options))
  try {
    if (out === undefined) await pipeline(chunks, process.stdout, { end: false })
    else await pipeline(chunks, createWriteStream(out))
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const isOutputClosed = out === undefined && code === 'EPIPE'
    if (!isOutputClosed) {
      throw new OptionsInvalid(
        `give another place for the materials; they can't be written: ${message}`,
      )
    }
  }
}

function* generateChunks({ count, seed, format }: GenerateOptions): Generator<string> {
  const [start, separator, end] = format === 'jsonl' ? ['', '\n', '\n'] : ['[\n', ',\n', '\n]\n']
  let [chunk, left] = [start, count]
  for (const item of generateMaterials(count, { seed })) {
    left -= 1
    chunk += JSON.stringify(item) + (left === 0 ? end : separator)
    if (left % ITEMS_PER_CHUNK !== 0) continue
    yield chunk
    chunk = ''
  }
}
