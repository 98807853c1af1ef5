import type { FastifyInstance } from 'fastify'
import t from 'tap'

import type { JsonObject } from '@materials-mock/json'
import { runToEnd } from '@materials-mock/work'
import { createResults } from '../../src/jobs/job-results.js'
import { build, listUrl, logIn, send } from '../helpers/build.js'
import { replace } from '../helpers/replace.js'

type Headers = Record<string, string>

const query = async (
  app: FastifyInstance,
  headers: Headers,
  resource: string,
  selector: object,
  projection: object = {},
): Promise<JsonObject[]> =>
  (await send(app, listUrl(resource, selector, projection), { headers })).json().data

/** Copies a workflow of the bank, creates a job with it and a material, and submits it. */
async function runBankWorkflow(
  app: FastifyInstance,
  headers: Headers,
  systemName: string,
  body: JsonObject = {},
): Promise<JsonObject> {
  const [bank] = await query(app, headers, 'bank-workflows', { systemName })
  const request = async (method: 'POST' | 'PUT', url: string, payload?: JsonObject) =>
    (await send(app, url, { method, headers, ...(payload && { payload }) })).json().data
  const workflow = await request('POST', `/bank-workflows/${String(bank?._id)}/copy`)
  const config = { workflow: { _id: workflow._id }, name: systemName, ...body }
  const job = await request('PUT', '/jobs/create', config)
  await request('POST', `/jobs/${job._id}/submit`)
  return (await send(app, `/jobs/${job._id}`, { headers })).json().data
}

/** Returns the value at a dotted path of an item. */
const at = <Value = string>(item: unknown, path: string): Value =>
  path.split('.').reduce((value, key) => (value as Record<string, unknown>)[key], item) as Value

const unitIdOf = (job: JsonObject, index: number): string =>
  at(job, `workflow.subworkflows.0.units.${index}.flowchartId`)

t.test('a finished job leaves a property for each result of each unit', async (t) => {
  const app = await build(t, { jobDuration: 0 })
  const headers = await logIn(app, 'demo', 'demo')
  const job = await runBankWorkflow(app, headers, 'espresso-band-gap')
  t.equal(job.status, 'finished')
  t.same(
    (job.statusTrack as JsonObject[]).map(({ status }) => status),
    ['pre-submission', 'submitted', 'active', 'finished'],
  )
  t.match(at(job, 'compute.cluster.jid'), /^\d+\.cluster-001\.example\.com$/)

  const properties = await query(app, headers, 'properties', { 'source.info.jobId': job._id })
  const namesOf = (unitId: string) =>
    properties.filter((each) => at(each, 'source.info.unitId') === unitId).map(({ slug }) => slug)
  const [relaxation, gaps] = [unitIdOf(job, 0), unitIdOf(job, 1)]
  t.same(namesOf(relaxation), [
    'total_energy',
    'pressure',
    'atomic_forces',
    'stress_tensor',
    'final_structure',
  ])
  t.same(namesOf(gaps), ['band_gaps', 'fermi_energy'])
  for (const property of properties) {
    t.match(property, {
      _id: /^[2-9A-HJ-NP-TW-Za-km-z]{17}$/,
      owner: job.owner as JsonObject,
      group: 'qe:dft:gga:pbe',
      source: { type: 'materials-mock', info: { jobId: job._id as string } },
      precision: { metric: 'KPPRA' },
      repetition: 0,
    })
    t.ok(at<number>(property, 'precision.value') > 1)
    t.equal((property.exabyteId as unknown[]).length, 1)
    const byId = await send(app, `/properties/${String(property._id)}`, { headers })
    t.same(byId.json().data, property)
  }

  const get = async (unitId: string, name: string): Promise<JsonObject> => {
    const selector = {
      'source.info.jobId': job._id,
      'source.info.unitId': unitId,
      'data.name': name,
    }
    const found = await query(app, headers, 'properties', selector)
    t.equal(found.length, 1, name)
    return found[0]?.data as JsonObject
  }
  t.match(await get(relaxation, 'total_energy'), { units: 'eV' })
  t.ok(at<number>(await get(relaxation, 'total_energy'), 'value') < -100)
  t.ok(
    Math.abs(at<number>(await get(relaxation, 'pressure'), 'value')) < 1,
    'a relaxed cell has no pressure',
  )
  const { values } = await get(gaps, 'band_gaps')
  t.match(values, [{ type: 'direct' }, { type: 'indirect' }])
  const [direct, indirect] = (values as { value: number }[]).map(({ value }) => value)
  t.ok((direct ?? 0) >= (indirect ?? 0) && (indirect ?? 0) > 0.1 && (indirect ?? 0) < 3)

  const structure = await get(relaxation, 'final_structure')
  const material = (
    await send(app, `/materials/${String(structure.materialId)}`, { headers })
  ).json().data
  t.match(material, { formula: 'Si', owner: job.owner as JsonObject })
  t.same(structure.basis, material.basis)
  t.same(structure.lattice, material.lattice)
  t.notSame(material.lattice.a, 3.867, 'the relaxation has changed the cell')

  const jid = at(job, 'compute.cluster.jid')
  t.match(await query(app, headers, 'charges', { jid }), [{ jid, owner: job.owner as JsonObject }])
})

t.test('a charge has an amount whatever nodes the job has', async (t) => {
  const compute = { nodes: 'many', cluster: { fqdn: 'c' } }
  const fixtures = { accounts: ACCOUNTS, jobs: [toJob('odd', { compute })], charges: [] }
  const app = await build(t, { fixtures, jobDuration: 0 })
  await submit(app, 'odd')
  t.match(await query(app, ANN, 'charges', { amount: 0 }), [{ compute: { nodes: 'many' } }])
})

t.test('the numbers follow from the structure and the workflow', async (t) => {
  const app = await build(t, { jobDuration: 0 })
  const headers = await logIn(app, 'demo', 'demo')
  const run = async (formula: string): Promise<string> => {
    const [material] = await query(app, headers, 'materials', { formula })
    const job = await runBankWorkflow(app, headers, 'espresso-total-energy', {
      _material: { _id: material?._id as string },
    })
    const selector = { 'source.info.jobId': job._id }
    const properties = await query(app, headers, 'properties', selector)
    return JSON.stringify(properties.map(({ data }) => data))
  }
  const [silicon, again, germanium] = [await run('Si'), await run('Si'), await run('Ge')]
  t.equal(silicon, again)
  t.not(silicon, germanium)
})

t.test('energies over several volumes have a minimum', async (t) => {
  const app = await build(t, { jobDuration: 0 })
  const headers = await logIn(app, 'demo', 'demo')
  const [silicon] = await query(app, headers, 'materials', { name: 'Silicon FCC' })
  const energies: number[] = []
  for (const scale of [0.9, 0.94, 0.97, 1, 1.04]) {
    const lattice = at<Record<string, number>>(silicon, 'lattice')
    const [a, b, c] = ['a', 'b', 'c'].map((edge) => (lattice[edge] ?? 0) * scale)
    const payload = { name: `Si ${scale}`, basis: silicon?.basis, lattice: { ...lattice, a, b, c } }
    const created = await send(app, '/materials/create', { method: 'PUT', headers, payload })
    const job = await runBankWorkflow(app, headers, 'espresso-total-energy', {
      _material: { _id: created.json().data._id },
    })
    const selector = { 'source.info.jobId': job._id, 'data.name': 'total_energy' }
    const [property] = await query(app, headers, 'properties', selector)
    energies.push(at(property, 'data.value'))
  }
  const lowest = energies.indexOf(Math.min(...energies))
  t.ok(lowest > 0 && lowest < 4, energies.join())
})

t.test('a trained model is a workflow, which predicts for each material', async (t) => {
  const app = await build(t, { jobDuration: 0 })
  const headers = await logIn(app, 'demo', 'demo')
  const materials = await query(app, headers, 'materials', { formula: { $in: ['Si', 'Ge'] } })
  const references = materials.map(({ _id }) => ({ _id: _id as string }))
  const name = 'exabyteml-ml-linear-least-squares-train-model'
  const training = await runBankWorkflow(app, headers, name, { _materials: references })
  const selector = {
    'source.info.unitId': unitIdOf(training, 4),
    'data.name': 'workflow:ml_predict',
  }
  const [trained] = await query(app, headers, 'properties', selector)
  const _id = at(trained, 'data._id')
  const workflow = (await send(app, `/workflows/${_id}`, { headers })).json().data
  t.match(workflow, { name: 'ML: Predict Properties', owner: training.owner as JsonObject })

  const payload = { workflow: { _id }, _materials: references, name: 'predict' }
  const created = await send(app, '/jobs/create', { method: 'PUT', headers, payload })
  const job = created.json().data
  await send(app, `/jobs/${job._id}/submit`, { method: 'POST', headers })
  const [predicted] = await query(app, headers, 'properties', {
    'source.info.jobId': job._id,
    'source.info.unitId': unitIdOf(job, 3),
    'data.name': 'predicted_properties',
  })
  const values = at<Record<string, unknown>>(predicted, 'data.values')
  t.same(Object.keys(values).toSorted(), [...new Set(predicted?.exabyteId as string[])].toSorted())
  for (const each of Object.values(values))
    t.match(each, [{ name: 'band_gaps', values: [{ type: 'direct' }, { type: 'indirect' }] }])
})

t.test('a prediction is a step of work for each material', async (t) => {
  const materials = ['a', 'b', 'c'].map((_id) => ({ _id }))
  const units = [{ flowchartId: 'u', results: ['predicted_properties'] }]
  const job = { _id: 'j', workflow: { subworkflows: [{ units }] } }
  const steps = [...createResults({ job, materials, endedAt: 0 })]
  t.same(steps, Array(materials.length + 1).fill('finishing jobs'), 'and one for the property')
})

const ACCOUNTS = [
  { _id: 'ann', username: 'ann', password: 'x', tokens: ['ann-token'] },
  { _id: 'bob', username: 'bob', password: 'y', tokens: ['bob-token'] },
]
const ANN = { 'x-account-id': 'ann', 'x-auth-token': 'ann-token' }
const BOB = { 'x-account-id': 'bob', 'x-auth-token': 'bob-token' }

const WORKFLOW = {
  _id: 'w',
  subworkflows: [
    {
      units: [
        { name: 'first', flowchartId: 'u1', results: ['total_energy', { name: 'odd_one' }] },
        { name: 'second', flowchartId: 'u2', results: [{ name: 'band_gaps' }, 5, null] },
      ],
    },
  ],
}

/** Submits a job of the fixtures. */
const submit = async (app: FastifyInstance, id: string): Promise<void> => {
  const response = await send(app, `/jobs/${id}/submit`, { method: 'POST', headers: ANN })
  t.equal(response.statusCode, 200, response.payload)
}

const toJob = (_id: string, fields: JsonObject = {}): JsonObject => ({
  _id,
  status: 'pre-submission',
  owner: { _id: 'ann' },
  workflow: WORKFLOW,
  ...fields,
})

t.test('only units that run leave results, in the order in which they run', async (t) => {
  const results = ['total_energy']
  const units = [
    { flowchartId: 'last', results },
    { flowchartId: 'passed-over', results },
    // oxlint-disable-next-line unicorn/no-thenable -- the platform's name of the unit that follows
    { flowchartId: 'if', type: 'condition', then: 'last', else: 'passed-over' },
    { flowchartId: 'first', head: true, next: 'if', results },
  ]
  const jobs = [toJob('j', { workflow: { subworkflows: [{ units }] } })]
  const app = await build(t, { fixtures: { accounts: ACCOUNTS, jobs }, jobDuration: 0 })
  await submit(app, 'j')
  const properties = await query(app, ANN, 'properties', {})
  t.same(
    properties.map((each) => at(each, 'source.info.unitId')),
    ['first', 'last'],
  )
})

t.test('a result may have a name that objects of JavaScript have', async (t) => {
  const names = ['valueOf', 'constructor', '__proto__']
  const units = [{ name: 'only', flowchartId: 'u1', results: names }]
  const workflow = { _id: 'w', subworkflows: [{ units }] }
  const jobs = [toJob('j', { workflow })]
  const app = await build(t, { fixtures: { accounts: ACCOUNTS, jobs }, jobDuration: 0 })
  await submit(app, 'j')
  t.match(await query(app, ANN, 'jobs', { _id: 'j' }), [{ status: 'finished' }])
  const properties = await query(app, ANN, 'properties', {}, { sort: { slug: 1 } })
  t.match(
    properties.map(({ slug, data }) => [slug, data]),
    names.toSorted().map((name) => [name, { name, value: Number }]),
  )
})

const LOADED = { _id: 'p0', n: 1, schemaVersion: '3' }

t.test('results appear when the clock says so, in every kind of read', async (t) => {
  let now = 1_700_000_000_000
  replace(t, Date, 'now', () => now)
  const fixtures = { accounts: ACCOUNTS, jobs: [toJob('j')], properties: [LOADED] }
  const app = await build(t, { fixtures, jobDuration: 1000 })
  const count = async (): Promise<number> => (await query(app, ANN, 'properties', {})).length
  await submit(app, 'j')
  now += 1999
  t.equal(await count(), 1)
  app.store.snapshots.take('active')
  now += 1
  const health = (await app.inject({ method: 'GET', url: '/__admin/health' })).json()
  t.equal(health.data.resources.properties, 4, 'the controls see them too')
  const sorted = await query(app, ANN, 'properties', {}, { sort: { slug: -1 } })
  t.same(
    sorted.map(({ slug }) => slug),
    ['total_energy', 'odd_one', 'band_gaps', undefined],
  )
  t.equal(sorted[0]?.createdAt, new Date(now).toISOString())
  t.equal(sorted[0]?.schemaVersion, '3', 'that of the fixtures')
  t.same(await query(app, BOB, 'properties', {}), [LOADED], "they are the owner's")
  const bare = await query(app, ANN, 'properties', { slug: 'odd_one' })
  t.type(at(bare[0], 'data.value'), 'number', 'an unknown result gets a number')
  now += 100_000
  runToEnd(app.store.snapshots.restoreInSlices('active'))
  t.equal(await count(), 1, 'a restored job is as far as it was')
  now += 1
  t.equal(await count(), 4)
  app.controls.reset()
  t.equal(await count(), 1)
  t.match(await query(app, ANN, 'jobs', {}), [{ status: 'pre-submission' }])
})

t.test('a job that is deleted before its end leaves nothing', async (t) => {
  let now = 1_700_000_000_000
  replace(t, Date, 'now', () => now)
  const fixtures = { accounts: ACCOUNTS, jobs: [toJob('j'), toJob('k')] }
  const app = await build(t, { fixtures, jobDuration: 10 })
  for (const id of ['j', 'k']) await submit(app, id)
  await send(app, '/jobs/j', { method: 'DELETE', headers: ANN })
  now += 100
  const left = await query(app, ANN, 'properties', {})
  t.same([...new Set(left.map((each) => at(each, 'source.info.jobId')))], ['k'])
  await send(app, '/jobs/k', { method: 'DELETE', headers: ANN })
  t.same(await query(app, ANN, 'properties', {}), left, 'results outlive their job')
})

t.test('fixtures can give the outcome of a job, or of all jobs of a workflow', async (t) => {
  const given = { name: 'total_energy', value: -1, units: 'eV' }
  const results = [
    { data: given },
    { unit: 'second', data: { name: 'mine', value: [1] } },
    { unit: 'u1', data: { name: 'band_gaps', values: [] } },
  ]
  const failing = { ...WORKFLOW, _id: 'f', outcome: { status: 'error', message: 'SCF diverged' } }
  const fixtures = {
    accounts: ACCOUNTS,
    workflows: [failing],
    jobs: [
      toJob('given', { outcome: { results } }),
      toJob('failed', { outcome: { status: 'error' }, compute: { nodes: 2 } }),
    ],
  }
  const app = await build(t, { fixtures, jobDuration: 0 })
  await submit(app, 'given')
  await submit(app, 'failed')
  const properties = await query(app, ANN, 'properties', {})
  t.match(properties, [
    { data: given, source: { info: { jobId: 'given', unitId: 'u1' } } },
    { data: { name: 'mine' }, source: { info: { unitId: 'u2' } } },
    { data: { name: 'band_gaps' }, source: { info: { unitId: 'u1' } } },
  ])
  t.equal(properties.length, 3, 'a job that fails leaves no results')
  t.match((await send(app, '/jobs/failed', { headers: ANN })).json().data, {
    status: 'error',
    statusTrack: [{ status: 'submitted' }, { status: 'active' }, { status: 'error' }],
    compute: { nodes: 2, errors: [{ message: 'the job failed' }] },
  })
  const payload = { name: 'x', workflow: { _id: 'f' } }
  const created = await send(app, '/jobs/create', { method: 'PUT', headers: ANN, payload })
  const { _id } = created.json().data
  await submit(app, _id)
  const job = (await send(app, `/jobs/${_id}`, { headers: ANN })).json().data
  t.match(job, { status: 'error', compute: { errors: [{ message: 'SCF diverged' }] } })
  const copy = await send(app, `/jobs/${_id}/copy`, { method: 'POST', headers: ANN })
  t.match(copy.json().data, { status: 'pre-submission' })
  t.notOk('errors' in copy.json().data.compute || 'jid' in copy.json().data.compute.cluster)
})

t.test(
  'each result is an item of its own, also of units without an id or of the same name',
  async (t) => {
    const units = ['a', 'b'].map((name) => ({
      type: 'execution',
      name,
      results: [{ name: 'pressure' }, { name: 'final_structure' }],
    }))
    const material = {
      _id: 'm',
      basis: {
        elements: [{ id: 0, value: 'Si' }],
        coordinates: [{ id: 0, value: [0, 0, 0] }],
        units: 'crystal',
      },
      lattice: { type: 'CUB', a: 3, b: 3, c: 3, alpha: 90, beta: 90, gamma: 90 },
    }
    const given = [1, 2].map((value) => ({ data: { name: 'x', value } }))
    const fixtures = {
      accounts: ACCOUNTS,
      materials: [material],
      jobs: [
        toJob('made', { workflow: { subworkflows: [{ units }] }, _material: { _id: 'm' } }),
        toJob('given', { outcome: { results: given } }),
      ],
    }
    const app = await build(t, { fixtures, jobDuration: 0 })
    for (const id of ['made', 'given', 'made']) {
      await submit(app, id)
      await send(app, `/jobs/${id}`, { headers: ANN })
      const payload = { status: 'pre-submission' }
      await send(app, `/jobs/${id}`, { method: 'PATCH', headers: ANN, payload })
    }
    const ofJob = (jobId: string) => query(app, ANN, 'properties', { 'source.info.jobId': jobId })
    const made = await ofJob('made')
    t.same(
      made.map(({ data }) => (data as JsonObject).name),
      ['pressure', 'final_structure', 'pressure', 'final_structure'],
      'a second run replaces the results',
    )
    const relaxed = made.map(({ data }) => (data as JsonObject).materialId).filter(Boolean)
    t.equal(new Set(relaxed).size, 2)
    t.equal((await query(app, ANN, 'materials', { _id: { $in: relaxed } })).length, 2)
    t.same(
      (await ofJob('given')).map(({ data }) => data),
      given.map(({ data }) => data),
    )
  },
)

t.test('a job that runs again has no error of its former run', async (t) => {
  const jobs = [toJob('j', { outcome: { status: 'error' } })]
  const app = await build(t, { fixtures: { accounts: ACCOUNTS, jobs }, jobDuration: 0 })
  await submit(app, 'j')
  const payload = { status: 'pre-submission', outcome: { status: 'finished' } }
  await send(app, '/jobs/j', { method: 'PATCH', headers: ANN, payload })
  await submit(app, 'j')
  const { status, compute } = (await send(app, '/jobs/j', { headers: ANN })).json().data
  t.same([status, compute.errors], ['finished', undefined])
})

t.test('an outcome is validated, in fixtures and in bodies', async (t) => {
  const outcome = { status: 'failed' }
  const jobs = [{ _id: 'j', outcome }]
  await t.rejects(build(t, { fixtures: { jobs } }), {
    code: 'FIXTURES_INVALID',
    message: /outcome/,
  })
  const workflows = [{ _id: 'w', outcome: { results: [{ data: {} }] } }]
  await t.rejects(build(t, { fixtures: { workflows } }), { code: 'FIXTURES_INVALID' })
  const app = await build(t, { fixtures: { accounts: ACCOUNTS, jobs: [], workflows: [] } })
  for (const resource of ['jobs', 'workflows']) {
    const options = { method: 'PUT' as const, headers: ANN, payload: { outcome } }
    const response = await send(app, `/${resource}/create`, options)
    t.match(response.json(), { data: { code: 'BODY_INVALID', message: /outcome/ } })
  }
})

t.test('a structure without any number does not stop the clock', async (t) => {
  const lattice = { a: 1e-6, b: 1e-6, c: 1e-6, alpha: 90, beta: 90, gamma: 90 }
  const basis = { elements: [{ id: 0, value: 'Si' }], coordinates: [{ id: 0, value: [0, 0, 0] }] }
  const materials = [
    { _id: 'tiny', lattice, basis },
    { _id: 'huge', lattice: { ...lattice, a: 1e6, b: 1e6, c: 1e6 }, basis },
    { _id: 'wrong', lattice: { a: -1 }, basis: {} },
    { _id: 'none' },
  ]
  const results = ['total_energy', 'pressure', 'final_structure', 'band_structure', 'is_relaxed']
  const workflow = { subworkflows: [{ units: [{ flowchartId: 'u', results }] }] }
  const jobs = materials.map(({ _id }) => toJob(_id, { _material: { _id }, workflow }))
  const app = await build(t, {
    fixtures: { accounts: ACCOUNTS, materials, jobs },
    jobDuration: 0,
  })
  for (const { _id } of materials) await submit(app, _id)
  t.same(
    (await query(app, ANN, 'jobs', {})).map(({ status }) => status),
    ['finished', 'finished', 'finished', 'error'],
  )
  const [bare] = await query(app, ANN, 'jobs', { _id: 'none' })
  const message = 'the material "none" must have a structure to run; it lacks basis and lattice'
  t.match(bare, { compute: { errors: [{ message }] } })
  const files = (await send(app, '/jobs/none/files', { headers: ANN })).json().data
  const { signedUrl } = files.find(({ name }: JsonObject) => name === 'job.log')
  const log = await app.inject({ url: signedUrl.replace('http://localhost:80', '') })
  t.match(log.payload, new RegExp(`error\\nERROR: ${message}\\n`), 'the log says why')
  const properties = await query(app, ANN, 'properties', {})
  t.equal(properties.length, 15)
  t.notMatch(JSON.stringify(properties), /"value":null/, 'every number is finite')
})
