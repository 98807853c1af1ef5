import t from 'tap'
import type { Test } from 'tap'

import { startNotebook } from '../helpers/notebook-client.js'
import type { Item, NotebookClient } from '../helpers/notebook-client.js'

/** The `_id` of the first account, which the device flow signs in. */
const DEMO = 'oEb32zJWy27miFESb'

/** What the notebooks do first: they sign in, and find the account and its default project. */
async function signIn(t: Test): Promise<{ client: NotebookClient; projectId: string }> {
  const client = await startNotebook(t)
  await client.authenticate()
  const { user, accounts } = await client.request('GET', '/api/v1/users/me')
  t.equal(user.entity.defaultAccountId, DEMO)
  t.same(accounts, [{ entity: { _id: DEMO, name: 'demo', type: 'personal' }, isDefault: true }])
  const [project] = await client.list('projects', { isDefault: true, 'owner._id': DEMO })
  return { client, projectId: project?._id as string }
}

/** Copies a workflow of the bank; returns the `_id` of the copy. */
async function copyBankWorkflow(client: NotebookClient, systemName: string): Promise<string> {
  const [bank] = await client.list('bank-workflows', { systemName })
  const copy = await client.api('POST', `bank-workflows/${bank?._id}/copy?accountId=${DEMO}`)
  t.equal(copy.owner._id, DEMO)
  return copy._id
}

/** A material as the package standata has it, with an `_id` that the server replaces. */
const toStandardMaterial = (name: string, elements: readonly string[], scale = 1): Item => ({
  _id: 'standata',
  name,
  lattice: {
    type: 'FCC',
    a: 3.867 * scale,
    b: 3.867 * scale,
    c: 3.867 * scale,
    alpha: 60,
    beta: 60,
    gamma: 60,
    units: { length: 'angstrom', angle: 'degree' },
  },
  basis: {
    elements: elements.map((value, id) => ({ id, value })),
    coordinates: elements.map((_, id) => ({ id, value: [id / 4, id / 4, id / 4] })),
    units: 'crystal',
  },
})

const COMPUTE = {
  ppn: 1,
  nodes: 1,
  queue: 'D',
  timeLimit: '01:00:00',
  notify: 'abe',
  cluster: { fqdn: 'cluster-001' },
  arguments: {},
}

/** Creates the jobs of some materials, as `create_by_ids` of the client does. */
async function createJobs(
  client: NotebookClient,
  materials: readonly Item[],
  workflowId: string,
  projectId: string,
): Promise<Item[]> {
  const jobs: Item[] = []
  for (const { _id, formula } of materials) {
    const job = await client.api('PUT', 'jobs/create', {
      _project: { _id: projectId },
      workflow: { _id: workflowId },
      owner: { _id: DEMO },
      name: `Job Name Prefix ${formula}`,
      compute: COMPUTE,
      _material: { _id },
    })
    t.match(job, { status: 'pre-submission', _material: { _id }, _project: { _id: projectId } })
    jobs.push(job)
  }
  return jobs
}

/** Submits jobs, and waits until all are finished. */
async function run(client: NotebookClient, jobs: readonly Item[]): Promise<void> {
  for (const { _id } of jobs) await client.api('POST', `jobs/${_id}/submit`)
  await client.waitForJobs(jobs.map(({ _id }) => _id as string))
}

/** Returns the property that a unit of a job has left. */
async function getProperty(
  client: NotebookClient,
  job: Item,
  name: string,
  unit: number,
): Promise<Item> {
  const { flowchartId } = job.workflow.subworkflows[0].units[unit]
  const [property] = await client.list('properties', {
    'source.info.jobId': job._id,
    'source.info.unitId': flowchartId,
    'data.name': name,
  })
  return property?.data
}

t.test('the notebook "create and submit job"', async (t) => {
  const { client } = await signIn(t)
  const [material] = await client.list('materials', { isDefault: true, 'owner._id': DEMO })
  const [{ _id } = {}] = await client.list('workflows', { isDefault: true, 'owner._id': DEMO })
  const workflow = await client.api('GET', `workflows/${_id}`)
  const config = {
    owner: { _id: DEMO },
    _material: { _id: material?._id },
    workflow,
    name: 'TEST JOB',
  }
  const job = await client.api('PUT', 'jobs/create', config)
  t.same(job.workflow.subworkflows, workflow.subworkflows)
  t.match(job._project, { cls: 'Project', slug: /default/ })
  await client.api('POST', `jobs/${job._id}/submit`)
  const submitted = await client.api('GET', `jobs/${job._id}`)
  t.match(submitted, { name: 'TEST JOB', status: /^(submitted|active|finished)$/ })
})

t.test('the notebook "run simulations and extract properties"', async (t) => {
  const { client, projectId } = await signIn(t)
  const workflowId = await copyBankWorkflow(client, 'espresso-band-gap')
  const materials: Item[] = []
  for (const [name, elements] of [
    ['Ge', ['Ge', 'Ge']],
    ['Si', ['Si', 'Si']],
  ] as const) {
    const material = { ...toStandardMaterial(name, elements), tags: ['tag1', 'tag2'] }
    const { _id } = await client.api('PUT', 'materials/create', {
      ...material,
      owner: { _id: DEMO },
    })
    materials.push(...(await client.list('materials', { _id })))
  }
  t.same(
    materials.map(({ formula }) => formula),
    ['Ge', 'Si'],
  )
  const materialsSet = await client.createSet('materials', { name: 'materials-set' })
  for (const { _id } of materials) await client.move('materials', _id, materialsSet)
  const jobs = await createJobs(client, materials, workflowId, projectId)
  const jobsSet = await client.createSet('jobs', { name: 'jobs-set', projectId })
  for (const { _id } of jobs) await client.move('jobs', _id, jobsSet)
  await run(client, jobs)
  for (const job of jobs) {
    const structure = await getProperty(client, job, 'final_structure', 0)
    t.ok(structure.lattice.a > 0 && structure.basis.elements.length === 2)
    t.type((await getProperty(client, job, 'pressure', 0)).value, 'number')
    const { values } = await getProperty(client, job, 'band_gaps', 1)
    for (const type of ['direct', 'indirect'])
      t.type(values.find((each: Item) => each.type === type).value, 'number')
  }
})

t.test('the notebook "get file from job"', async (t) => {
  const { client, projectId } = await signIn(t)
  const workflowId = await copyBankWorkflow(client, 'espresso-total-energy')
  const material = { ...toStandardMaterial('Si', ['Si', 'Si']), owner: { _id: DEMO } }
  const saved = await client.api('PUT', 'materials/create', material)
  const jobs = await createJobs(client, [saved], workflowId, projectId)
  await run(client, jobs)
  const files: Item[] = await client.api('GET', `jobs/${jobs[0]?._id}/files`)
  const file = files.find(({ name }) => name === 'pw_scf.out')
  t.match(file, { key: /\/pw_scf\.out$/, region: 'us-east-1', provider: 'aws' })
  const output = await client.download(file.signedUrl)
  t.equal(Buffer.byteLength(output), file.size)
  t.match(output, /^!\s+total energy\s+=\s+-\d+\.\d+ Ry$/m)
  t.ok(files.some(({ name }) => name === 'job.log'))
})

t.test('the notebook "get workflows", and plain parameters', async (t) => {
  const { client } = await signIn(t)
  const named = { name: { $regex: 'Total Energy' }, 'owner._id': DEMO }
  t.match(await client.list('workflows', named, { limit: 2 }), [{ name: 'Total Energy' }])
  const [bank] = await client.api('GET', 'bank-workflows?systemName=espresso-total-energy&limit=1')
  t.equal(bank.systemName, 'espresso-total-energy')
})

t.test('the notebook "get authentication params"', async (t) => {
  const client = await startNotebook(t)
  const session = await client.logIn('demo', 'demo')
  t.equal(session['X-Account-Id'], DEMO)
  t.equal((await client.list('materials', { isDefault: true, 'owner._id': DEMO })).length, 1)
  t.match(await client.api('POST', 'logout'), { message: 'You are successfully logged out' })
  t.match(await client.fail('GET', 'materials'), { data: { code: 'CREDENTIALS_REJECTED' } })
})

/** Saves a material and a workflow unless there are equal ones, and creates a job with them. */
async function createEmbeddedJob(
  client: NotebookClient,
  projectId: string,
  systemName: string,
): Promise<Item> {
  const material = toStandardMaterial('Silicon', ['Si', 'Si'])
  t.same(await client.list('materials', { hash: 'none', 'owner._id': DEMO }), [])
  const saved = await client.api('PUT', 'materials/create', { ...material, owner: { _id: DEMO } })
  t.not(saved._id, 'standata')
  t.same(await client.list('materials', { hash: saved.hash, 'owner._id': DEMO, _id: saved._id }), [
    saved,
  ])
  const [workflow] = await client.list('bank-workflows', { systemName })
  t.same(await client.list('workflows', { hash: 'none', 'owner._id': DEMO }), [])
  const { isDefault: _, owner: __, creator: ___, ...whole } = workflow as Item
  const created = await client.api('PUT', 'workflows/create', { ...whole, owner: { _id: DEMO } })
  t.not(created._id, workflow?._id)
  t.same(created.subworkflows, workflow?.subworkflows)
  const [cluster] = await client.api('GET', 'other/clusters')
  const { _id: ____, ...embedded } = whole
  const job = await client.api('PUT', 'jobs/create', {
    _project: { _id: projectId },
    workflow: embedded,
    owner: { _id: DEMO },
    name: `Silicon ${systemName}`,
    _material: { _id: saved._id },
    compute: { ...COMPUTE, cluster, queue: cluster.queues[0].NAME },
  })
  t.same(job.workflow.subworkflows, workflow?.subworkflows)
  return job
}

t.test('the notebook "band gap"', async (t) => {
  const { client, projectId } = await signIn(t)
  const job = await createEmbeddedJob(client, projectId, 'espresso-band-gap')
  await run(client, [job])
  const found = await client.list('properties', {
    'source.info.jobId': job._id,
    'data.name': 'band_gaps',
  })
  t.match(found, [{ data: { values: [{ type: 'direct' }, { type: 'indirect' }] } }])
})

t.test('the notebook "relaxation"', async (t) => {
  const { client, projectId } = await signIn(t)
  const projects = await client.api('GET', `projects?isDefault=true&ownerId=${DEMO}`)
  t.equal(projects[0]._id, projectId)
  t.equal((await client.api('GET', `projects/default?accountId=${DEMO}`))._id, projectId)
  const job = await createEmbeddedJob(client, projectId, 'espresso-variable-cell-relaxation')
  await run(client, [job])
  const structure = await getProperty(client, job, 'final_structure', 0)
  const material = await client.api('GET', `materials/${structure.materialId}`)
  t.match(material, { formula: 'Si', owner: { _id: DEMO } })
})

t.test('the notebook "equation of state"', async (t) => {
  const { client, projectId } = await signIn(t)
  const materialsSet = await client.createSet('materials', {
    name: 'Equation of State Materials',
    entitySetType: 'ordered',
  })
  const materials: Item[] = []
  for (const scale of [0.96, 1, 1.04]) {
    const scaled = toStandardMaterial(`Silicon ${scale}`, ['Si', 'Si'], scale)
    t.same(await client.list('materials', { hash: 'none', 'owner._id': DEMO }), [])
    const saved = await client.api('PUT', 'materials/create', { ...scaled, owner: { _id: DEMO } })
    await client.move('materials', saved._id, materialsSet)
    materials.push(saved)
  }
  const members = await client.list('materials', {
    'owner._id': DEMO,
    'inSet._id': materialsSet,
    isEntitySet: { $ne: true },
  })
  t.same(
    members.map(({ inSet }) => inSet[0].index),
    [0, 1, 2],
  )
  const workflowId = await copyBankWorkflow(client, 'espresso-total-energy')
  const jobsSet = await client.createSet('jobs', { name: 'Equation of State Jobs' })
  const jobs = await createJobs(client, materials, workflowId, projectId)
  for (const { _id } of jobs) await client.move('jobs', _id, jobsSet)
  await run(client, jobs)
  const energies: number[] = []
  for (const job of jobs) energies.push((await getProperty(client, job, 'total_energy', 0)).value)
  t.ok(Math.min(...energies) < 0)
  t.equal(new Set(energies).size, 3, 'the energy depends on the volume')
})

/** Returns a structure of two elements. */
const toPoscar = (elements: string): string =>
  `${elements}\n1.0\n0 2.7 2.7\n2.7 0 2.7\n2.7 2.7 0\n${elements}\n1 1\ndirect\n0 0 0\n.25 .25 .25\n`

t.test('the notebook "train a model and predict properties"', async (t) => {
  const { client, projectId } = await signIn(t)
  const gapId = await copyBankWorkflow(client, 'espresso-band-gap')
  const name = 'exabyteml-ml-linear-least-squares-train-model'
  const trainId = await copyBankWorkflow(client, name)
  const importMaterial = (elements: string): Promise<Item> =>
    client.api('POST', 'materials/import', {
      name: elements,
      content: toPoscar(elements),
      format: 'poscar',
      tags: [],
      'owner._id': DEMO,
    })
  const train = [await importMaterial('Si Ge'), await importMaterial('Ga As')]
  const target = await importMaterial('Al As')
  await run(client, await createJobs(client, train, gapId, projectId))
  const config = {
    _project: { _id: projectId },
    owner: { _id: DEMO },
    name: 'train',
    compute: COMPUTE,
  }
  const training = await client.api('PUT', 'jobs/create', {
    ...config,
    workflow: { _id: trainId },
    _materials: train.map(({ _id }) => ({ _id })),
  })
  await run(client, [training])
  const predictWorkflow = await getProperty(client, training, 'workflow:ml_predict', 4)
  const prediction = await client.api('PUT', 'jobs/create', {
    ...config,
    workflow: { _id: predictWorkflow._id },
    _materials: [{ _id: target._id }],
  })
  await run(client, [prediction])
  const predicted = await getProperty(client, prediction, 'predicted_properties', 3)
  t.same(Object.keys(predicted.values), [].concat(target.exabyteId))
})

t.test('the notebooks "custom Python calculation" and "custom shell calculation"', async (t) => {
  const { client, projectId } = await signIn(t)
  for (const name of ['python', 'shell']) {
    const unit = {
      type: 'execution',
      name: 'custom_script',
      flowchartId: 'a',
      application: { name },
      input: [{ name: `script.${name}`, rendered: 'print(json)' }],
      results: [{ name: 'total_energy' }],
    }
    const job = await client.api('PUT', 'jobs/create', {
      _project: { _id: projectId },
      owner: { _id: DEMO },
      name,
      workflow: { name, units: [], subworkflows: [{ _id: 's', units: [unit] }] },
    })
    await run(client, [job])
    const files: Item[] = await client.api('GET', `jobs/${job._id}/files`)
    const output = await client.download(files.find(({ key }) => key.endsWith('.out')).signedUrl)
    const results = output.split('\n').filter((line) => line.startsWith('{'))
    t.equal(results.length, 1)
    t.match(JSON.parse(results[0] ?? ''), { isMadeUp: true, total_energy: Number })
  }
})

/** The script of the notebook, in short. */
const SCF_SCRIPT = `#!/bin/bash
cd $PBS_O_WORKDIR
cat > pw.in << EOF
&CONTROL
  calculation = 'scf',
/
EOF
module add espresso
mpirun -np $PBS_NP $EXEC_CMD pw.x -in pw.in > pw.out
`

t.test('the notebook "SCF calculation"', async (t) => {
  const { client } = await signIn(t)
  const application = { name: 'shell', version: '5.1.8', build: 'Default' }
  const template = { name: 'hello_world.sh', content: SCF_SCRIPT, rendered: '' }
  const unit = { type: 'execution', name: 'shell_hello_world', flowchartId: 'a', head: true }
  const workflow = await client.api('PUT', 'workflows/create', {
    name: 'Shell Hello World',
    owner: { _id: DEMO },
    units: [{ _id: 's', type: 'subworkflow', name: 'Hello World', flowchartId: 'u', head: true }],
    subworkflows: [
      {
        _id: 's',
        name: 'Hello World',
        application,
        units: [{ ...unit, application, input: [{ rendered: '', template }], results: [] }],
      },
    ],
  })
  const job = await client.api('PUT', 'jobs/create', {
    owner: { _id: DEMO },
    name: 'SCF Calculation',
    compute: COMPUTE,
    workflow: { _id: workflow._id },
    _material: 'null',
  })
  await run(client, [job])
  const files: Item[] = await client.api('GET', `jobs/${job._id}/files`)
  const file = files.findLast(({ key }) => key.includes('pw.out'))
  const output = await client.download(file.signedUrl)
  const energies = output
    .split('\n')
    .filter((line) => line.trim().replace(/^!+/, '').startsWith('total energy'))
    .map((line) => Number(line.split('=')[1]?.replace(/[Ry]+$/, '')))
  t.ok(energies.length > 1)
  t.ok(energies.every((energy) => energy < 0))
  const final = Number(/^! +total energy += +(\S+) Ry$/m.exec(output)?.[1])
  t.ok(Math.abs((energies.at(-1) ?? 0) - final) < 1e-4, 'the last iteration has converged')
})
