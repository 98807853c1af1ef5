/** A program that uses the client. */
export interface Program {
  readonly name: string
  /** Its statements. `materials`, `jobs`, `workflows`, `properties`, and `field`, the name of a field, are declared. */
  readonly code: string
  /** Part of the error of the compiler. A program without one compiles. */
  readonly error?: string
}

/** The declarations before each program. */
export const HEAD = `
import { createClient } from 'materials-mock/client'
import type { BandStructure, DensityOfStates, Job, MaterialSet, Property, Status, Unit, UnitStatus, Workflow } from 'materials-mock/client'
const { materials, jobs, workflows, properties } = createClient()
declare const field: 'name' | 'formula'
declare const text: string
declare const direction: 1 | -1
`

/** Programs that the types of the client must let through, and programs that they must refuse. */
export const PROGRAMS: readonly Program[] = [
  ...[
    'materials.list({}, { sort: { [field]: 1 } })',
    'materials.list({}, { sort: { [field]: direction, _id: 1 } })',
    'materials.list({}, { sort: { [text]: -1 }, limit: 2 })',
    'materials.page({}, { sort: { [field]: text === "up" ? 1 : -1 } })',
    'materials.all({}, { sort: { [field]: 1 } as const })',
    'materials.list({}, { fields: { [field]: 1 } })',
    'materials.list({}, { fields: { [field]: 0, hash: 0 } })',
    'materials.list({ [field]: text })',
    'materials.list({ [field]: { $regex: text, $options: "i" } })',
    'materials.update("m1", { [field]: text })',
    'materials.update("m1", { $set: { [field]: text } })',
    'jobs.list({ "workflow.subworkflows.units.status": "active" })',
    'jobs.list({ "workflow.subworkflows.0.units.1.status": "active" }, { sort: { "statusTrack.0.trackedAt": -1 } })',
    'jobs.update("j1", { $set: { "workflow.units.0.name": text }, $push: { "workflow.subworkflows.$[].units": { type: text, flowchartId: text } } })',
    'jobs.create({ name: text, workflow: { _id: text }, _material: { _id: text } })',
  ].map((code) => ({ name: code, code: `export const answer = await ${code}` })),
  {
    name: 'a name that is none behind an index',
    code: `void materials.list({ 'basis.elements.0.valeu': 'Si' })`,
    error: 'valeu',
  },
  {
    name: 'an element of another type behind an index',
    code: `void jobs.update('j1', { $push: { 'outcome.results.0': 1, 'tags': 2 } })`,
    error: 'number',
  },
  {
    name: 'the progress of units',
    code: `
      const job = await jobs.get('j1')
      if (job.isEntitySet) throw new Error('a set')
      const same: Job = job
      const units: Unit[] = job.workflow?.subworkflows.flatMap((each) => each.units) ?? []
      const done: number = units.filter(({ status }) => status === 'finished').length
      const since = units.flatMap(({ statusTrack = [] }) => statusTrack.map((each) => each.trackedAt * 1000))
      const state: UnitStatus | undefined = units[0]?.status
      const files = units.flatMap(({ input = [] }) => input.map((each) => each.rendered ?? each.content))
      const status: Status = job.status
      const reasons = job.compute.errors?.map((each) => each.message)
      export const shown = [done, since, state, files, status, reasons]`,
  },
  {
    name: 'a unit of a list with fields',
    code: `
      const [job] = await jobs.list({}, { fields: { 'workflow.subworkflows.units.status': 1 } })
      export const status: UnitStatus | undefined = job?.workflow?.subworkflows[0]?.units[0]?.status`,
  },
  {
    name: 'properties by their names',
    code: `
      const draw = (bands: BandStructure): number[] | undefined => bands.yDataSeries[0]
      const [{ data }] = (await properties.list({ isEntitySet: false })) as [Property]
      if (data.name === 'band_structure') draw(data)
      if (data.name === 'density_of_states') (({ xDataArray, legend }: DensityOfStates) => [xDataArray[0]?.toFixed(), legend[0]?.element])(data)
      if (data.name === 'band_gaps') data.values.find(({ type }) => type === 'direct')?.value.toFixed()
      if (data.name === 'total_energy' || data.name === 'fermi_energy') data.value.toFixed(2)
      if (data.name === 'stress_tensor') data.value[0]?.[0]?.toFixed()
      if (data.name === 'final_structure') data.materialId?.trim()`,
  },
  {
    name: 'a property of one’s own',
    code: `
      declare module 'materials-mock/client' {
        interface PropertyTypes { hardness: { name: 'hardness'; value: number } }
      }
      const [one] = await properties.list({ 'data.name': 'hardness' })
      if (one?.data?.name === 'hardness') one.data.value.toFixed()`,
  },
  {
    name: 'sets and other items',
    code: `
      const found = await materials.list({ formula: 'Si' })
      for (const item of found) {
        const edge: number | undefined = item.lattice?.a
        if (item.isEntitySet) item.entitySetType === 'ordered'
        else item.lattice.a.toFixed()
      }
      const formulas: (string | undefined)[] = found.map(({ formula }) => formula)
      const lattices = (await materials.all({ isEntitySet: false })).map(({ lattice }) => lattice.a)
      const sets = await materials.list({ isEntitySet: true })
      const made = await materials.create({ name: text })
      const parts = await materials.list({ isEntitySet: false, tags: 'x' }, { fields: { lattice: 1 } })
      const page = await materials.page({ isEntitySet: { $ne: true } })
      const job: Job = await jobs.submit('j1')
      let set: MaterialSet | undefined
      for (const each of sets) if (each.isEntitySet) set = each
      export const shown = [set, formulas, lattices, made.lattice.a, parts[0]?.lattice.a, page.items[0]?.lattice?.a, job]`,
  },
  {
    name: 'a workflow that an imported file has',
    code: `
      const file = { name: 'x', subworkflows: [{ name: 'x', units: [{ type: 'execution', status: 'idle', flowchartId: 'a' }] }] }
      const made: Workflow = await workflows.create(file)
      const cell = { name: 'x', lattice: { type: 'FCC', a: 3.9 } }
      await materials.create(cell)
      export { made }`,
  },
  ...[
    ['materials.list({}, { sort: { naem: 1 } })', 'the items have no field naem'],
    ['materials.list({}, { sort: { name: 2 } })', "Type '2' is not assignable"],
    ['materials.list({}, { sort: { [field]: 2 } })', 'is not assignable'],
    ['materials.list({}, { sort: { [field]: "up" } })', 'is not assignable'],
    ['materials.list({}, { sort: field })', 'is not assignable'],
    ['materials.list({}, { fields: { naem: 1 } })', 'the items have no field naem'],
    ['materials.list({ "latice.a": 3 })', 'does not exist in type'],
    ['materials.list({ isEntitySet: "no" })', 'is not assignable'],
    ['materials.list({ [field]: { $gtx: 1 } })', 'is not assignable'],
    ['materials.list({ [field]: /x/ })', 'is not assignable'],
    ['jobs.list({ status: "done" })', '"done"'],
    ['jobs.list({ "workflow.subworkflows.units.status": "done" })', '"done"'],
    ['jobs.update("j1", { status: "done" })', '"done"'],
  ].map(([code = '', error = '']) => ({
    name: code,
    code: `export const answer = await ${code}`,
    error,
  })),
  ...[
    'materials.get("m1")).lattice.a',
    'materials.list())[0]!.lattice.a',
    'materials.page()).items[0]!.lattice.a',
    'materials.all({ formula: text }))[0]!.lattice.a',
    'materials.update("m1", { name: text })).lattice.a',
    'materials.copy("m1")).lattice.a',
    'materials.list({}, { fields: { lattice: 1 } }))[0]!.lattice.a',
    'materials.list({ isEntitySet: true }))[0]!.lattice.a',
  ].map((code) => ({
    name: `${code}, which may be a set`,
    code: `export const edge = (await ${code}`,
    error: "possibly 'undefined'",
  })),
  {
    name: 'a status that no unit has',
    code: `
      const job = await jobs.get('j1')
      export const none = job.workflow?.subworkflows[0]?.units[0]?.status === 'done'`,
    error: 'have no overlap',
  },
  {
    name: 'bands of a density of states',
    code: `
      const [one] = await properties.list()
      if (one?.data.name === 'density_of_states') one.data.spin`,
    error: "Property 'spin' does not exist",
  },
  {
    name: 'a workflow that may be null',
    code: `const job = await jobs.get('j1')\nexport const units = job.workflow.subworkflows`,
    error: "possibly 'null'",
  },
  {
    name: 'undefined for an option that may be left out',
    code: `export const answer = await materials.list({}, { limit: undefined })`,
    error: 'exactOptionalPropertyTypes',
  },
]

/** The options of the compiler for these programs. */
export const OPTIONS = {
  target: 'es2022',
  module: 'nodenext',
  strict: true,
  exactOptionalPropertyTypes: true,
  noEmit: true,
  types: [] as string[],
}

/** Returns what is wrong: each program whose errors are not those that it must have. */
export function judge(errorsOf: (index: number) => readonly string[]): string[] {
  return PROGRAMS.flatMap(({ name, error }, index) => {
    const errors = errorsOf(index)
    if (error === undefined) return errors.map((each) => `${name}: ${each}`)
    return errors.some((each) => each.includes(error))
      ? []
      : [`${name}: not the error "${error}", but ${errors.join('; ') || 'none'}`]
  })
}
