import type { OutgoingRequest } from '../clients/send-request.js'
import { BASE } from '../workloads/our-path.js'
import type { CostlyWork, Target } from './costly-work.js'
import { getWith, sendJson, toSlowPattern } from './json-requests.js'

const ADMIN = '/__admin'
const SNAPSHOT = `${ADMIN}/snapshots/fairness`

/** The number of records in the journal that is queried. */
const JOURNAL_SIZE = 100_000

/** Creates the kinds of work of the controls. */
export const createControlWork = ({ ids }: Target): CostlyWork[] => [
  {
    name: 'explain of a costly pattern',
    createRequest: (index) =>
      getWith(`${ADMIN}/explain/materials`, { query: { name: { $regex: toSlowPattern(index) } } }),
  },
  {
    name: 'snapshot, reset and restore in a loop',
    prepare: () => [{ method: 'PUT', path: SNAPSHOT }],
    createRequest: (index) =>
      STATE_CHANGES[index % STATE_CHANGES.length] as (typeof STATE_CHANGES)[0],
  },
  {
    name: 'fault rules with many wildcards',
    prepare: () =>
      Array.from({ length: 20 }, (_, index) =>
        sendJson('POST', `${ADMIN}/faults`, {
          path: `/api/${'*a'.repeat(index + 5)}*b`,
          force: true,
          status: 503,
        }),
      ),
    createRequest: (index) => ({ method: 'GET', path: `/api/${'a'.repeat(200)}${index}` }),
  },
  {
    name: 'journal of 100,000 requests, pattern',
    flags: ['--journal', String(JOURNAL_SIZE)],
    prepare: function* prepare() {
      for (let index = 0; index < JOURNAL_SIZE; index += 1)
        yield { method: 'GET', path: `${BASE}/${ids[index % ids.length]}?request=${index}` }
    },
    createRequest: (index) =>
      getWith(`${ADMIN}/requests`, { query: { path: { $regex: toSlowPattern(index) } } }),
  },
  {
    name: 'a default among 10,000 defaults',
    prepare: () => [replaceSamples()],
    createRequest: (index) =>
      index % 2 === 0
        ? sendJson('POST', `/api/2018-10-01/samples/p${index}/set-default`, {})
        : replaceSamples(),
  },
]

/** Every account sees these samples, so that a new default takes the place of all of them. */
const replaceSamples = (): OutgoingRequest =>
  sendJson(
    'PUT',
    `${ADMIN}/fixtures/samples`,
    Array.from({ length: 10_000 }, (_, index) => ({ _id: `p${index}`, isDefault: true })),
  )

const STATE_CHANGES = [
  { method: 'PUT', path: SNAPSHOT },
  { method: 'POST', path: `${ADMIN}/reset` },
  { method: 'POST', path: `${SNAPSHOT}/restore` },
] as const
