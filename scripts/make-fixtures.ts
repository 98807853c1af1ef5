import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { accounts } from './fixtures/accounts.js'
import { jobs } from './fixtures/jobs.js'
import { makeMaterials } from './fixtures/materials.js'
import { projects } from './fixtures/projects.js'
import { workflows } from './fixtures/workflows.js'
import type { StandardMaterial } from './fixtures/materials.js'

/**
 * The shipped fixtures, made from the standard materials: the texts of the files by their names.
 * The same input gives the same bytes; a file has one item a line, so that a diff shows items.
 */
export const makeFixtures = (standard: readonly StandardMaterial[]): Map<string, string> =>
  new Map([
    ['accounts.json', oneItemALine(accounts)],
    ['materials.json', oneItemALine(makeMaterials(standard))],
    ['projects.json', oneItemALine(projects)],
    ['workflows.json', oneItemALine(workflows)],
    ['jobs.json', oneItemALine(jobs)],
  ])

/** The structures that the fixtures are made from; NOTICE says where they come from. */
export const readStandardMaterials = (): StandardMaterial[] =>
  JSON.parse(readFileSync(new URL('standard-materials.json', import.meta.url), 'utf8'))

const oneItemALine = (items: readonly object[]): string =>
  `[\n${items.map((item) => JSON.stringify(item)).join(',\n')}\n]\n`

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [name, text] of makeFixtures(readStandardMaterials()))
    writeFileSync(new URL(`../fixtures/${name}`, import.meta.url), text)
}
