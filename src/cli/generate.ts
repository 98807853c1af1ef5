import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'

import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'

import { generateMaterials } from '@materials-mock/structures'
import { OptionsInvalid } from '../errors.js'
import { OutFile, Seed, parseOptions, writeOutput } from './command.js'
import type { Command } from './command.js'

export const GenerateOptions = Type.Object(
  {
    count: Type.Integer({
      minimum: 1,
      maximum: 100_000_000, // 170 GB
      title: 'N',
      description: 'number of materials',
    }),
    seed: Seed('seed of the random numbers; the same seed gives the same materials'),
    format: Type.Union([Type.Literal('json'), Type.Literal('jsonl')], {
      default: 'json',
      title: 'json|jsonl',
      description: 'a JSON array, or JSON Lines',
    }),
    out: OutFile,
  },
  { additionalProperties: false },
)
export type GenerateOptions = Static<typeof GenerateOptions>

export const generate: Command<GenerateOptions> = {
  usage: '--count N [options]',
  summary: 'generate writes materials for fixtures of any size:',
  schema: GenerateOptions,
  parse: (flags) => {
    if (flags.count === undefined) {
      throw new OptionsInvalid(
        'give a number of materials; --count is missing: generate --count 1000',
      )
    }
    return parseOptions(GenerateOptions, flags)
  },
  run: writeMaterials,
}

/** The number of items in one chunk. A write for each item would take longer than generating the item. */
const ITEMS_PER_CHUNK = 100

/**
 * Streams them, so any number needs little memory.
 * @throws OptionsInvalid
 */
async function writeMaterials(options: GenerateOptions): Promise<boolean> {
  const { out } = options
  const chunks = generateChunks(options)
  if (out === undefined) {
    await writeOutput(chunks)
  } else {
    await pipeline(chunks, createWriteStream(out)).catch(({ message }: Error) => {
      throw new OptionsInvalid(
        `give another place for the materials; they can't be written: ${message}`,
      )
    })
  }
  return true
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
