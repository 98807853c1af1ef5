import { readFileSync, readdirSync } from 'node:fs'

import { listUnits } from '@materials-mock/api'
import type { JsonObject } from '@materials-mock/json'
import {
  choosePath,
  computeElectrons,
  createNumbers,
  createStructureModel,
  listPathPoints,
  loadEigenvalues,
  makePropertyData,
} from '@materials-mock/structures'
import { runToEnd } from '@materials-mock/work'
import { buildApp } from '../../src/server/app.js'
import { createEsseValidator } from './platform-packages.js'
import type { EsseValidator } from './platform-packages.js'
import { Report } from './report.js'

const ENTITY = 'in-memory-entity/named-defaultable-has-metadata'

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
  'raw-properties': 'property/holder',
  'refined-properties': 'property/holder',
  // They have no schema of their own, but the schema of every named entity with metadata.
  samples: ENTITY,
  measurements: ENTITY,
}

const FIXTURES = new URL('../../fixtures/', import.meta.url)

const readItems = (resource: string): JsonObject[] =>
  JSON.parse(readFileSync(new URL(`${resource}.json`, FIXTURES), 'utf8'))

const validators = new Map<string, EsseValidator>()

/** Validates an item against a schema. */
function validateAs(schema: string, where: string, item: JsonObject): void {
  const isValid = validators.get(schema) ?? createEsseValidator(schema)
  validators.set(schema, isValid)
  // The validator fills in defaults.
  if (isValid(structuredClone(item))) report.add(schema, [])
  for (const { instancePath, message } of isValid.errors ?? [])
    report.add(`${schema} ${instancePath} ${message}`, [where])
}

/** Validates items of a resource, and the units of each. */
function validate(resource: string, where: string, items: readonly JsonObject[]): void {
  for (const item of items) {
    const name = `${where}, ${String(item._id)}`
    validateAs(SCHEMAS[resource] ?? '', name, item)
    validateAs('system/timestampable', name, item)
    const isJob = resource.endsWith('jobs')
    if (!isJob && !resource.endsWith('workflows')) continue
    const units = listUnits(isJob ? item : { workflow: item })
    if (units.length === 0) throw new Error(`${name} must have units`)
    for (const { unit } of units) validateAs('workflow/unit', `${name}, ${String(unit.name)}`, unit)
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
  await create('samples', '/create', { name: 'sample', metadata: { diameter: '100 mm' } })
  await create('measurements', '/create', { name: 'measurement' })
  await create('samples', '/create-set', { name: 'set' })
  await app.close()
}

/** The time that a job is active, in ms. */
const DURATION = 60_000

/**
 * Runs jobs in a server with the shipped fixtures: for each workflow, a job that finishes and a job
 * that fails. Each is validated after each part of the time, and so are its results.
 */
async function validateRunning(): Promise<void> {
  const { now } = Date
  let elapsed = 0
  Date.now = () => now() + elapsed
  const app = await buildApp({ jobDuration: DURATION })
  const [account] = readItems('accounts')
  const [token] = (account?.tokens ?? []) as string[]
  const headers = { 'x-account-id': String(account?._id), 'x-auth-token': token }
  const send = async (method: 'GET' | 'PUT' | 'POST', path: string, payload?: object) => {
    const url = `/api/2018-10-01${path}`
    const response = await app.inject({ method, url, headers, ...(payload && { payload }) })
    if (response.statusCode !== 200) throw new Error(`${method} ${url}: ${response.body}`)
    return response.json().data
  }
  const ids: string[] = []
  for (const workflow of readItems('workflows')) {
    for (const outcome of [undefined, { status: 'error' }]) {
      const job = { name: 'job', workflow: { _id: workflow._id }, ...(outcome && { outcome }) }
      const { _id } = await send('PUT', '/jobs/create', job).catch(() => ({}))
      if (_id === undefined) continue // the workflow belongs to another account
      await send('POST', `/jobs/${_id}/submit`)
      ids.push(_id)
    }
  }
  const statuses = new Set<string>()
  for (; elapsed <= 2 * DURATION; elapsed += DURATION / 7) {
    for (const id of ids) {
      const job = await send('GET', `/jobs/${id}`)
      statuses.add(job.status)
      validate('jobs', `a job after ${elapsed} ms`, [job])
    }
  }
  const missing = ['submitted', 'active', 'finished', 'error'].filter((each) => !statuses.has(each))
  if (missing.length > 0) throw new Error(`no job was ${missing.join(', ')}`)
  const query = encodeURIComponent(JSON.stringify({ 'source.info.jobId': { $in: ids } }))
  const properties = await send('GET', `/properties?query=${query}`)
  if (properties.length === 0) throw new Error('no job has a result')
  validate('properties', 'a result', properties)
  await app.close()
  Date.now = now
}

/** Validates the results of electrons of the shipped materials, also those of heavy elements. */
async function validateElectrons(): Promise<void> {
  await loadEigenvalues()
  for (const material of readItems('materials')) {
    const model = createStructureModel(material)
    const path = listPathPoints(choosePath(model?.cell)).slice(0, 2)
    const electrons = model && runToEnd(computeElectrons(model, path))
    const numbers = createNumbers('')
    for (const name of ['band-gaps', 'band-structure', 'density-of-states', 'fermi-energy']) {
      const input = { model, path, electrons, numbers, unitNumbers: numbers }
      const data = makePropertyData(name.replaceAll('-', '_'), input)
      const folder = name === 'fermi-energy' ? 'scalar' : 'non-scalar'
      validateAs(`properties-directory/${folder}/${name}`, String(material.name), data)
    }
  }
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
await validateRunning()
await validateElectrons()
report.end()
