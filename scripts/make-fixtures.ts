import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import type { JsonObject } from '@materials-mock/json'
import { ACCOUNTS } from './fixtures/accounts.js'
import { createBondLengths } from './fixtures/bond-lengths.js'
import { JOBS } from './fixtures/jobs.js'
import { createTrainWorkflow } from './fixtures/machine-learning.js'
import { createBankMaterials, createMaterials } from './fixtures/materials.js'
import type { StandardMaterial } from './fixtures/materials.js'
import { PROJECTS } from './fixtures/projects.js'
import {
  createJobResults,
  createMetaproperties,
  createRawProperties,
  createRefinedProperties,
} from './fixtures/results.js'
import { MEASUREMENTS, SAMPLES } from './fixtures/samples.js'
import { WORKFLOWS, createBankWorkflows } from './fixtures/workflows.js'

/**
 * Makes the shipped fixtures from the standard materials. The same input gives the same bytes.
 * @returns the texts of the files by name, with one item per line, so that a diff shows items
 */
export function makeFixtures(standardMaterials: readonly StandardMaterial[]): Map<string, string> {
  const materials = createMaterials(standardMaterials) as unknown as JsonObject[]
  const properties = createJobResults('properties', JOBS, materials)
  return new Map([
    ['accounts.json', formatItems(ACCOUNTS)],
    ['bank-materials.json', formatItems(createBankMaterials(standardMaterials))],
    ['bank-workflows.json', formatItems([...createBankWorkflows(), createTrainWorkflow()])],
    ['materials.json', formatItems(materials)],
    ['projects.json', formatItems(PROJECTS)],
    ['workflows.json', formatItems(WORKFLOWS)],
    ['jobs.json', formatItems(JOBS)],
    ['properties.json', formatItems(properties)],
    ['raw-properties.json', formatItems(createRawProperties(properties))],
    ['refined-properties.json', formatItems(createRefinedProperties(properties))],
    ['metaproperties.json', formatItems(createMetaproperties(JOBS))],
    ['charges.json', formatItems(createJobResults('charges', JOBS, materials))],
    ['samples.json', formatItems(SAMPLES)],
    ['measurements.json', formatItems(MEASUREMENTS)],
  ])
}

/** Reads the structures that the fixtures are made from. NOTICE has their source. */
export const readStandardMaterials = (): StandardMaterial[] =>
  JSON.parse(readFileSync(new URL('standard-materials.json', import.meta.url), 'utf8'))

/** The lengths of bonds from which the results of jobs are made up. They are loaded at the next start. */
export const BOND_LENGTHS = new URL(
  '../packages/structures/data/bond-lengths.json',
  import.meta.url,
)

const formatItems = (items: readonly object[]): string =>
  `[\n${items.map((item) => JSON.stringify(item)).join(',\n')}\n]\n`

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const lengths = Object.entries(createBondLengths(readStandardMaterials()))
  const lines = lengths.map(([pair, each]) => `  ${JSON.stringify(pair)}: ${JSON.stringify(each)}`)
  writeFileSync(BOND_LENGTHS, `{\n${lines.join(',\n')}\n}\n`)
  for (const [name, text] of makeFixtures(readStandardMaterials()))
    writeFileSync(new URL(`../fixtures/${name}`, import.meta.url), text)
}
