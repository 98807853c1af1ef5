import { isJsonObject } from '../../../json/json.js'
import type { JsonObject } from '../../../json/json.js'
import { createStructureModel } from '../../results/structure-model.js'
import { findObjects, listUnits } from '../units.js'
import type { WorkflowUnit } from '../units.js'
import { createResults } from '../job-results.js'
import type { JobRun } from '../job-results.js'
import { MAX_RENDERED, renderTemplate } from './template.js'
import { createTemplateContext } from './template-context.js'
import type { Work } from '../../../work/work.js'

/** A file of a job, as text. */
export interface JobText {
  readonly name: string
  readonly text: string
}

/**
 * Creates the files of a job: the inputs of each unit, rendered for the job's material. A job that has
 * finished also has the output of each unit, and one that has ended a log. The outputs have the made-up
 * numbers of the results, and say so.
 * @param directory the working directory of the job
 * @throws BoundExceeded if the inputs are too long together
 */
export function* createJobTexts(run: JobRun, directory: string): Work<readonly JobText[]> {
  const texts: JobText[] = []
  const units = listUnits(run.job)
  const context = createTemplateContext(createStructureModel(run.materials[0]), directory)
  let room = MAX_RENDERED
  for (const { unit } of units) {
    for (const input of findObjects(unit, 'input')) {
      yield 'writing the response'
      const file = renderInput(input, context, room)
      if (file === undefined) continue
      room -= file.text.length
      texts.push(file)
    }
  }
  const { status } = run.job
  if (status === 'finished') {
    const properties: JsonObject[] = []
    for (const { resource, item } of createResults(run)) {
      if (resource === 'properties') properties.push(item)
      yield 'writing the response'
    }
    for (const each of units) {
      if (each.unit.type === 'execution') texts.push(...createOutputs(each, properties))
      yield 'writing the response'
    }
  }
  if (status === 'finished' || status === 'error')
    texts.push({ name: 'job.log', text: formatLog(run) })
  return texts
}

/** An input has its template itself, or in `template`; what a client has rendered comes first. */
function renderInput(input: JsonObject, context: JsonObject, room: number): JobText | undefined {
  const template = isJsonObject(input.template) ? input.template : {}
  const name = input.name ?? template.name
  const contents = [input.rendered, template.rendered, input.content, template.content]
  const content = contents.find((each) => typeof each === 'string' && each !== '')
  if (typeof name !== 'string' || typeof content !== 'string') return undefined
  return { name, text: renderTemplate(content, context, room) }
}

function* createOutputs(
  { unit, id, name }: WorkflowUnit,
  properties: readonly JsonObject[],
): Generator<JobText> {
  const own = properties.filter(
    ({ source }) => isJsonObject(source) && isJsonObject(source.info) && source.info.unitId === id,
  )
  const isShell = isJsonObject(unit.application) && unit.application.name === 'shell'
  const text = formatOutput(name, own, isShell)
  yield { name: `${name}.out`, text }
  // A shell script writes the files that it names.
  if (isShell && JSON.stringify(unit.input ?? null).includes('pw.out'))
    yield { name: 'pw.out', text }
}

/** One Rydberg in eV (CODATA 2022). */
const RYDBERG = 13.605693123

function formatOutput(name: string, properties: readonly JsonObject[], isShell: boolean): string {
  const lines = properties.flatMap(({ data }) => (isJsonObject(data) ? formatData(data) : []))
  // A script declares no results, and its notebook reads the energy.
  const energy = isShell ? formatData({ name: 'total_energy', value: -215.8 }) : []
  return [
    '     Made up by materials-mock: these numbers are not physics.',
    '',
    `     Program PWSCF, unit ${name}`,
    '',
    ...lines,
    ...energy,
    '',
    '     JOB DONE.',
    '',
  ].join('\n')
}

function formatData({ name, value, units = '' }: JsonObject): string[] {
  if (name === 'total_energy' && typeof value === 'number')
    return [`!    total energy              = ${(value / RYDBERG).toFixed(8).padStart(16)} Ry`]
  if (name === 'fermi_energy' && typeof value === 'number')
    return [`     the Fermi energy is ${value.toFixed(4).padStart(9)} ev`]
  if (name === 'pressure' && typeof value === 'number')
    return [`     total   stress  (Ry/bohr**3)  (kbar)     P=${value.toFixed(2).padStart(12)}`]
  return typeof value === 'number' ? [`     ${String(name)} = ${value} ${String(units)}`] : []
}

function formatLog({ job }: JobRun): string {
  const { statusTrack = [], compute = null } = job
  const records = Array.isArray(statusTrack) ? statusTrack.filter(isJsonObject) : []
  const lines = records.flatMap(({ trackedAt, status }) =>
    typeof trackedAt === 'number' && trackedAt >= 0 && trackedAt < 8.64e15
      ? [`${new Date(trackedAt).toISOString()} ${String(status)}`]
      : [],
  )
  const errors = isJsonObject(compute) ? findObjects(compute, 'errors') : []
  return [...lines, ...errors.map(({ message }) => `ERROR: ${String(message)}`), ''].join('\n')
}
