import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { generate } from '../src/cli/generate.js'
import { generateMaterials } from '../src/domain/materials/generate/generate-materials.js'
import type { Material } from '../src/schemas/material.js'

/** What a request needs to know of one item. */
export interface Summary {
  readonly id: string
  readonly formula: string
  /** Its `lattice.a`, in Å. */
  readonly length: number
}

/** Fixtures of one size on disk, and what is in them. */
export interface Data {
  readonly count: number
  /** The folder of fixtures: `accounts.json` and the materials. */
  readonly fixtures: string
  /** `materials.json`; JSON Lines where one text can't hold them all. */
  readonly materials: string
  /** The same for json-server: an object with a list whose items have an `id`; where it can be. */
  readonly database: string | undefined
  readonly summaries: readonly Summary[]
}

/** The one account of the fixtures, which sees every item. */
export const ACCOUNT = {
  _id: 'bench',
  username: 'bench',
  password: 'bench',
  tokens: ['bench-token'],
} as const

/** From how many items on there is no JSON text of them all: about 500 MB. */
const MAX_JSON_ITEMS = 250_000

/** Writes fixtures of so many materials into a folder; the same number gives the same ones. */
export async function makeData(folder: string, count: number): Promise<Data> {
  const format = count <= MAX_JSON_ITEMS ? 'json' : 'jsonl'
  const fixtures = join(folder, 'fixtures')
  const materials = join(fixtures, `materials.${format}`)
  await mkdir(fixtures, { recursive: true })
  await writeFile(join(fixtures, 'accounts.json'), JSON.stringify([ACCOUNT]))
  await generate({ count, seed: SEED, format, out: materials })
  const summaries = Array.from(generateMaterials(count, { seed: SEED }), summaryOf)
  if (format === 'jsonl') return { count, fixtures, materials, database: undefined, summaries }
  const database = join(folder, 'db.json')
  await writeFile(database, databaseTexts(count))
  return { count, fixtures, materials, database, summaries }
}

const SEED = 1

const summaryOf = ({ _id, formula = '', lattice }: Material): Summary => ({
  id: _id,
  formula,
  length: lattice?.a ?? 0,
})

function* databaseTexts(count: number): Generator<string> {
  yield '{"materials":['
  let separator = ''
  for (const item of generateMaterials(count, { seed: SEED })) {
    yield separator + JSON.stringify({ id: item._id, ...item })
    separator = ',\n'
  }
  yield ']}'
}
