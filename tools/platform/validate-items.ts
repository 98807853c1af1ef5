import { readFileSync, readdirSync } from 'node:fs'

import { buildApp } from '../../src/server/app.js'
import type { JsonObject } from '../../src/json/json.js'
import { createEsseValidator } from './platform-packages.js'
import { Report } from './report.js'

/** The schemas of `esse` for the items of our resources. */
const SCHEMAS: Readonly<Record<string, string>> = {
  materials: 'material',
  'bank-materials': 'material',
  workflows: 'workflow',
  'bank-workflows': 'workflow',
  jobs: 'job',
  projects: 'project',
  properties: 'property/holder',
  metaproperties: 'property/meta-holder',
}

const FIXTURES = new URL('../../fixtures/', import.meta.url)

const readItems = (resource: string): JsonObject[] =>
  JSON.parse(readFileSync(new URL(`${resource}.json`, FIXTURES), 'utf8'))

function validate(resource: string, where: string, items: readonly JsonObject[]): void {
  const schema = SCHEMAS[resource] ?? ''
  const isValid = createEsseValidator(schema)
  for (const item of items) {
    // The validator fills in defaults.
    if (isValid(structuredClone(item))) report.add(schema, [])
    for (const { instancePath, message } of isValid.errors ?? [])
      report.add(`${schema} ${instancePath} ${message}`, [`${where}, ${String(item._id)}`])
  }
}

/** Creates items of every resource in a server with the shipped fixtures, and validates the answers. */
async function validateCreated(): Promise<void> {
  const app = await buildApp()
  const [account] = readItems('accounts')
  const [token] = (account?.tokens ?? []) as string[]
  const headers = { 'x-account-id': String(account?._id), 'x-auth-token': token }
  const create = async (resource: string, path: string, payload: object): Promise<JsonObject> => {
    const url = `/api/2018-10-01/${resource}${path}`
    const method = path === '/import' ? 'POST' : 'PUT'
    const response = await app.inject({ method, url, headers, payload })
    const { data, message } = response.json()
    if (response.statusCode !== 200) throw new Error(`${method} ${url}: ${message}`)
    validate(resource, `the answer of ${method} ${url}`, [data])
    return data
  }
  const silicon = readItems('materials').find((each) => each.name === 'Silicon FCC')
  const { name, lattice, basis } = silicon ?? {}
  const material = await create('materials', '/create', { name, lattice, basis })
  const workflow = await create('workflows', '/create', readItems('workflows')[0] ?? {})
  await create('projects', '/create', { name: 'project' })
  await create('materials', '/import', { content: POSCAR, format: 'poscar' })
  await create('materials', '/import', { content: CIF, format: 'cif' })
  await create('jobs', '/create', {
    name: 'job',
    workflow: { _id: workflow._id },
    _material: { _id: material._id },
  })
  await app.close()
}

const POSCAR = 'Po\n1.0\n3.35 0 0\n0 3.35 0\n0 0 3.35\nPo\n1\nDirect\n0 0 0\n'

const CIF = [
  'data_Po',
  ...['a', 'b', 'c'].map((edge) => `_cell_length_${edge} 3.35`),
  ...['alpha', 'beta', 'gamma'].map((angle) => `_cell_angle_${angle} 90`),
  "_symmetry_space_group_name_H-M 'P m -3 m'",
  "loop_ _symmetry_equiv_pos_as_xyz 'x,y,z' '-x,-y,-z'",
  'loop_ _atom_site_label _atom_site_fract_x _atom_site_fract_y _atom_site_fract_z Po1 0 0 0',
].join('\n')

/** Validates the shipped fixtures and what creates answer against the schemas of `esse`. */
const report = new Report('schemas')
for (const file of readdirSync(FIXTURES)) {
  const resource = file.replace(/\.json$/, '')
  if (resource in SCHEMAS) validate(resource, file, readItems(resource))
  else console.log(`schemas: esse has none for ${file}`)
}
await validateCreated()
report.end()
