import { isJsonObject } from '../../json/json.js'
import type { Json, JsonObject } from '../../json/json.js'
import { getAt, isPathSegment } from './sample.js'
import type { Sample } from './sample.js'

/** A path, and its value in each item of a sample. */
export interface SampledPath {
  readonly path: string
  readonly values: readonly (Json | undefined)[]
}

/** Paths that are good to query by, because every deployment stores them. They come first. */
const FAMILIAR = [
  'name',
  'formula',
  'unitCellFormula',
  'slug',
  'status',
  'lattice.a',
  'lattice.type',
]

/** The levels of objects in which paths are looked for. */
const MAX_LEVELS = 5

/**
 * Returns the paths of a sample that pass through objects alone: no item has an array on the way.
 * Their values may be arrays. `_id` is not among them. Familiar paths come first, then short ones.
 */
export function findPaths({ items }: Sample): SampledPath[] {
  const paths = new Set<string>()
  const throughArrays = new Set<string>()
  for (const item of items) collect(item, '', 1, paths, throughArrays)
  paths.delete('_id')
  return [...paths]
    .filter((path) => ![...throughArrays].some((prefix) => path.startsWith(`${prefix}.`)))
    .toSorted((a, b) => rank(a) - rank(b) || a.length - b.length || (a < b ? -1 : 1))
    .map((path) => ({ path, values: items.map((item) => getAt(item, path)) }))
}

function collect(
  value: JsonObject,
  prefix: string,
  level: number,
  paths: Set<string>,
  throughArrays: Set<string>,
): void {
  for (const [key, child] of Object.entries(value)) {
    if (!isPathSegment(key)) continue
    paths.add(prefix + key)
    if (Array.isArray(child)) throughArrays.add(prefix + key)
    if (isJsonObject(child) && level < MAX_LEVELS)
      collect(child, `${prefix}${key}.`, level + 1, paths, throughArrays)
  }
}

function rank(path: string): number {
  const index = FAMILIAR.indexOf(path)
  return index === -1 ? FAMILIAR.length : index
}
