import { isJsonObject } from '@materials-mock/json'
import type { Json, JsonObject } from '@materials-mock/json'
import { computeFields } from '../computed-fields.js'
import { MAX_LENGTH, MIN_LENGTH } from '../structure.js'
import { round } from '../vector.js'
import { MAX_STRETCH } from './structure-model.js'
import type { StructureModel } from './structure-model.js'

const DECIMALS = 6

/**
 * Scaled to the bond length with the lowest made-up energy, unless its atoms have no bonds.
 * @param fields the `_id`, and what the server assigns
 */
export function makeRelaxedMaterial(
  material: JsonObject,
  { cell, stretch }: StructureModel,
  fields: JsonObject,
): JsonObject {
  const { a, b, c } = cell
  const wanted = stretch === MAX_STRETCH ? 1 : 1 / stretch
  const isPossible = [a, b, c].every(
    (edge) => edge * wanted > MIN_LENGTH && edge * wanted < MAX_LENGTH,
  )
  const scale = isPossible ? wanted : 1
  const { name = '', basis = null, lattice = null, tags = [], derivedProperties = [] } = material
  return computeFields({
    ...fields,
    name: `${String(name)} (relaxed)`,
    basis: scaleBasis(basis, scale),
    lattice: scaleLattice(lattice, scale),
    derivedProperties,
    isNonPeriodic: material.isNonPeriodic ?? false,
    tags,
    metadata: {},
  })
}

function scaleLattice(lattice: Json, scale: number): Json {
  if (!isJsonObject(lattice)) return lattice
  const { vectors: _, ...rest } = lattice
  const lengths = ['a', 'b', 'c'].map((edge) => [
    edge,
    Math.max(MIN_LENGTH, round((lattice[edge] as number) * scale, DECIMALS)),
  ])
  return { ...rest, ...Object.fromEntries(lengths) }
}

/** Crystal coordinates do not change with the cell. */
function scaleBasis(basis: Json, scale: number): Json {
  if (!isJsonObject(basis)) return basis
  const { cell: _, ...rest } = basis
  if (rest.units !== 'cartesian') return rest
  const coordinates = (rest.coordinates as readonly { id: number; value: number[] }[]).map(
    ({ id, value }) => ({ id, value: value.map((each) => round(each * scale, DECIMALS)) }),
  )
  return { ...rest, coordinates }
}
