import t from 'tap'

import type { JsonObject } from '@materials-mock/json'
import { submitJob } from '../../src/jobs/job-lifecycle.js'
import { planRun, shownAt } from '../../src/jobs/job-run.js'
import { MAX_RUNS, listSteps, planUnits, runUnits } from '../../src/jobs/run-units.js'

const TIMES = { submittedAt: 1000, activeAt: 2000, endsAt: 5000 }

/** Shows a job that was submitted at 1000, and is active from 4000 to 7000. */
function showAt(job: JsonObject, now: number): JsonObject {
  const submitted = submitJob({ ...job, status: 'pre-submission' }, TIMES.submittedAt)
  const run = planRun(submitted, 3000)
  if (run === undefined) throw new Error('a submitted job must have a run')
  return shownAt(submitted, run, now)
}

const unit = (name: string, fields: JsonObject = {}): JsonObject => ({
  name,
  type: 'execution',
  flowchartId: `f-${name}`,
  status: 'idle',
  ...fields,
})

const workflowOf = (...subworkflows: readonly JsonObject[][]): JsonObject => ({
  units: subworkflows.map((_, index) => ({
    _id: `s${index}`,
    type: 'subworkflow',
    status: 'idle',
  })),
  subworkflows: subworkflows.map((units, index) => ({ _id: `s${index}`, units })),
})

/** The names of the units of a job in the order in which they run. */
const namesOf = (workflow: JsonObject, failure?: { readonly unit?: string }): string[] =>
  planUnits(listSteps({ workflow }), TIMES, failure).map(({ name }) => name)

/** A workflow that converges: the loop leads from the third of its last units back to `scf`. */
const CONVERGENCE = workflowOf([
  unit('init', {
    type: 'assignment',
    head: true,
    operand: 'N_k',
    value: '2',
    tags: ['hasConvergenceParam'],
    next: 'f-scf',
  }),
  unit('scf', { next: 'f-store' }),
  unit('store', {
    type: 'assignment',
    operand: 'total_energy',
    tags: ['hasConvergenceResult'],
    next: 'f-check',
  }),
  // oxlint-disable-next-line unicorn/no-thenable -- the platform's name of the unit that follows
  unit('check', { type: 'condition', then: 'f-exit', else: 'f-more', next: 'f-more' }),
  unit('more', { type: 'assignment', next: 'f-scf' }),
  unit('exit', { type: 'assignment' }),
])

t.test('the flowchart says in which order units run', async (t) => {
  const cases: [name: string, workflow: JsonObject, order: readonly string[]][] = [
    ['none', {}, []],
    ['no flowchart', workflowOf([unit('a'), unit('b')]), ['a', 'b']],
    [
      'next, from the head',
      workflowOf([unit('b', { next: 'f-c' }), unit('c'), unit('a', { head: true, next: 'f-b' })]),
      ['a', 'b', 'c'],
    ],
    ['two subworkflows', workflowOf([unit('a')], [unit('b')]), ['a', 'b']],
    [
      'subworkflows by the units of the workflow',
      {
        ...workflowOf([unit('a')], [unit('b')]),
        units: [
          { _id: 's0', flowchartId: '0' },
          { _id: 's1', flowchartId: '1', head: true, next: '0' },
        ],
      },
      ['b', 'a'],
    ],
    [
      'a condition without a loop',
      workflowOf([
        // oxlint-disable-next-line unicorn/no-thenable -- as above
        unit('if', { head: true, type: 'condition', then: 'f-a', else: 'f-b', next: 'f-a' }),
        unit('a'),
        unit('b'),
      ]),
      ['if', 'a'],
    ],
    [
      'a loop',
      CONVERGENCE,
      'init scf store check more scf store check more scf store check exit'.split(' '),
    ],
    [
      'a loop in a loop, and a condition in it that does not lead back',
      workflowOf([
        unit('a', { head: true, next: 'f-in' }),
        // oxlint-disable-next-line unicorn/no-thenable -- as above
        unit('in', { type: 'condition', then: 'f-if', else: 'f-a', maxOccurrences: 2 }),
        // oxlint-disable-next-line unicorn/no-thenable -- as above
        unit('if', { type: 'condition', then: 'f-b', else: 'f-out' }),
        unit('b', { next: 'f-out' }),
        // oxlint-disable-next-line unicorn/no-thenable -- as above
        unit('out', { type: 'condition', then: 'f-z', else: 'f-a' }),
        unit('z'),
      ]),
      [...Array.from({ length: 3 }, () => 'a in a in if b out'.split(' ')).flat(), 'z'],
    ],
    [
      'two loops, one after the other',
      workflowOf([
        unit('a', { head: true, next: 'f-c' }),
        // oxlint-disable-next-line unicorn/no-thenable -- as above
        unit('c', { type: 'condition', then: 'f-b', else: 'f-a' }),
        unit('b', { next: 'f-d' }),
        // oxlint-disable-next-line unicorn/no-thenable -- as above
        unit('d', { type: 'condition', then: 'f-z', else: 'f-b' }),
        unit('z'),
      ]),
      'a c a c a c b d b d b d z'.split(' '),
    ],
  ]
  for (const [name, workflow, order] of cases) t.same(namesOf(workflow), order, name)
})

t.test('of several subworkflows with one _id, the first runs where its unit is', async (t) => {
  const workflow = {
    units: [{ _id: 's' }, { _id: 'x' }, {}],
    subworkflows: [
      { units: [unit('a')] },
      { _id: 's', units: [unit('b')] },
      { _id: 's', units: [unit('c')] },
    ],
  }
  t.same(namesOf(workflow), ['b', 'a', 'c'])
})

t.test('what leads back without a condition runs until there are too many runs', async (t) => {
  const loop = workflowOf([unit('a', { next: 'f-b', head: true }), unit('b', { next: 'f-a' })])
  t.equal(namesOf(loop).length, MAX_RUNS + 1)
  const thenLeadsBack = workflowOf([
    unit('a', { head: true, next: 'f-c' }),
    // oxlint-disable-next-line unicorn/no-thenable -- as above
    unit('c', { type: 'condition', then: 'f-a', else: 'f-z' }),
    unit('z'),
  ])
  t.equal(namesOf(thenLeadsBack).length, MAX_RUNS + 1)
})

t.test('no flowchart is followed after the last run, and each one once', async (t) => {
  let walks = 0
  /** Units that run 600 times, and count when their flowchart is followed. */
  const createUnits = (): JsonObject[] => {
    const first = {
      ...unit('0', { next: 'f-1' }),
      get head() {
        walks += 1
        return true
      },
    }
    const others = Array.from({ length: 599 }, (_, n) => unit(`${n + 1}`, { next: `f-${n + 2}` }))
    return [first, ...others]
  }
  const many = Array.from({ length: 100 }, createUnits)
  t.equal(namesOf(workflowOf(...many)).length, 1001)
  t.equal(walks, 2)
  walks = 0
  const subworkflow = { _id: 's', units: createUnits() }
  const units = Array.from({ length: 100 }, () => ({ _id: 's' }))
  t.equal(namesOf({ units, subworkflows: [subworkflow] }).length, 1001)
  t.equal(walks, 1)
})

t.test('a workflow of very many subworkflows is put in order', async (t) => {
  // Comparing each unit with each subworkflow would take minutes.
  const count = 300_000
  const subworkflows = Array.from({ length: count }, (_, index) => ({ _id: index, units: [] }))
  const units = subworkflows.map(({ _id }) => ({ _id })).toReversed()
  const last = { _id: count, units: [unit('a')] }
  t.same(namesOf({ units, subworkflows: [...subworkflows, last] }), ['a'])
})

t.test('units run one after the other, and share the time', async (t) => {
  const job = { _id: 'j', workflow: workflowOf([unit('a'), unit('b')], [unit('c')]) }
  const runs = planUnits(listSteps(job), TIMES)
  const statusesAt = (now: number): unknown[] => {
    const { workflow } = showAt(job, now) as unknown as {
      workflow: { units: JsonObject[]; subworkflows: { units: JsonObject[] }[] }
    }
    return [workflow.units, ...workflow.subworkflows.map(({ units }) => units)].map((units) =>
      units.map(({ status }) => status).join(' '),
    )
  }
  t.same(statusesAt(3500), ['idle idle', 'idle idle', 'idle'])
  t.same(statusesAt(4000), ['active idle', 'active idle', 'idle'])
  t.same(statusesAt(5500), ['active idle', 'finished active', 'idle'])
  t.same(statusesAt(6000), ['finished active', 'finished finished', 'active'])
  t.same(statusesAt(7000), ['finished finished', 'finished finished', 'finished'])
  const { workflow } = runUnits(job, runs, TIMES) as unknown as {
    workflow: { subworkflows: { units: JsonObject[] }[] }
  }
  t.same(
    workflow.subworkflows[0]?.units[1]?.statusTrack,
    [
      { status: 'idle', trackedAt: 1 },
      { status: 'active', trackedAt: 3 },
      { status: 'finished', trackedAt: 4 },
    ],
    'in seconds',
  )
  t.same(runUnits(job, runs, TIMES).scopeTrack, undefined)
})

t.test('nothing runs after the unit that fails', async (t) => {
  const workflow = workflowOf([unit('a'), unit('b'), unit('c', { type: 'assignment' })])
  t.same(namesOf(workflow, {}), ['a', 'b'], 'the last one that executes something')
  t.same(namesOf(workflow, { unit: 'a' }), ['a'])
  t.same(namesOf(workflow, { unit: 'f-b' }), ['a', 'b'])
  t.same(namesOf(workflow, { unit: 'x' }), ['a', 'b'])
  const job = { _id: 'j', workflow }
  const failed = runUnits(job, planUnits(listSteps(job), TIMES, { unit: 'a' }), TIMES)
  t.match(failed, {
    workflow: {
      units: [{ status: 'error' }],
      subworkflows: [{ units: [{ status: 'error' }, { status: 'idle' }, { status: 'idle' }] }],
    },
  })
})

t.test('the repetitions of a loop are told, and what converges', async (t) => {
  const job = { _id: 'j', workflow: CONVERGENCE }
  const ended = runUnits(job, planUnits(listSteps(job), TIMES), TIMES) as {
    workflow: { subworkflows: { units: { statusTrack: JsonObject[] }[] }[] }
    scopeTrack: { repetition: number; scope: { global: Record<string, number> } }[]
  }
  t.same(
    ended.workflow.subworkflows[0]?.units[1]?.statusTrack
      .filter(({ status }) => status === 'finished')
      .map(({ repetition }) => repetition),
    [0, 1, 2],
  )
  t.same(
    ended.scopeTrack.map(({ repetition, scope }) => [repetition, scope.global.N_k]),
    [
      [0, 2],
      [1, 3],
      [2, 4],
    ],
  )
  const [first = 0, second = 0, third = 0] = ended.scopeTrack.map(
    ({ scope }) => scope.global.total_energy ?? 0,
  )
  t.ok(first > second && second > third && first - second > second - third, 'it converges')
  const middle = showAt(job, 5500) as unknown as { scopeTrack: unknown[] }
  t.equal(middle.scopeTrack.length, 1, 'while it runs, only what has run')
})
