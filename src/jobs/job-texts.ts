import { MS_OF_UNITS, listRecords, listUnits } from '@materials-mock/api'
import type { WorkflowUnit } from '@materials-mock/api'
import { findObjects, isJsonObject, toObject } from '@materials-mock/json'
import type { Json, JsonObject } from '@materials-mock/json'
import { ELEMENTS, createStructureModel, makeKGrid } from '@materials-mock/structures'
import type { PathPoint, StructureModel } from '@materials-mock/structures'
import type { Work } from '@materials-mock/work'
import { toSlug } from './complete-job.js'
import { createUnitResults, findPath } from './job-results.js'
import type { EndedJob } from './job-results.js'
import { MAX_RENDERED, renderTemplate } from './template.js'

interface JobText {
  readonly name: string
  readonly text: string
}

interface ReadJob extends EndedJob {
  /** The time at which the files are read, in ms since the epoch. */
  readonly now: number
  /** The job with the records of its whole life. */
  readonly whole: JsonObject
  readonly isWanted: (name: string) => boolean
}

/**
 * The inputs of each unit, rendered for the job's material, the log of a submitted job, and the
 * output of each execution unit, which grows while it runs. Outputs have the made-up numbers of the
 * results, and say so.
 * @throws BoundExceeded if all inputs together are too long
 */
export function* createJobTexts(run: ReadJob, directory: string): Work<readonly JobText[]> {
  const texts: JobText[] = []
  const units = listUnits(run.job)
  const model = createStructureModel(run.materials[0])
  const context = createTemplateContext(model, findPath(run.job, model), directory)
  let room = MAX_RENDERED
  for (const { unit } of units) {
    for (const input of findObjects(unit, 'input')) {
      const template = readInput(input)
      if (template === undefined || !run.isWanted(template.name)) continue
      yield 'writing the response'
      const text = renderTemplate(template.text, context, room)
      room -= text.length
      texts.push({ name: template.name, text })
    }
  }
  const { status } = run.job
  if (typeof status !== 'string' || status === 'pre-submission') return texts
  const ended = listUnits(run.whole)
  const isRead = run.isWanted('pw.out') ? () => true : (name: string) => run.isWanted(`${name}.out`)
  const executed = units
    .map((each, at) => ({
      each,
      share: findProgress(run, each.unit, ended[at]?.unit ?? each.unit),
    }))
    .filter(({ each, share }) => each.unit.type === 'execution' && share > 0 && isRead(each.name))
  const results = executed.length > 0 ? yield* createUnitResults(run) : []
  const properties = results.flatMap(({ resource, item }) =>
    resource === 'properties' ? [item] : [],
  )
  for (const { each, share } of executed) {
    texts.push(...createOutputs(each, properties, share))
    yield 'writing the response'
  }
  texts.push({ name: 'job.log', text: formatLog(run, units) })
  return texts
}

/**
 * From 0 to 1.
 * @param ended the unit at the end of the job
 */
function findProgress({ job, now }: ReadJob, unit: JsonObject, ended: JsonObject): number {
  if (unit.status === 'finished') return 1
  // The units of a job of the fixtures may have no records.
  if (job.status === 'finished') return isPassedOver(unit) ? 0 : 1
  if (unit.status === 'error') return FAILED_SHARE
  const start = listRecords(unit, MS_OF_UNITS).at(-1)
  const end = listRecords(ended, MS_OF_UNITS).find(({ at }) => at > now)
  if (unit.status !== 'active' || start === undefined || end === undefined) return 0
  const passed = (now - start.at) / (end.at - start.at)
  return end.status === 'error' ? passed * FAILED_SHARE : passed
}

/** Whether the flowchart of a job that has run here did not lead to a unit. */
const isPassedOver = (unit: JsonObject): boolean =>
  unit.status === 'idle' && findObjects(unit, 'statusTrack').length > 0

/** The share of its output that a failing unit has written. */
const FAILED_SHARE = 0.6

function readInput(input: JsonObject): JobText | undefined {
  const template = toObject(input.template)
  const name = input.name ?? template.name
  const contents = [input.rendered, template.rendered, input.content, template.content]
  const content = contents.find((each) => typeof each === 'string' && each !== '')
  if (typeof name !== 'string' || typeof content !== 'string') return undefined
  return { name, text: content }
}

function* createOutputs(
  { unit, id, name }: WorkflowUnit,
  properties: readonly JsonObject[],
  progress: number,
): Generator<JobText> {
  const own = properties.filter(({ source }) => toObject(toObject(source).info).unitId === id)
  const application = toObject(unit.application).name
  const isShell = application === 'shell'
  const isScript = isShell || application === 'python' || application === 'jupyterLab'
  const data = own.map((property) => property.data ?? null).filter(isJsonObject)
  const write = (lines: readonly string[]): string =>
    [...lines.slice(0, Math.ceil(lines.length * progress)), ''].join('\n')
  yield { name: `${name}.out`, text: write(isScript ? formatScript(data) : formatPw(name, data)) }
  // A shell script writes the files that it names.
  if (isShell && JSON.stringify(unit.input ?? null).includes('pw.out')) {
    const hasEnergy = data.some((each) => each.name === 'total_energy')
    const written = hasEnergy ? data : [...data, SCRIPT_ENERGY]
    yield { name: 'pw.out', text: write(formatPw(name, written)) }
  }
}

const MADE_UP = 'Made up by materials-mock: these numbers are not physics.'

/** Formats the output of a script. Its notebook makes a table of the lines that are JSON objects. */
function formatScript(data: readonly JsonObject[]): string[] {
  const numbers = data.filter(({ value }) => typeof value === 'number')
  const entries = numbers.map(({ name, value = null }): [string, Json] => [String(name), value])
  return [MADE_UP, '', JSON.stringify(Object.fromEntries([['isMadeUp', true], ...entries]))]
}

/** One Rydberg in eV (CODATA 2022). */
const RYDBERG = 13.605693123

/** The energy in eV of a script that declares none, although its notebook reads one. */
const SCRIPT_ENERGY: JsonObject = { name: 'total_energy', value: -215.8 }

function formatPw(name: string, data: readonly JsonObject[]): string[] {
  const energy = data.find((each) => each.name === 'total_energy')?.value
  return [
    `     ${MADE_UP}`,
    '',
    `     Program PWSCF, unit ${name}`,
    '',
    ...(typeof energy === 'number' ? formatIterations(energy) : []),
    ...data.flatMap(formatData),
    '',
    '     JOB DONE.',
  ]
}

const ITERATIONS = 5

/** Formats the iterations before the final energy, in eV, as pw.x does. */
function formatIterations(energy: number): string[] {
  const iterations = Array.from({ length: ITERATIONS }, (_, index) => {
    const accuracy = 0.1 ** (index + 1)
    return [
      `     iteration # ${String(index + 1).padStart(2)}     ecut=    40.00 Ry     beta= 0.30`,
      '',
      `     total energy              = ${formatRydberg(energy + accuracy)}`,
      `     estimated scf accuracy    < ${formatRydberg(accuracy)}`,
      '',
    ]
  })
  return [
    '     Self-consistent Calculation',
    '',
    ...iterations.flat(),
    '     End of self-consistent calculation',
    '',
    `     convergence has been achieved in ${String(ITERATIONS).padStart(3)} iterations`,
    '',
  ]
}

const formatRydberg = (energy: number): string => `${(energy / RYDBERG).toFixed(8).padStart(16)} Ry`

function formatData({ name, value, units = '' }: JsonObject): string[] {
  if (name === 'total_energy' && typeof value === 'number')
    return [`!    total energy              = ${formatRydberg(value)}`]
  if (name === 'fermi_energy' && typeof value === 'number')
    return [`     the Fermi energy is ${value.toFixed(4).padStart(9)} ev`]
  if (name === 'pressure' && typeof value === 'number')
    return [`     total   stress  (Ry/bohr**3)  (kbar)     P=${value.toFixed(2).padStart(12)}`]
  return typeof value === 'number' ? [`     ${String(name)} = ${value} ${String(units)}`] : []
}

const ENDS: ReadonlySet<string> = new Set(['finished', 'error'])

/** The times of the job and of its units, in order, and its errors. */
function formatLog({ job }: EndedJob, units: readonly WorkflowUnit[]): string {
  const { compute } = job
  const ofJob = listRecords(job).map(({ at, status }) => ({ at, text: status }))
  // At the same time, the job starts before its first unit, and ends after its last.
  const starts = ofJob.filter(({ text }) => !ENDS.has(text))
  const ends = ofJob.filter(({ text }) => ENDS.has(text))
  const ofUnits = units.flatMap(({ unit, name }) =>
    listRecords(unit, MS_OF_UNITS)
      .filter(({ status }) => status !== 'idle')
      .map(({ at, status }) => ({ at, text: `unit ${name} ${status}` })),
  )
  const lines = [...starts, ...ofUnits, ...ends]
    .toSorted((one, other) => one.at - other.at)
    .map(({ at, text }) => `${new Date(at).toISOString()} ${text}`)
  const errors = findObjects(compute, 'errors')
  return [...lines, ...errors.map(({ message }) => `ERROR: ${String(message)}`), ''].join('\n')
}

/**
 * What inputs of Quantum ESPRESSO name. As on the platform, positions have labels, and the flags
 * `if_pos` (1 free, 0 fixed) if an atom is fixed along an edge.
 */
function createTemplateContext(
  model: StructureModel | undefined,
  path: readonly PathPoint[],
  directory: string,
): JsonObject {
  const atoms = model?.atoms ?? []
  const symbols = [...new Set(atoms.map(({ symbol }) => symbol))]
  const species = new Map(atoms.map(({ symbol, label }) => [symbol + label, symbol]))
  const positions = atoms.map(({ symbol, label, coordinate }) =>
    formatRow(symbol + label, coordinate),
  )
  const isFree = atoms.every(({ constraint }) => !constraint.includes(false))
  const constrained = atoms.map(
    ({ constraint }, index) => `${positions[index]} ${constraint.map(Number).join(' ')}`,
  )
  return {
    JOB_WORK_DIR: directory,
    input: {
      RESTART_MODE: 'from_scratch',
      IBRAV: 0,
      NAT: atoms.length,
      NTYP: symbols.length,
      NTYP_WITH_LABELS: species.size,
      ATOMIC_SPECIES: symbols.map((symbol) => formatSpecies(symbol, symbol)).join('\n'),
      ATOMIC_SPECIES_WITH_LABELS: [...species].map((each) => formatSpecies(...each)).join('\n'),
      ATOMIC_POSITIONS: (isFree ? positions : constrained).join('\n'),
      ATOMIC_POSITIONS_WITHOUT_CONSTRAINTS: positions.join('\n'),
      CELL_PARAMETERS: (model?.vectors ?? []).map((vector) => formatRow('', vector)).join('\n'),
    },
    cutoffs: { wavefunction: 40, density: 200 },
    kgrid: { dimensions: makeKGrid(model).join(' '), shifts: '0 0 0' },
    kpath: [path.length, ...path.map(formatPathPoint)].join('\n'),
  }
}

const formatPathPoint = ({ coordinates, steps }: PathPoint): string =>
  `${coordinates.map((each) => each.toFixed(9)).join(' ')} ${steps}`

const formatSpecies = (name: string, symbol: string): string =>
  `${name} ${ELEMENTS.get(symbol)?.mass ?? 0} ${symbol.toLowerCase()}_pbe_gbrv_1.0.upf`

const formatRow = (symbol: string, values: readonly number[]): string =>
  [symbol.padEnd(2), ...values.map((value) => value.toFixed(9).padStart(14))].join(' ').trimEnd()

export function formatJobDirectory({ _id, owner, _project, slug, name }: JsonObject): string {
  const jobSlug = typeof slug === 'string' ? slug : toSlug(typeof name === 'string' ? name : '')
  return [
    '/cluster-001-home',
    findSlug(owner, 'nobody'),
    'data',
    findSlug(_project, 'default'),
    [jobSlug, _id].filter((part) => part !== '').join('-'),
  ].join('/')
}

function findSlug(reference: Json | undefined, otherwise: string): string {
  const { slug } = toObject(reference)
  return typeof slug === 'string' ? slug : otherwise
}
