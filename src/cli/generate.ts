import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import { OptionsInvalid } from '../errors.js'
import { generateMaterials } from '../domain/materials/generate/generate-materials.js'
import type { GenerateOptions } from './generate-options.js'

/**
 * Writes made-up materials to a file or to the standard output, as a list with an item a line or as
 * JSON Lines. They are written as they are made, no faster than they are taken, so that any number
 * needs little memory.
 * @throws OptionsInvalid where the file can't be written
 */
export async function generate(generation: GenerateOptions): Promise<void> {
  const { out } = generation
  const texts = Readable.from(textsOf(generation))
  try {
    if (out === undefined) await pipeline(texts, process.stdout, { end: false })
    else await pipeline(texts, createWriteStream(out))
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const isReaderGone = out === undefined && code === 'EPIPE'
    if (!isReaderGone) throw new OptionsInvalid(`can't write the materials: ${message}`)
  }
}

/** The text in pieces of some items, since a write of each item would cost more than the item. */
function* textsOf({ count, seed, format }: GenerateOptions): Generator<string> {
  const [start, separator, end] = format === 'jsonl' ? ['', '\n', '\n'] : ['[\n', ',\n', '\n]\n']
  let [text, left] = [start, count]
  for (const item of generateMaterials(count, { seed })) {
    left -= 1
    text += JSON.stringify(item) + (left === 0 ? end : separator)
    if (left % ITEMS_PER_PIECE !== 0) continue
    yield text
    text = ''
  }
}

const ITEMS_PER_PIECE = 100
