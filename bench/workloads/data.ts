import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import type { Material } from '@materials-mock/api'
import { generateMaterials } from '@materials-mock/structures'
import { generate } from '../../src/cli/generate.js'

/** The values of an item that requests refer to. */
export interface Summary {
  readonly id: string
  readonly formula: string
  /** Its `lattice.a`, in Å. */
  readonly length: number
}

/** The files with the items of one measurement. */
export interface Data {
  readonly count: number
  /** The folder of fixtures: `accounts.json` and the materials. */
  readonly fixtures: string
  /** `materials.json`, or `materials.jsonl` if one string cannot hold all items. */
  readonly materials: string
  /**
   * The file of json-server: an object with an array of the same items, each with an `id`; undefined
   * if one string cannot hold all items.
   */
  readonly database: string | undefined
  readonly summaries: readonly Summary[]
}

/** The only account of the fixtures. It sees every item. */
export const ACCOUNT = {
  _id: 'bench',
  username: 'bench',
  password: 'bench',
  tokens: ['bench-token'],
} as const

/** The largest number of items that fit into one JSON text: about 500 MB. */
const MAX_JSON_ITEMS = 250_000

/** Writes the files of the items to a folder. The same count gives the same items. */
export async function createData(folder: string, count: number): Promise<Data> {
  const format = count <= MAX_JSON_ITEMS ? 'json' : 'jsonl'
  const fixtures = join(folder, 'fixtures')
  const materials = join(fixtures, `materials.${format}`)
  await mkdir(fixtures, { recursive: true })
  await writeFile(join(fixtures, 'accounts.json'), JSON.stringify([ACCOUNT]))
  await generate.run({ count, seed: SEED, format, out: materials })
  const summaries = Array.from(generateMaterials(count, { seed: SEED }), toSummary)
  if (format === 'jsonl') return { count, fixtures, materials, database: undefined, summaries }
  const database = join(folder, 'db.json')
  await writeFile(database, formatDatabase(count))
  return { count, fixtures, materials, database, summaries }
}

const SEED = 1

const toSummary = ({ _id, formula = '', lattice }: Material): Summary => ({
  id: _id,
  formula,
  length: lattice?.a ?? 0,
})

function* formatDatabase(count: number): Generator<string> {
  yield '{"materials":['
  let separator = ''
  for (const item of generateMaterials(count, { seed: SEED })) {
    yield separator + JSON.stringify({ id: item._id, ...item })
    separator = ',\n'
  }
  yield ']}'
}
