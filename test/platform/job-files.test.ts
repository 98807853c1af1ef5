import v8 from 'node:v8'
import { runInNewContext } from 'node:vm'

import type { FastifyInstance, InjectOptions } from 'fastify'
import t from 'tap'

import type { JsonObject } from '@materials-mock/json'
import { runToEnd } from '@materials-mock/work'
import { createEntry } from '../../src/store/entry.js'
import { build, logIn, send, waitFor } from '../helpers/build.js'

const ACCOUNTS = [
  { _id: 'ann', username: 'ann', password: 'x', tokens: ['ann-token'] },
  { _id: 'bob', username: 'bob', password: 'y', tokens: ['bob-token'] },
]
const ANN = { 'x-account-id': 'ann', 'x-auth-token': 'ann-token' }

interface FileEntry {
  readonly key: string
  readonly name: string
  readonly size: number
  readonly signedUrl: string
}

/** Requests a signed URL, without credentials. */
const fetchUrl = (app: FastifyInstance, url: string, options: InjectOptions = {}) =>
  app.inject({ method: 'GET', ...options, url: url.replace('http://localhost:80', '') })

async function listFiles(
  app: FastifyInstance,
  id: string,
  headers: Record<string, string>,
): Promise<FileEntry[]> {
  return (await send(app, `/jobs/${id}/files`, { headers })).json().data
}

t.test('the files of a job are there however long its results take', async (t) => {
  const app = await build(t, { queryBudget: 1 })
  const headers = await logIn(app, 'demo', 'demo')
  const files = await listFiles(app, '9gyhfncWDhnSyzALv', headers)
  const { signedUrl = '' } = files.find(({ name }) => name === 'pw_bands.out') ?? {}
  t.equal((await fetchUrl(app, signedUrl)).statusCode, 200)
})

t.test('the finished job of the demo has files, which a signed URL gives', async (t) => {
  const app = await build(t)
  const headers = await logIn(app, 'demo', 'demo')
  const files = await listFiles(app, '9gyhfncWDhnSyzALv', headers)
  t.same(
    files.map(({ name }) => name),
    ['pw_scf.in', 'pw_bands.in', 'bands.in', 'pw_scf.out', 'pw_bands.out', 'bands.out', 'job.log'],
  )
  const texts = new Map<string, string>()
  for (const { key, name, size, signedUrl } of files) {
    t.match(key, /^\/cluster-001-home\/demo\/data\/demo-default\/[\w-]+\/[\w.]+$/)
    const response = await fetchUrl(app, signedUrl)
    t.equal(response.statusCode, 200)
    t.equal(response.rawPayload.length, size)
    texts.set(name, response.payload)
    const again = await fetchUrl(app, signedUrl)
    t.equal(again.payload, response.payload)
  }
  const input = texts.get('pw_scf.in') ?? ''
  t.match(input, /nat = 2\n/)
  t.match(input, /^Si +0\.875000000 +0\.875000000 +0\.875000000$/m)
  t.notMatch(input, /\{\{|\{%/, 'the input is rendered')
  const output = texts.get('pw_scf.out') ?? ''
  t.match(output, /^! +total energy +=\s+-\d+\.\d+ Ry$/m)
  t.match(output, /Made up by materials-mock/)
  t.match(texts.get('job.log'), /Z finished\n/)
})

const SCRIPT = 'pw.x -in pw.in > pw.out # {{ JOB_WORK_DIR }}'

const JOB = {
  _id: 'j',
  name: 'Shell',
  status: 'pre-submission',
  owner: { _id: 'ann', slug: 'ann' },
  workflow: {
    subworkflows: [
      {
        units: [
          {
            type: 'execution',
            name: 'sh',
            flowchartId: 'u',
            application: { name: 'shell' },
            input: [{ template: { name: 'job.sh', content: SCRIPT }, rendered: '' }],
          },
        ],
      },
    ],
  },
}

t.test('a shell job has the output that its script names, once it has finished', async (t) => {
  const app = await build(t, { fixtures: { accounts: ACCOUNTS, jobs: [JOB] }, jobDuration: 0 })
  const namesOf = async (id: string) => (await listFiles(app, id, ANN)).map(({ name }) => name)
  t.same(await namesOf('j'), ['job.sh'])
  await send(app, '/jobs/j/submit', { method: 'POST', headers: ANN })
  t.same(await namesOf('j'), ['job.sh', 'sh.out', 'pw.out', 'job.log'])
  const [script, , output] = await listFiles(app, 'j', ANN)
  t.match(
    (await fetchUrl(app, script?.signedUrl ?? '')).payload,
    /> pw\.out # \/cluster-001-home\//,
  )
  t.match((await fetchUrl(app, output?.signedUrl ?? '')).payload, /^! +total energy += +-\d/m)
})

t.test('the output of a shell unit has one total energy, that of its results', async (t) => {
  const [unit] = JOB.workflow.subworkflows[0]?.units ?? []
  const job = (_id: string, results: string[]) => ({
    ...JOB,
    _id,
    workflow: { subworkflows: [{ units: [{ ...unit, results }] }] },
  })
  const jobs = [job('some', ['total_energy', 'pressure']), job('none', ['pressure'])]
  const app = await build(t, { fixtures: { accounts: ACCOUNTS, jobs }, jobDuration: 0 })
  for (const { _id } of jobs) {
    await send(app, `/jobs/${_id}/submit`, { method: 'POST', headers: ANN })
    const path = `/properties?query=${JSON.stringify({ 'source.info.jobId': _id, 'data.name': 'total_energy' })}`
    const [property] = (await send(app, path, { headers: ANN })).json().data
    const output = (await listFiles(app, _id, ANN)).find(({ name }) => name === 'pw.out')
    const { payload } = await fetchUrl(app, output?.signedUrl ?? '')
    const energies = [...payload.matchAll(/^! +total energy += +(\S+) Ry$/gm)].map(
      ([, text]) => text,
    )
    t.same(energies, [((property?.data.value ?? -215.8) / 13.605693123).toFixed(8)], _id)
  }
})

t.test('a unit that the flowchart does not lead to has no output', async (t) => {
  const unit = { type: 'execution', application: { name: 'espresso' } }
  const units = [
    { ...unit, name: 'a', flowchartId: 'a', head: true, next: 'c' },
    { ...unit, name: 'b', flowchartId: 'b', next: 'c' },
    { ...unit, name: 'c', flowchartId: 'c' },
  ]
  const job = { ...JOB, workflow: { subworkflows: [{ units }] } }
  const jobs = [job, { ...job, _id: 'loaded', status: 'finished' }]
  const app = await build(t, { fixtures: { accounts: ACCOUNTS, jobs }, jobDuration: 0 })
  await send(app, '/jobs/j/submit', { method: 'POST', headers: ANN })
  const namesOf = async (id: string) => (await listFiles(app, id, ANN)).map(({ name }) => name)
  t.same(await namesOf('j'), ['a.out', 'c.out', 'job.log'])
  t.same(await namesOf('loaded'), ['a.out', 'b.out', 'c.out', 'job.log'])
})

t.test('a signed URL gives an input, whatever its name and the _id of its job', async (t) => {
  const input = ['./pw.in', 'a/../b', '\ud800', '..', ''].map((name) => ({
    name,
    rendered: 'text',
  }))
  const units = [{ type: 'execution', flowchartId: 'u', input }]
  const job = { ...JOB, workflow: { subworkflows: [{ units }] } }
  const jobs = ['j', 'a/b %'].map((_id) => ({ ...job, _id }))
  const app = await build(t, { fixtures: { accounts: ACCOUNTS, jobs } })
  for (const { _id } of jobs) {
    const files = await listFiles(app, encodeURIComponent(_id), ANN)
    t.same(
      files.map(({ name }) => name),
      ['pw.in', 'b', '\ufffd'],
    )
    for (const { signedUrl } of files) t.equal((await fetchUrl(app, signedUrl)).payload, 'text')
  }
})

const toBasis = (...symbols: string[]) => ({
  elements: symbols.map((value, id) => ({ id, value })),
  coordinates: symbols.map((_, id) => ({ id, value: [id / 4, 0, 0] })),
  units: 'crystal',
})

const LATTICE = { type: 'CUB', a: 5, b: 5, c: 5, alpha: 90, beta: 90, gamma: 90 }

const toMaterial = (_id: string, owner: string, ...symbols: string[]) => ({
  _id,
  owner: { _id: owner },
  basis: toBasis(...symbols),
  lattice: LATTICE,
})

t.test('the files of a job follow its material until it ends, and then stay', async (t) => {
  const template = { name: 'pw.in', content: 'nat = {{ input.NAT }}' }
  const unit = { type: 'execution', name: 'pw', flowchartId: 'u', input: [{ template }] }
  const workflow = { subworkflows: [{ units: [unit] }] }
  const job = { ...JOB, workflow, _material: { _id: 'm' } }
  const fixtures = {
    accounts: ACCOUNTS,
    jobs: [job, { ...job, _id: 'ended', status: 'finished' }],
    materials: [toMaterial('m', 'ann', 'Si'), toMaterial('hidden', 'bob', 'Si', 'Ge', 'Si')],
  }
  const app = await build(t, { fixtures, jobDuration: 0 })
  const request = async (method: 'PUT' | 'PATCH' | 'POST' | 'DELETE', path: string, payload = {}) =>
    (await send(app, path, { method, headers: ANN, payload })).json().data
  const readInput = async (id = 'j') => {
    const [file] = await listFiles(app, id, ANN)
    return (await fetchUrl(app, file?.signedUrl ?? '')).payload
  }
  for (const created of [false, true]) {
    const { _id } = created
      ? await request('PUT', '/materials/create', { lattice: LATTICE, basis: toBasis('Si') })
      : { _id: 'm' }
    await request('PATCH', '/jobs/j', { status: 'pre-submission', _material: { _id } })
    t.equal(await readInput(), 'nat = 1')
    await request('PATCH', `/materials/${_id}`, { basis: toBasis('Si', 'Ge') })
    t.equal(await readInput(), 'nat = 2', 'before its end, they follow the material')
    await request('POST', '/jobs/j/submit')
    await request('PATCH', `/materials/${_id}`, { basis: toBasis('Ge') })
    t.equal(await readInput(), 'nat = 2')
    await request('DELETE', `/materials/${_id}`)
    t.equal(await readInput(), 'nat = 2')
  }
  t.equal(await readInput('ended'), 'nat = 1', 'it ended with the material as it was loaded')
  await request('PATCH', '/jobs/j', { status: 'pre-submission', _material: { _id: 'hidden' } })
  t.notMatch(await readInput(), /3/, 'they show no material that the owner does not see')
})

t.test('a rendered input has the labels and the constraints of the atoms', async (t) => {
  const symbols = ['Fe', 'Fe', 'O']
  const zero = '   0.000000000'
  const free = [`Fe ${zero}`, `Fe    0.250000000`, `O     0.500000000`]
  const labelled = [`Fe1 ${zero}`, `Fe2    0.250000000`, `O     0.500000000`]
  const [iron, oxygen] = ['55.845 fe_pbe_gbrv_1.0.upf', '15.999 o_pbe_gbrv_1.0.upf']
  const species = [`Fe ${iron}`, `O ${oxygen}`]
  const value = [true, false, true]
  const cases: [fields: object, species: string[], positions: string[], flags?: string[]][] = [
    [{}, species, free],
    [{ labels: [], constraints: [] }, species, free],
    [{ constraints: [{ id: 0, value: [true, true, true] }] }, species, free],
    [{ constraints: [{ id: 1, value }] }, species, free, [' 1 1 1', ' 1 0 1', ' 1 1 1']],
    [
      {
        labels: [1, '2'].map((label, id) => ({ id, value: label })),
        constraints: symbols.map((_, id) => ({
          id,
          value: id === 0 ? [false, false, false] : value,
        })),
      },
      [`Fe1 ${iron}`, `Fe2 ${iron}`, `O ${oxygen}`],
      labelled,
      [' 0 0 0', ' 1 0 1', ' 1 0 1'],
    ],
  ]
  const names = ['NTYP', 'NTYP_WITH_LABELS', 'ATOMIC_SPECIES', 'ATOMIC_SPECIES_WITH_LABELS']
  const keys = [...names, 'ATOMIC_POSITIONS_WITHOUT_CONSTRAINTS', 'ATOMIC_POSITIONS']
  const content = keys.map((key) => `{{ input.${key} }}`).join('\n')
  const unit = { type: 'execution', flowchartId: 'u', input: [{ name: 'pw.in', content }] }
  const jobs = cases.map((_, index) => ({
    ...JOB,
    _id: `j${index}`,
    workflow: { subworkflows: [{ units: [unit] }] },
    _material: { _id: `m${index}` },
  }))
  const materials = cases.map(([fields], index) => ({
    ...toMaterial(`m${index}`, 'ann'),
    basis: { ...toBasis(...symbols), ...fields },
  }))
  const app = await build(t, { fixtures: { accounts: ACCOUNTS, jobs, materials } })
  for (const [index, [, expected, positions, flags]] of cases.entries()) {
    const [file] = await listFiles(app, `j${index}`, ANN)
    const rows = positions.map((row) => `${row} ${zero} ${zero}`)
    t.same((await fetchUrl(app, file?.signedUrl ?? '')).payload.split('\n'), [
      '2',
      String(expected.length),
      ...species,
      ...expected,
      ...rows,
      ...rows.map((row, atom) => row + (flags?.[atom] ?? '')),
    ])
  }
})

t.test('the materials of an ended job stay until the job is gone', async (t) => {
  v8.setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  const template = { name: 'pw.in', content: 'nat = {{ input.NAT }}' }
  const unit = { type: 'execution', name: 'pw', flowchartId: 'u', input: [{ template }] }
  const workflow = { subworkflows: [{ units: [unit] }] }
  const jobs = [{ ...JOB, workflow, _material: { _id: 'm' } }]
  const app = await build(t, {
    fixtures: { accounts: ACCOUNTS, jobs, materials: [] },
    jobDuration: 0,
  })
  const put = (path: string, payload: object) =>
    app.inject({ method: 'PUT', url: `/__admin/fixtures${path}`, payload })
  const readInput = async () => {
    const [file] = await listFiles(app, 'j', ANN)
    return (await fetchUrl(app, file?.signedUrl ?? '')).payload
  }
  await put('/materials', [toMaterial('m', 'ann', 'Si', 'Ge')])
  const materials = app.store.getCollection('materials')
  const material = new WeakRef(materials.entries[0]?.item as JsonObject)
  await send(app, '/jobs/j/submit', { method: 'POST', headers: ANN })
  t.equal(await readInput(), 'nat = 2')
  await put('/materials', [])
  await send(app, '/jobs/j', { method: 'DELETE', headers: ANN })
  await app.inject({ method: 'POST', url: '/__admin/fixtures/jobs/j/restore' })
  t.equal(await readInput(), 'nat = 2', 'a job that is put back has them')
  await app.inject({ method: 'PUT', url: '/__admin/snapshots/s' })
  await send(app, '/jobs/j', { method: 'PATCH', headers: ANN, payload: { isDefault: true } })
  await app.inject({ method: 'POST', url: '/__admin/snapshots/s/restore' })
  t.equal(await readInput(), 'nat = 2', 'and so has a job of a snapshot')
  await app.inject({ method: 'DELETE', url: '/__admin/snapshots/s' })
  await put('/jobs', [])
  await waitFor(() => {
    collectGarbage()
    return material.deref() === undefined
  })
})

t.test(
  'a signed URL is valid for one method and one file, as long as the job exists',
  async (t) => {
    const app = await build(t, {
      fixtures: { accounts: ACCOUNTS, jobs: [JOB, { ...JOB, _id: 'k' }] },
    })
    const [file] = await listFiles(app, 'j', ANN)
    const url = file?.signedUrl ?? ''
    const [path = '', signature = ''] = url.split('&signature=')
    t.equal(signature.length, 43)
    const cases: [url: string, status: number, code: string, method?: 'PUT'][] = [
      [path, 403, 'SIGNATURE_REJECTED'],
      [`${path}&signature=x`, 403, 'SIGNATURE_REJECTED'],
      [url.replace('/j/', '/k/'), 403, 'SIGNATURE_REJECTED'],
      [url.replace('job.sh', 'job.log'), 403, 'SIGNATURE_REJECTED'],
      [url, 403, 'SIGNATURE_REJECTED', 'PUT'],
    ]
    for (const [each, status, code, method = 'GET'] of cases) {
      const response = await fetchUrl(app, each, { method })
      t.match({ status: response.statusCode, ...response.json().data }, { status, code }, each)
    }
    const other = await build(t, { fixtures: { accounts: ACCOUNTS, jobs: [JOB] } })
    t.equal((await fetchUrl(other, url)).statusCode, 403, 'another server has another secret')
    await send(app, '/jobs/j', { method: 'DELETE', headers: ANN })
    t.match((await fetchUrl(app, url)).json(), { data: { code: 'FILE_NOT_FOUND' } })
  },
)

t.test('a PUT to a presigned URL stores the bytes', async (t) => {
  const app = await build(t, { fixtures: { accounts: ACCOUNTS, jobs: [JOB] } })
  const post = async (path: string, payload: JsonObject) =>
    (await send(app, `/jobs/j/${path}`, { method: 'POST', headers: ANN, payload })).json()
  const { data } = await post('presigned-urls', { files: ['dir/Å.bin', 'job.sh'] })
  const [first, second] = data.presignedURLs
  t.match([first, second], [{ file: 'dir/Å.bin' }, { file: 'job.sh' }])
  const bytes = Buffer.from([0, 255, 10, 13, 0])
  for (const { URL } of [first, second]) {
    const headers = { 'content-type': 'application/x-odd; a=b' }
    const stored = await fetchUrl(app, URL, { method: 'PUT', headers, payload: bytes })
    t.equal(stored.statusCode, 200)
  }
  for (const payload of ['{"files": ["dir/Å.bin"]}', '["dir/Å.bin"]', '']) {
    const headers = { ...ANN, 'content-type': 'application/json' }
    const options = { method: 'POST' as const, headers, payload }
    const response = await send(app, '/jobs/j/output-files', options)
    t.same(response.json(), { status: 'success', data: {} }, payload)
  }
  const files = await listFiles(app, 'j', ANN)
  t.match(files, [
    { name: 'job.sh', size: 5 },
    { name: 'Å.bin', key: /\/dir\/Å\.bin$/, size: 5 },
  ])
  const read = await fetchUrl(app, files[1]?.signedUrl ?? '')
  t.same(read.rawPayload, bytes)
  const large = Buffer.alloc(32 * 1024 * 1024 + 1)
  const refused = await fetchUrl(app, first.URL, { method: 'PUT', payload: large })
  t.match(refused.json(), { data: { code: 'BODY_TOO_LARGE', message: /33554432/ } })
  t.notMatch(JSON.stringify(app.controls.journal), /AP8KDQA/)
  for (const name of ['', '/etc/passwd', '../x', './x', 'a//b', '\ud800']) {
    const message = `files.0 must be a path such as records/one.json, without "." and "..", not ${JSON.stringify(name)}`
    t.match(await post('presigned-urls', { files: [name] }), { message })
  }
  app.controls.reset()
  t.same((await listFiles(app, 'j', ANN)).length, 1)
  const readOnly = await build(t, {
    fixtures: { accounts: ACCOUNTS, jobs: [JOB] },
    readOnly: true,
  })
  for (const path of ['presigned-urls', 'output-files']) {
    const options = { method: 'POST' as const, headers: ANN }
    t.equal((await send(readOnly, `/jobs/j/${path}`, options)).statusCode, 405)
  }
})

t.test('a list of files is written in steps, and has a bound', async (t) => {
  const owned = { _id: 'j', owner: { _id: 'ann', slug: 'ann' } }
  const fixtures = { accounts: ACCOUNTS, jobs: [JOB], measurements: [owned] }
  const app = await build(t, { fixtures, queryBudget: 60_000 })
  const name = '€'.repeat(3000)
  for (let n = 0; n < 2000; n += 1) {
    app.store.files.put(`jobs:/j/${name}${n}`, Buffer.alloc(0))
    app.store.files.put(`ann/measurements/j/${name}${n}`, Buffer.alloc(0))
  }
  for (const resource of ['jobs', 'measurements']) {
    let turns = 0
    const timer = setInterval(() => (turns += 1), 0)
    const response = await send(app, `/${resource}/j/files`, { headers: ANN })
    clearInterval(timer)
    t.match(response.json(), {
      message: /at most 67108864 bytes of JSON; have fewer entries/,
      data: { code: 'BOUND_EXCEEDED' },
    })
    t.ok(turns > 5, `${resource}: ${turns} turns of the event loop`)
  }
})

const LARGE_MATERIAL = {
  _id: 'large',
  name: 'Ten thousand atoms',
  lattice: { type: 'CUB', a: 100, b: 100, c: 100, alpha: 90, beta: 90, gamma: 90 },
  basis: {
    units: 'crystal',
    elements: Array.from({ length: 10_000 }, (_, id) => ({ id, value: 'Si' })),
    coordinates: Array.from({ length: 10_000 }, (_, id) => ({
      id,
      value: [(id % 100) / 100, Math.floor(id / 100) / 100, 0.5],
    })),
  },
}

/** Creates a job over a large material, whose only unit has some inputs. */
const createLargeJob = (status: string, contents: readonly string[], results: string[] = []) => ({
  ...JOB,
  status,
  _material: { _id: 'large' },
  workflow: {
    subworkflows: [
      {
        units: [
          {
            type: 'execution',
            name: 'scf',
            flowchartId: 'u',
            results,
            input: contents.map((content, index) => ({ name: `${index}.in`, content })),
          },
        ],
      },
    ],
  },
})

const POSITIONS = '{{ input.ATOMIC_POSITIONS }}'

t.test('the inputs of a job are bounded by what is rendered', async (t) => {
  const cases: readonly (readonly [inputs: readonly string[], status: number])[] = [
    [[POSITIONS.repeat(10)], 200],
    [[POSITIONS.repeat(800)], 400],
    [[POSITIONS.repeat(1300)], 400],
    [Array.from({ length: 100 }, () => POSITIONS), 400],
  ]
  for (const [inputs, status] of cases) {
    const jobs = [createLargeJob('pre-submission', inputs)]
    const fixtures = { accounts: ACCOUNTS, materials: [LARGE_MATERIAL], jobs }
    const app = await build(t, { fixtures, queryBudget: 60_000 })
    const response = await send(app, '/jobs/j/files', { headers: ANN })
    t.equal(response.statusCode, status, `${inputs.length} inputs of ${inputs[0]?.length}`)
    if (status === 400)
      t.match(response.json().data, { code: 'BOUND_EXCEEDED', message: /8388608 characters/ })
    else t.match(response.json().data, [{ name: '0.in', size: 4_799_990 }])
  }
})

t.test('the files of a job are made in steps, one for each result and each input', async (t) => {
  const results = Array.from({ length: 50 }, () => 'total_energy')
  const job = createLargeJob('finished', ['a', 'b', 'c'], results)
  const fixtures = { accounts: ACCOUNTS, materials: [LARGE_MATERIAL], jobs: [job] }
  const app = await build(t, { fixtures })
  const work = app.store.jobStorage.list(createEntry(job as unknown as JsonObject, 0))
  let steps = 0
  while (work.next().done !== true) steps += 1
  t.ok(steps >= 53, `${steps} steps`)
})

t.test('one file of a job is made alone', async (t) => {
  const inputs = Array.from({ length: 600 }, (_, index) => `${index} {{ input.NAT }}`)
  const job = createLargeJob('finished', inputs, ['total_energy'])
  const app = await build(t, { fixtures: { accounts: ACCOUNTS, jobs: [job] } })
  const { jobStorage } = app.store
  const all = runToEnd(jobStorage.list(createEntry(job as unknown as JsonObject, 0)))
  t.ok(all.size > 601, `${all.size} files`)
  for (const [name, file] of all) {
    if (!/^(?:7\.in|job\.log|.*\.out)$/.test(name)) continue
    const work = jobStorage.find(file.key)
    let steps = 0
    let step = work.next()
    for (; step.done !== true; step = work.next()) steps += 1
    t.same(step.value, file, name)
    t.ok(steps < 10, `${name}: ${steps} steps`)
  }
})

t.test('a template is rendered, or is returned as it is written', async (t) => {
  const cases: readonly (readonly [template: string, text?: string])[] = [
    ['{{ input.NAT }} {# no #}{{ unknown }} {{input.NAT', '10000 {{ unknown }} {{input.NAT'],
    ['{% if input.NAT %}yes{% else %}no{% endif %}', 'yes'],
    ['{%- if none -%}yes{%- endif -%}', ''],
    ['{% raw %}{{ input.NAT }}{% endraw %}', '{{ input.NAT }}'],
    ['{% for a in b %}{{ input.NAT }}{% endfor %}'],
    ['{% if input.NAT %}'],
    ['{% endif %}'],
    ['{% raw %}'],
    ['{% if none %}a{% else %}b{% else %}c{% endif %}'],
    ['{% if none %}{% if input.NAT %}a{% else %}b{% endif %}{% else %}c{% endif %}', 'c'],
    // The work must not grow with the square of the length, nor the stack with the depth.
    ['{{'.repeat(250_000)],
    [`{%${' '.repeat(400_000)}x`],
    [`{%${' '.repeat(400_000)}x%}`],
    ['{%if a%}'.repeat(20_000) + '{%endif%}'.repeat(20_000)],
    ['{%if a%}'.repeat(10_000) + '{%endif%}'.repeat(10_000), ''],
  ]
  for (const [template, text = template] of cases) {
    const jobs = [createLargeJob('pre-submission', [template])]
    const fixtures = { accounts: ACCOUNTS, materials: [LARGE_MATERIAL], jobs }
    const app = await build(t, { fixtures, queryBudget: 60_000 })
    const [file] = await listFiles(app, 'j', ANN)
    const { payload } = await fetchUrl(app, file?.signedUrl ?? '')
    t.equal(payload.slice(0, 100), text.slice(0, 100))
    t.equal(payload.length, text.length)
  }
})

t.test('while a job runs, its units run in turn, and their outputs grow', async (t) => {
  const names = ['one', 'two', 'three', 'four']
  const units = names.map((name, index) => ({
    name,
    type: 'execution',
    flowchartId: name,
    ...(index < names.length - 1 && { next: names[index + 1] }),
    head: index === 0,
    results: [{ name: 'total_energy' }],
  }))
  const submittedAt = Date.now() - 62_500 // the third unit has run for a quarter of its time
  const job = (_id: string, fields: object) => ({
    _id,
    status: 'submitted',
    statusTrack: [{ trackedAt: submittedAt, status: 'submitted' }],
    workflow: { subworkflows: [{ _id: 's', units }] },
    ...fields,
  })
  const outcome = { status: 'error', unit: 'two', message: 'convergence NOT achieved' }
  const ended = {
    ...job('failed', { outcome }),
    statusTrack: [{ trackedAt: 1, status: 'submitted' }],
  }
  const fixtures = { accounts: ACCOUNTS, jobs: [job('running', {}), ended], materials: [] }
  const app = await build(t, { fixtures, jobDuration: 40_000 })
  const read = async (path: string) => (await send(app, path, { headers: ANN })).json().data
  const running = await read('/jobs/running')
  t.equal(running.status, 'active')
  const statuses = running.workflow.subworkflows[0].units.map(
    (unit: { status: string }) => unit.status,
  )
  t.same(statuses, ['finished', 'finished', 'active', 'idle'])

  const textOf = async (id: string, name: string): Promise<string> => {
    const files: { name: string; signedUrl: string }[] = await read(`/jobs/${id}/files`)
    const file = files.find((each) => each.name === name)
    if (file === undefined) return ''
    return (await fetchUrl(app, file.signedUrl)).payload
  }
  const whole = await textOf('running', 'one.out')
  t.match(whole, /\n {5}total energy {14}= +-[\d.]+ Ry\n[^]*\n! {4}total energy[^]*JOB DONE/)
  const part = await textOf('running', 'three.out')
  t.ok(part.length > 0 && part.length < whole.length / 2, 'a quarter of the time has passed')
  t.equal(await textOf('running', 'four.out'), '')
  t.match(await textOf('running', 'job.log'), /submitted\n[^]*active\n[^]*unit one finished\n/)

  const failed = await read('/jobs/failed')
  const ends = failed.workflow.subworkflows[0].units.map((unit: { status: string }) => unit.status)
  t.same([failed.status, ...ends], ['error', 'finished', 'error', 'idle', 'idle'])
  t.notMatch(await textOf('failed', 'two.out'), /JOB DONE/)
  t.match(
    await textOf('failed', 'job.log'),
    /unit two error\n.*error\nERROR: convergence NOT achieved/,
  )
})
