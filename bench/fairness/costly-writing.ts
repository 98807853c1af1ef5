import type { OutgoingRequest } from '../clients/send-request.js'
import { BASE } from '../workloads/our-path.js'
import type { CostlyWork, Target } from './costly-work.js'
import { getWith, sendJson } from './json-requests.js'

const ADMIN = '/__admin'

const createArray = <T>(length: number, create: (index: number) => T): T[] =>
  Array.from({ length }, (_, index) => create(index))

const ATOMS = createArray(150, (index) => `${((index * 7919) % 9973) / 9973} ${((index * 104_729) % 9967) / 9967} ${((index * 1299) % 9941) / 9941}`) // prettier-ignore

/** No preparation is refused, however busy the machine is. */
const PATIENT = ['--query-budget', '60000']

const get = (path: string): CostlyWork['createRequest'] => {
  return (index) => ({ method: 'GET', path, headers: { 'x-number': String(index) } })
}

/** Creates the kinds of work in which the server writes much, or reads what a deployment has written. */
export function createWritingWork({ count }: Target): CostlyWork[] {
  /** 5 MB for 100,000 materials. */
  const items = createArray(count / 20, (index) => ({ _id: `i${index}`, text: 'x'.repeat(1000) }))
  /** 1 MB for as many. */
  const texts = createArray(count / 2, (index) => `a text ${index}`)
  const putFaults = (): OutgoingRequest[] =>
    createArray(20, (index) => {
      const fault = { path: `/api/${index}`, force: true, status: 503, body: texts }
      return sendJson('POST', `${ADMIN}/faults`, fault)
    })
  return [
    {
      name: 'a scenario of ten large resources',
      maxRequests: 40,
      flags: PATIENT,
      prepare: () => createArray(10, (index) => sendJson('PUT', `${ADMIN}/fixtures/notes${index}`, items)), // prettier-ignore
      createRequest: get(`${ADMIN}/scenario`),
    },
    {
      name: 'fixtures of a large resource',
      flags: PATIENT,
      prepare: () => [sendJson('PUT', `${ADMIN}/fixtures/notes`, items)],
      createRequest: get(`${ADMIN}/fixtures/notes`),
    },
    {
      name: '20 fault rules with large bodies',
      flags: PATIENT,
      prepare: putFaults,
      createRequest: get(`${ADMIN}/faults`),
    },
    {
      name: 'a test with 20 fault rules with large bodies',
      flags: PATIENT,
      prepare: putFaults,
      createRequest: get(`${ADMIN}/requests.test?language=pytest`),
    },
    {
      name: 'a HAR of 500 bodies of 60 kB',
      flags: PATIENT,
      prepare: () => createArray(500, (index) => sendJson('PUT', `${BASE}/create`, { name: `${index}`, text: 'x'.repeat(60_000) })), // prettier-ignore
      createRequest: get(`${ADMIN}/requests.har`),
    },
    {
      name: 'a footprint of 2,000 queries',
      flags: PATIENT,
      prepare: () => createArray(2000, (index) => getWith(BASE, { query: { [`a${index}`]: 1, [`b${index}.c`]: 2 } })), // prettier-ignore
      createRequest: get(`${ADMIN}/footprint`),
    },
    {
      name: 'the symmetry of 150 atoms anywhere',
      createRequest: (index) => searchSymmetry([0, 0, 12 + index / 1e4], ATOMS),
    },
    {
      name: 'the symmetry of supercells of 125 atoms',
      createRequest: (index) => searchSymmetry([0, 0, 12 + index / 1e4], SUPERCELL),
    },
    {
      name: 'large answers of a deployment, 150 cookies',
      maxRequests: 100,
      upstream: `{"status":"success","data":${JSON.stringify(items)}}`,
      createRequest: (index) => ({
        method: 'GET',
        path: `/api/2018-10-01/notes?page=${index}`,
        headers: { cookie: createArray(150, (n) => `c${n}=a-secret-${index}-${n}`).join('; ') },
      }),
    },
  ]
}

const SUPERCELL = createArray(125, (index) => [index % 5, Math.floor(index / 5) % 5, Math.floor(index / 25)].map((n) => n / 5).join(' ')) // prettier-ignore

const searchSymmetry = (c: readonly number[], atoms: readonly string[]): OutgoingRequest =>
  sendJson('POST', `${BASE}/import`, {
    format: 'poscar',
    content: ['x', '1.0', '12 0 0', '0 12 0', c.join(' '), 'Si', `${atoms.length}`, 'direct', ...atoms].join('\n'), // prettier-ignore
  })
