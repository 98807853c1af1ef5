import type { JsonObject } from '../../json/json.js'
import type { Numbers } from '../deterministic.js'
import { computeVolume, listCells, toCartesian, toCellVectors } from '../materials/cell.js'
import type { CellVectors } from '../materials/cell.js'
import { findCovalentRadius } from '../materials/elements.js'
import { computeStructureHashes } from '../materials/structure-hash.js'
import { parseStructure } from '../materials/structure.js'
import type { Structure, StructureInput } from '../materials/structure.js'
import { mapVector, subtract } from '../materials/vector.js'

/** A structure, and the numbers from which the results of a job are made up. */
export interface StructureModel extends Structure {
  /** The ids of the atoms, in their order. */
  readonly ids: readonly number[]
  readonly vectors: CellVectors
  /** The volume in Å^3. */
  readonly volume: number
  /** The shortest distance, in units of the distance that the radii of the two atoms suggest. */
  readonly stretch: number
  readonly hash: string
}

/** The input from which the data of a property follow. */
export interface PropertyInput {
  /** The structure of the material; undefined if the job has none. */
  readonly model: StructureModel | undefined
  /** Whether the unit relaxes the structure, so that no force is left. */
  readonly isRelaxed: boolean
  /** Numbers that follow from the unit and the formula, but not from the size of the cell. */
  readonly unitNumbers: Numbers
  /** Numbers that follow from the unit, the structure and the property. */
  readonly numbers: Numbers
}

/** Returns the model of a material's structure; undefined if it has no valid structure. */
export function createStructureModel(material: JsonObject | undefined): StructureModel | undefined {
  if (material?.basis === undefined || material.lattice === undefined) return undefined
  try {
    const input = material as unknown as StructureInput
    const structure = parseStructure(input)
    const vectors = toCellVectors(structure.cell)
    return {
      ...structure,
      ids: (input.basis?.elements ?? []).map(({ id }) => id),
      vectors,
      volume: computeVolume(structure.cell),
      stretch: computeStretch(structure, vectors),
      hash: computeStructureHashes(structure).hash,
    }
  } catch {
    // A material of the fixtures may have any structure, also an impossible one.
    return undefined
  }
}

/** Bonds in crystals are a little longer than two covalent radii. */
const BOND_FACTOR = 1.03

/** The largest number of pairs of atoms that are measured. It limits the time to a few ms. */
const MAX_PAIRS = 15_000

/** Beyond this, all made-up numbers are the same. */
const MAX_STRETCH = 2

const IMAGES = [...listCells([-1, -1, -1], [1, 1, 1])]

/** In a large structure, only the first atoms are measured, each against all others. */
function computeStretch({ atoms }: Structure, vectors: CellVectors): number {
  const shifts = IMAGES.map((image) => toCartesian(image, vectors))
  const sites = atoms.map(({ symbol, coordinate }) => ({
    radius: findCovalentRadius(symbol),
    position: toCartesian(
      mapVector(coordinate, (value) => value - Math.floor(value)),
      vectors,
    ),
  }))
  const measured = sites.slice(0, Math.max(1, Math.floor(MAX_PAIRS / sites.length)))
  let squared = Infinity
  for (const one of measured) {
    for (const other of sites) {
      const [x, y, z] = subtract(other.position, one.position)
      const bond = (BOND_FACTOR * (one.radius + other.radius)) ** 2
      for (const [dx, dy, dz] of shifts) {
        const distance = (x + dx) ** 2 + (y + dy) ** 2 + (z + dz) ** 2
        // An atom is not its own neighbour.
        if (distance > 1e-4 && distance < squared * bond) squared = distance / bond
      }
    }
  }
  return Math.min(MAX_STRETCH, Math.max(1 / MAX_STRETCH, Math.sqrt(squared)))
}

/** The length of a supercell along each edge, in Å, to which the points of the grid correspond. */
const LENGTH = 10

/** Returns the numbers of k-points along the edges of the reciprocal cell. */
export const makeKGrid = (model: StructureModel | undefined): readonly number[] => {
  if (model === undefined) return [1, 1, 1]
  const { a, b, c } = model.cell
  return [a, b, c].map((edge) => Math.max(1, Math.ceil(LENGTH / edge)))
}

/** Returns the number of k-points times atoms (k-points per reciprocal atom). */
export const computeKppra = (model: StructureModel | undefined): number =>
  makeKGrid(model).reduce((product, count) => product * count, model?.atoms.length ?? 1)
