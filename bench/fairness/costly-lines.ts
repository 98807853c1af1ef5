import type { OutgoingRequest } from '../clients/send-request.js'
import { BASE } from '../workloads/our-path.js'
import type { CostlyWork } from './costly-work.js'
import { getWith, sendJson } from './json-requests.js'

const ADMIN = '/__admin'

const join = (count: number, toPart: (index: number) => string, separator = ','): string =>
  Array.from({ length: count }, (_, index) => toPart(index)).join(separator)

// The long texts are written once: to write them at each request would hold the client that shares the core.
const MANY_KEYS = join(400_000, (n) => `"k${n}":0`)
const NUMBERS = join(70_000, (n) => `{"$numberInt":"${n}"}`)

/** Creates the kinds of work that are one step each unless somebody cuts it: long lines and many names. */
export const createLineWork = (): CostlyWork[] => [
  {
    name: 'a number of 40,000 digits in a CIF',
    createRequest: (index) => importCif(`${CELL}_cell_length_a ${index}${'1'.repeat(40_000)}x`),
  },
  {
    name: 'a CIF of 190 sites and 100 operations',
    createRequest: (index) =>
      importCif(
        `${CELL}_cell_length_a 0.1${index}\nloop_ _space_group_symop_operation_xyz\n${join(100, (n) => `x,y,z+${n}/200`, '\n')}\n` +
          `loop_ _atom_site_label _atom_site_fract_x _atom_site_fract_y _atom_site_fract_z\n${join(190, (n) => `Si${n} 0.${(n * 7919) % 9973} 0.5 0.${n}`, '\n')}`,
      ),
  },
  {
    name: '20,000 parameters, and the journal of them',
    createRequest: (index) =>
      index % 10 === 0
        ? getWith(`${ADMIN}/requests`, { query: { status: 400 }, projection: { limit: 20 } })
        : {
            method: 'GET',
            path: `${BASE}?${join(20_000, (n) => `${(n + index).toString(36)}=`, '&')}`,
          },
  },
  {
    name: 'a query of 2,500 new paths',
    createRequest: (index) =>
      getWith(BASE, {
        query: Object.fromEntries(Array.from({ length: 2500 }, (_, n) => [`p${index}x${n}`, n])),
      }),
  },
  {
    name: 'fixtures with an item of 400,000 keys',
    createRequest: (index) => putNotes(`{"_id":"n${index}",${MANY_KEYS}}`),
  },
  {
    name: 'fixtures with an item of 70,000 numbers of Extended JSON',
    createRequest: (index) => putNotes(`{"_id":"n${index}","a":[${NUMBERS}]}`),
  },
  {
    name: 'the OpenAPI document beside a large item',
    prepare: () => [putNotes(`{"_id":"n","a":[${join(300_000, String)}]}`)],
    createRequest: (index) => ({ method: 'GET', path: `/api/2018-10-01/swagger.json?${index}` }),
  },
  {
    name: 'snapshots after a write',
    createRequest: (index) =>
      index % 2 === 0
        ? sendJson('PUT', `${BASE}/create`, { name: `new ${index}` })
        : { method: 'PUT', path: `${ADMIN}/snapshots/${index % 20}` },
  },
]

const CELL = `data_x
_cell_length_b 5
_cell_length_c 5
_cell_angle_alpha 90
_cell_angle_beta 90
_cell_angle_gamma 90
`

const importCif = (content: string): OutgoingRequest =>
  sendJson('POST', `${BASE}/import`, { format: 'cif', content })

const putNotes = (item: string): OutgoingRequest =>
  sendJson('PUT', `${ADMIN}/fixtures/notes`, `[${item}]`)
