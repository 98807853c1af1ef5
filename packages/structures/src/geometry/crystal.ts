import type { Basis, Lattice } from '@materials-mock/api'
import {
  computeDeterminant,
  findBorderTolerance,
  isPossibleCell,
  toCellVectors,
  toCrystalCoordinates,
} from '../cell.js'
import type { CellParameters, CellVectors } from '../cell.js'
import { UNIT_VECTORS, mapVector, scale } from '../vector.js'
import type { Vector } from '../vector.js'

/** A material as a picture needs it. Its fields may be any JSON. */
export interface DrawableMaterial {
  readonly lattice?: unknown
  readonly basis?: unknown
  /** Whether the material is a molecule, whose cell is only a box and does not repeat. */
  readonly isNonPeriodic?: unknown
  readonly [field: string]: unknown
}

export interface Site {
  /** The symbol of its element, or any other text in its place. */
  readonly symbol: string
  /** Distinguishes atoms of one element; empty if the atom has none. */
  readonly label: string
  /**
   * In units of the cell's edges; in a crystal from 0 to below 1, apart from `findBorderTolerance`.
   */
  readonly coordinate: Vector
}

/** The sites of a crystal's cell, or of a molecule. */
export interface Crystal {
  readonly sites: readonly Site[]
  readonly vectors: CellVectors
  /** Whether the cell repeats along its edges. */
  readonly isPeriodic: boolean
}

export interface Undrawable {
  readonly reason: string
}

/**
 * Accepts more than `parseStructure`: a fixture may have any structure. Vectors take precedence
 * over lengths and angles; a molecule with Cartesian coordinates needs neither.
 */
export function readCrystal(material: DrawableMaterial): Crystal | Undrawable {
  const basis = (material.basis ?? {}) as Basis
  const elements = toArray(basis.elements)
  if (elements.length === 0) return { reason: 'This material has no atoms' }
  const isPeriodic = material.isNonPeriodic !== true
  const isCartesian = basis.units === 'cartesian'
  const vectors =
    readVectors((material.lattice ?? {}) as Lattice) ??
    (isPeriodic || !isCartesian ? undefined : UNIT_VECTORS)
  if (vectors === undefined) return { reason: 'This material has no possible lattice' }

  const points = new Map(toArray(basis.coordinates).map((entry) => [entry?.id, entry?.value]))
  const labels = new Map(toArray(basis.labels).map((entry) => [entry?.id, entry?.value]))
  const tolerance = findBorderTolerance(vectors)
  const sites: Site[] = []
  for (const { id, value } of elements) {
    const point = points.get(id)
    if (!isVector(point)) return { reason: `The atom with id ${String(id)} has no coordinate` }
    const coordinate = isCartesian ? toCrystalCoordinates(point, vectors) : point
    sites.push({
      symbol: String(value),
      label: String(labels.get(id) ?? ''),
      coordinate: isPeriodic ? wrapIntoCell(coordinate, tolerance) : coordinate,
    })
  }
  return { sites, vectors, isPeriodic }
}

export const isDrawable = (crystal: Crystal | Undrawable): crystal is Crystal => 'sites' in crystal

/** Returns the edges of a cell in Å; undefined for a cell without a volume. */
function readVectors(lattice: Lattice): CellVectors | undefined {
  const { a, b, c, alat = 1 } = lattice.vectors ?? {}
  const given = [a, b, c].map((edge) => (isVector(edge) ? scale(edge, alat) : undefined))
  if (isCell(given)) return given
  const { alpha, beta, gamma } = lattice
  const cell = { a: lattice.a, b: lattice.b, c: lattice.c, alpha, beta, gamma }
  if (!Object.values(cell).every((value) => Number.isFinite(value))) return undefined
  if (!isPossibleCell(cell as CellParameters)) return undefined
  const vectors = toCellVectors(cell as CellParameters)
  return isCell(vectors) ? vectors : undefined
}

const isCell = (vectors: readonly (Vector | undefined)[]): vectors is CellVectors =>
  vectors.every((edge) => edge !== undefined) &&
  Math.abs(computeDeterminant(vectors as CellVectors)) > 1e-9

const isVector = (value: unknown): value is Vector =>
  Array.isArray(value) && value.length === 3 && value.every((each) => Number.isFinite(each))

const wrapIntoCell = (coordinate: Vector, tolerance: Vector): Vector =>
  mapVector(coordinate, (value, axis) => {
    const inside = value - Math.floor(value)
    return inside >= 1 - tolerance[axis] ? inside - 1 : inside
  })

const toArray = <Entry>(value: readonly Entry[] | undefined): readonly Entry[] =>
  Array.isArray(value) ? value : []
