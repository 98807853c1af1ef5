import { findOutcome, listUnits } from '@materials-mock/api'
import { BodyInvalid, isJsonObject, quote, toObject } from '@materials-mock/json'
import type { Json, JsonObject } from '@materials-mock/json'
import { DEFAULT_CLUSTER, resetJob } from './job-lifecycle.js'

/** The items of other resources that a new item may refer to, as seen by the account that writes. */
export interface RelatedItems {
  readonly has: (resource: string) => boolean
  readonly find: (resource: string, id: string) => JsonObject | undefined
  /** Returns the account's default item: its own, or else a default without an owner. */
  readonly findDefault: (resource: string) => JsonObject | undefined
}

const DEFAULT_COMPUTE: JsonObject = {
  ppn: 1,
  nodes: 1,
  queue: 'D',
  timeLimit: '01:00:00',
  notify: 'n',
  cluster: { fqdn: DEFAULT_CLUSTER },
  timeLimitType: 'per single attempt',
  isRestartable: true,
  arguments: {},
}

/**
 * With its whole workflow, references to its project and materials, and defaults, among them the
 * account's default workflow, project and material.
 * @param now in ms since the epoch
 * @throws BodyInvalid
 */
export function completeJob(item: JsonObject, related: RelatedItems, now: number): JsonObject {
  const slug = toSlug(typeof item.name === 'string' ? item.name : '') || 'job'
  const job = {
    ...item,
    ...completeMaterials(item, related),
    ...completeProject(item, related),
    ...completeWorkflow(item, related),
    compute: { ...DEFAULT_COMPUTE, ...toObject(item.compute) },
    dataset: item.dataset ?? {},
    runtimeContext: item.runtimeContext ?? {},
    schemaVersion: item.schemaVersion ?? '0.2.0',
    friendlySlugs: { slug: { base: slug, index: 0 } },
    slug,
  }
  checkOutcome(job)
  const isNew = item.status === undefined || item.status === 'pre-submission'
  if (isNew) return resetJob(job, now)
  return { statusTrack: [{ trackedAt: now, status: item.status! }], ...job }
}

function completeWorkflow({ workflow = null }: JsonObject, related: RelatedItems): JsonObject {
  if (workflow === null) {
    const byDefault = related.findDefault('workflows')
    return byDefault === undefined ? {} : { workflow: byDefault }
  }
  if (!isJsonObject(workflow)) throw invalidReference('workflow', workflow)
  if (Array.isArray(workflow.subworkflows) || Array.isArray(workflow.units)) return { workflow }
  return { workflow: findRelated('workflow', 'workflows', workflow, related) }
}

function completeProject({ _project = null }: JsonObject, related: RelatedItems): JsonObject {
  if (_project !== null && !related.has('projects')) return { _project }
  const project =
    _project === null
      ? related.findDefault('projects')
      : findRelated('_project', 'projects', _project, related)
  return project === undefined ? {} : { _project: toReference(project, 'Project') }
}

/** Completes `_materials`, and `_material`, which is the first of them. */
function completeMaterials(item: JsonObject, related: RelatedItems): JsonObject {
  const { _material, _materials } = item
  if (Array.isArray(_materials) && _materials.length > 0) {
    const references = _materials.map((each: Json, index) =>
      completeMaterial(`_materials.${index}`, each, related),
    )
    return { _materials: references, _material: references[0]! }
  }
  if (isJsonObject(_material)) {
    const reference = completeMaterial('_material', _material, related)
    return { _material: reference, _materials: [reference] }
  }
  // A shell job has no material: published notebooks send the text "null".
  if (_material !== undefined) return { _material, _materials: [] }
  const byDefault = related.findDefault('materials')
  if (byDefault === undefined) return {}
  const reference = toReference(byDefault, 'Material')
  return { _material: reference, _materials: [reference] }
}

const completeMaterial = (path: string, value: Json, related: RelatedItems): Json =>
  related.has('materials')
    ? toReference(findRelated(path, 'materials', value, related), 'Material')
    : value

/** Returns a job's reference to an item. */
const toReference = ({ _id, slug, name }: JsonObject, cls: string): JsonObject => ({
  _id: String(_id),
  slug: slug ?? toSlug(typeof name === 'string' ? name : ''),
  cls,
})

/** @throws BodyInvalid for a value without the `_id` of an item that the account sees */
function findRelated(
  path: string,
  resource: string,
  value: Json,
  related: RelatedItems,
): JsonObject {
  if (!isJsonObject(value) || typeof value._id !== 'string') throw invalidReference(path, value)
  const item = related.find(resource, value._id)
  if (item === undefined || item.isEntitySet === true) {
    const found = item === undefined ? 'no item' : 'a set'
    throw new BodyInvalid(
      `${path}._id must be the _id of an item of /${resource}, which has ${found} with _id ${quote(value._id)}`,
    )
  }
  return item
}

const invalidReference = (path: string, value: Json): Error =>
  new BodyInvalid(`${path} must be an object with an _id, not ${quote(value)}`)

/** @throws BodyInvalid for an outcome of a unit that the workflow of the job does not have */
function checkOutcome(job: JsonObject): void {
  const { unit, results = [] } = findOutcome(job)
  const known = new Set(listUnits(job).flatMap(({ id, name }) => [name, id]))
  const unknown = [unit, ...results.map((result) => result.unit)].find(
    (each) => each !== undefined && !known.has(each),
  )
  if (unknown === undefined) return
  const path = isJsonObject(job.outcome) ? 'outcome' : 'workflow.outcome'
  throw new BodyInvalid(
    `${path} must name units of the job's workflow, by name or flowchartId, not ${quote(unknown)}`,
  )
}

const MAX_LENGTH = 100

/** Returns a name for paths: `Silicon band gap (v2)` is `silicon-band-gap-v2`. */
export const toSlug = (name: string): string =>
  name
    .slice(0, 4 * MAX_LENGTH)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}+/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_LENGTH)
    .replace(/^-|-$/g, '')
