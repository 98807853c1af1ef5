import { createHash } from 'node:crypto'

import t from 'tap'

import { createClient } from '@materials-mock/client'
import type { JsonObject } from '@materials-mock/json'
import {
  choosePath,
  createNumbers,
  createStructureModel,
  listPathPoints,
  makePropertyData,
} from '@materials-mock/structures'
import { startMock } from '../../src/mock/start-mock.js'
import { NACL, SILICON, createMaterial } from '../../packages/structures/test/structures.js'

// What is made up must stay the same from version to version: tests and stories of users show it. Whoever
// changes it on purpose writes the new digests here.

const digest = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 8)

const MODELS = [
  undefined,
  SILICON,
  NACL,
  createMaterial(
    [2.87, 2.87, 2.87],
    [
      ['Fe', 0, 0, 0],
      ['Fe', 0.5, 0.5, 0.5],
    ],
  ),
].map((material) => createStructureModel(material as JsonObject | undefined))

const PROPERTIES: Readonly<Record<string, string>> = {
  zero_point_energy: '6fca9b89',
  surface_energy: '1b324f81',
  interfacial_energy: '6ebe1a9d',
  formation_energy: '73beb892',
  defect_formation_energy: 'a3b43ba4',
  reaction_energy_barrier: '5026b0ca',
  valence_band_offset: 'b4d4e1af',
  ionization_potential: 'b84eaf5e',
  electron_affinity: '75ea3c51',
  homo_energy: 'bc9364b8',
  lumo_energy: '8f7237bf',
  thermal_correction_to_energy: 'c4c643bf',
  thermal_correction_to_enthalpy: '8249f972',
  total_energy: 'c4f9f701',
  fermi_energy: '18bb8b3f',
  pressure: '51a0b0df',
  stress_tensor: '0aed70ec',
  atomic_forces: '3cdae7d8',
  total_force: '6fba1a26',
  magnetic_moments: '54ba9aa4',
  band_gaps: '720563d8',
  total_energy_contributions: '03c97530',
  convergence_electronic: '5326f818',
  convergence_ionic: '4f79a0b0',
  band_structure: '0161dd5b',
  density_of_states: '482f752b',
  phonon_dispersions: 'bf7fd106',
  phonon_dos: '171ef029',
  reaction_energy_profile: 'ff0c6417',
  potential_profile: '53c9e1bb',
  average_potential_profile: 'df52578d',
  charge_density_profile: 'a0ce7aa3',
  anything: '8205fac2',
}

t.test('the data of a property follow from its structure and its unit', async (t) => {
  for (const [name, expected] of Object.entries(PROPERTIES)) {
    const data = MODELS.flatMap((model, index) =>
      ['once', 'twice'].map(() =>
        makePropertyData(name, {
          model,
          path: listPathPoints(choosePath(model?.cell)),
          unitNumbers: createNumbers(`unit ${index}`),
          numbers: createNumbers(`${name} ${index}`),
        }),
      ),
    )
    t.equal(digest(data), expected, name)
  }
})

/** Items of each resource, from what has nothing to what has much. */
const SEEDS = {
  materials: [
    {},
    { formula: 'SiO2' },
    { unitCellFormula: 'Fe2 O3' },
    { lattice: { a: 4 }, formula: 'NaCl' },
    { basis: SILICON.basis },
  ],
  workflows: [{}, { name: 'W' }],
  jobs: [
    {},
    { status: 'submitted' },
    { status: 'active' },
    { status: 'finished' },
    { status: 'error' },
  ],
  projects: [{}, { name: 'P' }],
} as const

const SEEDED: Readonly<Record<string, readonly string[]>> = {
  materials: ['f823cd5b', '94372525', '14403738', '14b100c3', '1be39273'],
  workflows: ['1be5f83a', 'd5d85d74'],
  jobs: ['a3fe9742', 'ea1f2cb1', 'a29e559c', 'a5899a2f', 'a4c4f5b5'],
  projects: ['a6287f82', '50e81c7b'],
}

t.test('what a seed leaves out follows from its number', async (t) => {
  const fixtures = Object.fromEntries(Object.keys(SEEDS).map((resource) => [resource, []]))
  const mock = await startMock({ fixtures, logLevel: 'silent' })
  t.teardown(() => mock.close())
  await mock.clock.freeze()
  await mock.clock.set('2026-01-01T00:00:00Z')
  const items = mock.seed(SEEDS as never, { seed: 7 })
  for (const [resource, expected] of Object.entries(SEEDED))
    t.same(items[resource]?.map(digest), expected, resource)
})

/** The digests of all files of the shipped jobs by `job/file`. */
const FILES: Readonly<Record<string, string>> = {
  'WcTtK8e6rPQPWSEm9/pw_scf.in': 'b5f619e0',
  'WcTtK8e6rPQPWSEm9/pw_scf.out': 'f57389a8',
  'WcTtK8e6rPQPWSEm9/job.log': '12e702b9',
  '9gyhfncWDhnSyzALv/pw_scf.in': '0d7ec18b',
  '9gyhfncWDhnSyzALv/pw_bands.in': 'dd143d26',
  '9gyhfncWDhnSyzALv/bands.in': 'c6023895',
  '9gyhfncWDhnSyzALv/pw_scf.out': 'f57389a8',
  '9gyhfncWDhnSyzALv/pw_bands.out': '2f774893',
  '9gyhfncWDhnSyzALv/bands.out': 'a655ed5a',
  '9gyhfncWDhnSyzALv/job.log': '8913a16b',
  '47zFcQDS7qzypK5tb/pw_scf.in': 'a4ccf97e',
  '47zFcQDS7qzypK5tb/pw_bands.in': '6a052958',
  '47zFcQDS7qzypK5tb/bands.in': 'e72fa303',
  '47zFcQDS7qzypK5tb/pw_scf.out': '70d3a412',
  '47zFcQDS7qzypK5tb/job.log': '450a6e48',
  'PXXLcTqARQjPpQEEo/pw_scf.in': 'c0a0cb3f',
  'PXXLcTqARQjPpQEEo/job.log': '76e29f19',
  'NLgx2whEMpagh6Rvp/pw_scf.in': '1ac31a3a',
  'NLgx2whEMpagh6Rvp/pw_bands.in': '2b505ee3',
  'NLgx2whEMpagh6Rvp/bands.in': '9538c6c0',
  'NLgx2whEMpagh6Rvp/pw_scf.out': 'f57389a8',
  'NLgx2whEMpagh6Rvp/job.log': 'b0ca17d4',
  'TBq2JzfmM5crm88zT/pw_scf.in': '83574021',
  'TBq2JzfmM5crm88zT/pw_scf.out': 'f57389a8',
  'TBq2JzfmM5crm88zT/job.log': '8740e3bc',
}

t.test('what the shipped jobs leave follows from them and from the time', async (t) => {
  const mock = await startMock({ logLevel: 'silent' })
  t.teardown(() => mock.close())
  await mock.clock.freeze()
  await mock.clock.set('2026-01-01T00:00:00Z')
  const client = createClient({ url: mock.url })
  await client.login('demo', 'demo')
  const [draft] = await client.jobs.list({ status: 'pre-submission' })
  await client.send('POST', `/jobs/${draft?._id}/submit`)
  await mock.clock.advance(86_400_000)
  const selector = { 'source.info.jobId': draft?._id ?? '' }
  const properties = await client.properties.list(selector, { sort: { _id: 1 } })
  t.equal(digest(properties.map(({ slug, data }) => [slug, data])), '656bfdba')
  const found: Record<string, string> = {}
  for (const { _id } of await client.jobs.list()) {
    const files = (await client.send('GET', `/jobs/${_id}/files`)) as Record<string, string>[]
    for (const { key = '', signedUrl = '' } of files)
      found[key.slice(key.lastIndexOf('-') + 1)] = digest(await (await fetch(signedUrl)).text())
  }
  t.same(found, FILES)
})
