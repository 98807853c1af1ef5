import {
  findOutcome,
  formatGroup,
  listRecords,
  listResultNames,
  listUnits,
} from '@materials-mock/api'
import type { GivenResult, WorkflowUnit } from '@materials-mock/api'
import { isJsonObject, toObject } from '@materials-mock/json'
import type { Json, JsonObject } from '@materials-mock/json'
import {
  choosePath,
  computeElectrons,
  computeKppra,
  createNumbers,
  createStructureModel,
  deriveIdentifier,
  listPathPoints,
  makeBandGaps,
  makePropertyData,
  makeRelaxedMaterial,
} from '@materials-mock/structures'
import type {
  Electrons,
  PathPoint,
  PropertyInput,
  StructureModel,
  Vector,
} from '@materials-mock/structures'
import type { Work } from '@materials-mock/work'
import { makePredictWorkflow } from './workflows/predict-workflow.js'
import { listSteps } from './run-units.js'

/** A job that has run, and its materials as they were at its end. */
export interface EndedJob {
  readonly job: JsonObject
  readonly materials: readonly JsonObject[]
  /** The time in ms since the epoch. */
  readonly endedAt: number
}

interface CountedRun extends EndedJob {
  /** The number of results so far by their names, because two units may have the same id. */
  readonly counts: Map<string, number>
}

export interface JobResult {
  readonly resource: string
  readonly item: JsonObject
}

/**
 * Creates the results of a job: a property for each result of each unit that runs, a material for each
 * relaxation, a workflow for each trained model, and a charge. The numbers are made up, and the same for the
 * same structure and workflow. The job's owner owns the items, and their `_id`s follow from the job's `_id`.
 */
export function* createResults(run: EndedJob): Work<JobResult[]> {
  const { status = 'finished', results } = findOutcome(run.job)
  const ofUnits =
    results !== undefined || status === 'finished' ? yield* createUnitResults(run) : []
  const fields = assignFields({ ...run, counts: new Map() }, 'charge')
  return [...ofUnits, { resource: 'charges', item: { ...fields, ...createCharge(run.job) } }]
}

export function* createUnitResults(run: EndedJob): Work<JobResult[]> {
  const { results } = findOutcome(run.job)
  const counted = { ...run, counts: new Map<string, number>() }
  return results === undefined
    ? yield* createMadeUpResults(counted)
    : yield* createGivenResults(counted, results)
}

function* createMadeUpResults(run: CountedRun): Work<JobResult[]> {
  const made: JobResult[] = []
  let [material] = run.materials
  let model = createStructureModel(material)
  let path = listPathPoints(findPath(run.job, model))
  for (const workflowUnit of new Set(listSteps(run.job))) {
    const names = listResultNames(workflowUnit.unit)
    const isRelaxed = names.includes('final_structure')
    if (isRelaxed && material !== undefined && model !== undefined) {
      const fields = assignFields(run, `${workflowUnit.id} final structure`)
      material = makeRelaxedMaterial(material, model, fields)
      model = createStructureModel(material)
      path = listPathPoints(findPath(run.job, model))
      made.push({ resource: 'materials', item: material })
    }
    const context = { run, workflowUnit, material, model, path, isRelaxed }
    for (const name of names) {
      made.push(...(yield* createMadeUpResult(name, context)))
      yield 'finishing jobs'
    }
  }
  return made
}

interface UnitContext {
  readonly run: CountedRun
  readonly workflowUnit: WorkflowUnit
  readonly material: JsonObject | undefined
  readonly model: StructureModel | undefined
  readonly path: readonly Vector[]
  readonly isRelaxed: boolean
}

function* createMadeUpResult(name: string, context: UnitContext): Work<JobResult[]> {
  const { run, workflowUnit, material, model, path, isRelaxed } = context
  const toProperty = (data: JsonObject): JobResult =>
    createProperty(run, workflowUnit.id, data, formatGroup(workflowUnit), model)
  const materialId = material?._id ?? ''
  if (name === 'final_structure')
    return [toProperty({ ...material, name, isRelaxed: true, materialId })]
  if (name === 'is_relaxed') return [toProperty({ name, value: isRelaxed, materialId })]
  if (name === 'workflow:ml_predict') {
    const fields = assignFields(run, `${workflowUnit.id} workflow`)
    const workflow = makePredictWorkflow(workflowUnit.subworkflow, fields)
    return [{ resource: 'workflows', item: workflow }, toProperty({ ...workflow, name })]
  }
  if (name === 'predicted_properties') {
    const values: [string, Json][] = []
    for (const each of run.materials) {
      const input = toInput('band_gaps', workflowUnit, createStructureModel(each))
      values.push([findExabyteId(each), [{ name: 'band_gaps', values: makeBandGaps(input) }]])
      yield 'finishing jobs'
    }
    return [toProperty({ name, values: Object.fromEntries(values) })]
  }
  const electrons = ELECTRONIC.has(name) ? yield* findElectrons(context) : undefined
  const input = { ...toInput(name, workflowUnit, model, path), electrons }
  return [toProperty(makePropertyData(name, input))]
}

/** Returns the path of the bands of a job: that of its first unit with a `kpath`, else that of the lattice. */
export function findPath(job: JsonObject, model: StructureModel | undefined): readonly PathPoint[] {
  const contexts = listUnits(job)
    .flatMap(({ unit }) => unit.context ?? [])
    .filter(isJsonObject)
  return choosePath(model?.cell, contexts.find(({ kpath }) => kpath !== undefined)?.kpath)
}

const ELECTRONIC = new Set(['band_gaps', 'band_structure', 'density_of_states', 'fermi_energy'])

/** The electrons of materials, because each file of a job needs them again. Others are made anew. */
const known = new WeakMap<JsonObject, { readonly points: string; readonly electrons?: Electrons }>()

/** Computes the electrons of a material, or returns those that are known. */
function* findElectrons({ material, model, path }: UnitContext): Work<Electrons | undefined> {
  if (material === undefined || model === undefined) return undefined
  const points = JSON.stringify(path)
  const former = known.get(material)
  if (former?.points === points) return former.electrons
  const electrons = yield* computeElectrons(model, path)
  known.set(material, { points, ...(electrons && { electrons }) })
  return electrons
}

/** Properties that are computed from the same numbers as another property. */
const SAME_NUMBERS: ReadonlyMap<string, string> = new Map([
  ['total_force', 'atomic_forces'],
  ['stress_tensor', 'pressure'],
])

function toInput(
  name: string,
  { unit, subworkflow }: WorkflowUnit,
  model: StructureModel | undefined,
  path: readonly Vector[] = [],
): PropertyInput {
  const { application, executable, flavor, input } = unit
  const seed = [unit.name, application, executable, flavor, input, subworkflow.model].map(
    (each) => each ?? null,
  )
  const symbols = (model?.atoms ?? []).map(({ symbol }) => symbol).toSorted()
  const numbersName = SAME_NUMBERS.get(name) ?? name
  return {
    model,
    path,
    unitNumbers: createNumbers(JSON.stringify([seed, numbersName, [...new Set(symbols)]])),
    numbers: createNumbers(JSON.stringify([seed, numbersName, model?.hash ?? null])),
  }
}

function* createGivenResults(run: CountedRun, results: readonly GivenResult[]): Work<JobResult[]> {
  const given: JobResult[] = []
  const units = listUnits(run.job)
  const model = createStructureModel(run.materials[0])
  for (const { unit, data } of results) {
    const found =
      unit === undefined
        ? (units.find((each) => listResultNames(each.unit).includes(data.name)) ?? units[0])
        : units.find(({ id, name }) => id === unit || name === unit)
    const group = found === undefined ? '' : formatGroup(found)
    given.push(createProperty(run, found?.id ?? unit ?? '', toObject(data), group, model))
    yield 'finishing jobs'
  }
  return given
}

function createProperty(
  run: CountedRun,
  unitId: string,
  data: JsonObject,
  group: string,
  model: StructureModel | undefined,
): JobResult {
  const name = String(data.name)
  const item = {
    ...assignFields(run, `${unitId} property ${name}`),
    slug: name,
    group,
    data,
    source: { type: 'materials-mock', info: { jobId: String(run.job._id), unitId } },
    exabyteId: run.materials.map(findExabyteId),
    precision: { value: computeKppra(model), metric: 'KPPRA' },
    repetition: 0,
    systemTags: [],
    tags: [],
  }
  return { resource: 'properties', item }
}

const findExabyteId = ({ _id, exabyteId }: JsonObject): string =>
  typeof exabyteId === 'string' ? exabyteId : String(_id)

/** @param name in the job. Each further result of the name gets an `_id` of its own */
function assignFields({ job, endedAt, counts }: CountedRun, name: string): JsonObject {
  const count = counts.get(name) ?? 0
  counts.set(name, count + 1)
  const time = new Date(endedAt).toISOString()
  const references = ['owner', 'creator'].flatMap((key) =>
    isJsonObject(job[key]) ? [[key, job[key]] as const] : [],
  )
  const userId = toObject(job.creator)._id ?? null
  return {
    _id: deriveIdentifier(`job ${String(job._id)}: ${name}${count === 0 ? '' : ` ${count}`}`),
    isDefault: false,
    ...Object.fromEntries(references),
    inSet: [],
    isEntitySet: false,
    schemaVersion: '0.2.0',
    createdAt: time,
    createdBy: userId,
    updatedAt: time,
    updatedBy: userId,
  }
}

/** The made-up price of one core for a second. */
const PRICE = 0.00001

function createCharge(job: JsonObject): JsonObject {
  const compute = toObject(job.compute)
  const { nodes = 1, ppn = 1, queue = 'D' } = compute
  const cluster = toObject(compute.cluster)
  const seconds = computeRunTime(job)
  const amount = Math.round(Number(nodes) * Number(ppn) * seconds * PRICE * 1e6) / 1e6
  return {
    jid: cluster.jid ?? null,
    type: 'compute',
    amount: Number.isFinite(amount) ? amount : 0, // a job may have any nodes
    units: 'USD',
    walltime: seconds,
    compute: { nodes, ppn, queue, cluster },
    source: { type: 'materials-mock', info: { jobId: String(job._id) } },
  }
}

/** Returns the time that a job was active, in seconds. */
function computeRunTime(job: JsonObject): number {
  const records = listRecords(job)
  const start = records.findLast(({ status }) => status === 'active')
  const end = records.at(-1)
  return start === undefined || end === undefined ? 0 : (end.at - start.at) / 1000
}
