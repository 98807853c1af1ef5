import type { FastifyInstance } from 'fastify'
import t from 'tap'

import type { JsonObject } from '@materials-mock/json'
import { build, send } from '../helpers/build.js'

const WORKFLOW = { _id: 'w1', name: 'Energy', subworkflows: [{ units: [] }], units: [] }

const FIXTURES = {
  accounts: [
    { _id: 'ann', username: 'ann', password: 'x', tokens: ['ann-token'] },
    { _id: 'bob', username: 'bob', password: 'y', tokens: ['bob-token'] },
  ],
  materials: [
    { _id: 'm0', name: 'Shared', owner: { _id: 'nobody' }, isDefault: true },
    { _id: 'm1', name: 'Silicon FCC', owner: { _id: 'ann' }, isDefault: true },
    { _id: 'm2', name: 'Größe 2 (β)', slug: 'two', owner: { _id: 'ann' } },
  ],
  projects: [
    { _id: 'p1', name: 'Default', slug: 'ann-default', owner: { _id: 'ann' }, isDefault: true },
    { _id: 'p2', name: 'Second project', owner: { _id: 'ann' } },
    { _id: 'p3', name: 'Of Bob', owner: { _id: 'bob' }, isDefault: true },
  ],
  workflows: [
    WORKFLOW,
    { _id: 'w2', name: 'Of Bob', owner: { _id: 'bob' } },
    { _id: 'w3', name: 'A set', isEntitySet: true },
    { _id: 'w4', name: 'Default', owner: { _id: 'ann' }, isDefault: true },
  ],
  jobs: [],
}
const ANN = { 'x-account-id': 'ann', 'x-auth-token': 'ann-token' }

/** Creates a job, and returns it, or the data of the failure with its status. */
async function create(app: FastifyInstance, body: JsonObject): Promise<JsonObject> {
  const options = { method: 'PUT' as const, headers: ANN, payload: body }
  const response = await send(app, '/jobs/create', options)
  const { status, data } = response.json()
  return status === 'success' ? data : { ...data, status: response.statusCode }
}

t.test('a new job has what a job of the platform has', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  const start = Date.now()
  const body = {
    _project: { _id: 'p2' },
    workflow: { _id: 'w1' },
    owner: { _id: 'ann' },
    name: 'Job of Silicon (1)',
    compute: { nodes: 2, queue: 'OR', cluster: { fqdn: 'c.example' } },
    _material: { _id: 'm2' },
  }
  const job = await create(app, body)
  t.same(job.workflow, WORKFLOW, 'the workflow is embedded')
  t.same(job._project, { _id: 'p2', slug: 'second-project', cls: 'Project' })
  t.same(job._material, { _id: 'm2', slug: 'two', cls: 'Material' })
  t.same(job._materials, [job._material])
  t.same(job.compute, {
    ppn: 1,
    nodes: 2,
    queue: 'OR',
    timeLimit: '01:00:00',
    notify: 'n',
    cluster: { fqdn: 'c.example' },
    timeLimitType: 'per single attempt',
    isRestartable: true,
    arguments: {},
  })
  t.match(job, {
    status: 'pre-submission',
    slug: 'job-of-silicon-1',
    friendlySlugs: { slug: { base: 'job-of-silicon-1', index: 0 } },
    dataset: {},
    runtimeContext: {},
    inSet: [],
    tags: [],
    isDefault: false,
    isEntitySet: false,
    schemaVersion: '0.2.0',
  })
  const [first, ...rest] = job.statusTrack as JsonObject[]
  t.match(first, { status: 'pre-submission' })
  t.ok((first?.trackedAt as number) >= start && (first?.trackedAt as number) <= Date.now())
  t.same(rest, [])
})

t.test('a new job gets the defaults of the account', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  const job = await create(app, { name: 'new' })
  t.same(job._project, { _id: 'p1', slug: 'ann-default', cls: 'Project' })
  t.same(job._material, { _id: 'm1', slug: 'silicon-fcc', cls: 'Material' })
  t.match(job.workflow, { _id: 'w4' })
  t.match(job.compute, { cluster: { fqdn: 'cluster-001.example.com' } })
  const empty = await build(t, { fixtures: { accounts: FIXTURES.accounts, jobs: [] } })
  const bare = await create(empty, { name: '…', _project: { _id: 'p' }, _material: { _id: 'm' } })
  t.match(bare, { slug: 'job', _project: { _id: 'p' }, _materials: [{ _id: 'm' }] })
  t.match(bare.workflow, { name: 'Total Energy' }, 'without any workflow, one is made up')
})

t.test('a new job may have several materials, none, or a whole workflow', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  const several = await create(app, { _materials: [{ _id: 'm2' }, { _id: 'm1' }] })
  t.match(several, { _material: { _id: 'm2' }, _materials: [{ _id: 'm2' }, { _id: 'm1' }] })
  // A published notebook of a shell job sends this text.
  const none = await create(app, { _material: 'null' })
  t.match(none, { _material: 'null' })
  t.same(none._materials, [])
  const workflow = { _id: 'unknown', subworkflows: [], units: [{ name: 'a' }] }
  t.same((await create(app, { workflow })).workflow, workflow)
})

t.test('a new job refers to nothing that does not exist', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  const cases: [body: JsonObject, message: string][] = [
    [
      { workflow: { _id: 'nothing' } },
      'workflow._id must be the _id of an item of /workflows, which has no item with _id "nothing"',
    ],
    [{ workflow: { _id: 'w2' } }, 'which has no item with _id "w2"'],
    [{ workflow: { _id: 'w3' } }, 'which has a set with _id "w3"'],
    [
      { workflow: { units: [], outcome: { status: 'zzz' } } },
      'workflow.outcome.status must be "finished" or "error", not "zzz"',
    ],
    [
      { workflow: { units: [], outcome: { results: [null] } } },
      'workflow.outcome.results.0 must be an object',
    ],
    [
      { outcome: { status: 'error', unit: 'pw_scf' } },
      `outcome must name units of the job's workflow, by name or flowchartId, not "pw_scf"`,
    ],
    [
      { workflow: { units: [], outcome: { unit: 'x' } } },
      `workflow.outcome must name units of the job's workflow`,
    ],
    [{ outcome: { results: [{ unit: 'x', data: { name: 'y' } }] } }, 'or flowchartId, not "x"'],
    [{ workflow: {} }, 'workflow must be an object with an _id, not {}'],
    [{ workflow: 'w1' }, 'workflow must be'],
    [{ workflow: { _id: 5 } }, 'workflow must be an object with an _id, not {"_id":5}'],
    [{ _project: { _id: 'p3' } }, '_project._id must be the _id of an item of /projects'],
    [{ _material: { _id: 'x' } }, '_material._id must be the _id of an item of /materials'],
    [
      { _materials: [{ _id: 'm1' }, { _id: 'x' }] },
      '_materials.1._id must be the _id of an item of',
    ],
    [{ _material: 'none' }, '_material must'],
    [{ compute: 5 }, 'compute must be an object'],
  ]
  for (const [body, message] of cases) {
    const failure = await create(app, body)
    t.match(failure, { status: 400, code: 'BODY_INVALID' }, message)
    t.ok(String(failure.message).includes(message), `${String(failure.message)}: ${message}`)
  }
  const empty = await build(t, { fixtures: { accounts: FIXTURES.accounts, jobs: [] } })
  t.match(await create(empty, { workflow: { _id: 'w1' } }), { status: 400 })
  t.same((await send(app, '/jobs', { headers: ANN })).json().data, [])
})
