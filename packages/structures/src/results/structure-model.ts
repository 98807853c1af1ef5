import { CatalogueError } from '@materials-mock/json'
import type { JsonObject } from '@materials-mock/json'
import lengths from '../../data/bond-lengths.json' with { type: 'json' }
import type { Numbers } from '../deterministic.js'
import { computeVolume, listCells, toCartesian, toCellVectors } from '../cell.js'
import type { CellVectors } from '../cell.js'
import { findAtomicRadius } from '../elements.js'
import { computeStructureHashes } from '../structure-hash.js'
import { parseStructure } from '../structure.js'
import type { Structure, StructureInput } from '../structure.js'
import { mapVector, subtract } from '../vector.js'
import type { Vector } from '../vector.js'

/** A structure, and the numbers from which the results of a job are made up. */
export interface StructureModel extends Structure {
  /** The ids of the atoms, in their order. */
  readonly ids: readonly number[]
  readonly vectors: CellVectors
  /** The volume in Å^3. */
  readonly volume: number
  /** The least distance of neighbours, in units of the length at which their bond has no pressure, at most `MAX_STRETCH`. */
  readonly stretch: number
  readonly hash: string
}

/** The electrons of a material. Energies are in eV, from the vacuum, as in Harrison's table of atoms. */
export interface Electrons {
  /** The Fermi energy, in the middle of the gap if there is one. */
  readonly fermi: number
  readonly gaps: readonly Gap[]
  /** The energies of each band along the path. */
  readonly bands: readonly (readonly number[])[]
  /** The energies of the density of states, and the states of a cell in 1/eV, of both spins, for each orbital. */
  readonly energies: readonly number[]
  readonly states: readonly {
    readonly element: string
    readonly electronicState: string
    readonly values: readonly number[]
  }[]
}

/** A gap, 0 in a metal, and the points of its edges in units of the reciprocal cell's edges. */
export interface Gap {
  readonly type: 'direct' | 'indirect'
  readonly value: number
  readonly valence: Vector
  readonly conduction: Vector
}

export interface PropertyInput {
  /** The structure of the material; undefined if the job has none. */
  readonly model: StructureModel | undefined
  readonly path: readonly Vector[]
  readonly electrons?: Electrons | undefined
  /** Numbers that follow from the unit and the formula, but not from the size of the cell. */
  readonly unitNumbers: Numbers
  /** Numbers that follow from the unit, the structure and the property. */
  readonly numbers: Numbers
}

/** Returns the model of a material's structure; undefined if it has no valid structure. */
export function createStructureModel(material: JsonObject | undefined): StructureModel | undefined {
  if (material?.basis === undefined || material.lattice === undefined) return undefined
  try {
    const input = material as StructureInput
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
  } catch (error) {
    // A material of the fixtures may have any structure, also an impossible one.
    if (error instanceof CatalogueError) return undefined
    throw error
  }
}

/** The largest number of pairs of atoms that are measured. It limits the time to a few ms. */
const MAX_PAIRS = 15_000

/** Atoms further apart have no bond: their energy is constant, without pressure. */
export const MAX_STRETCH = 2

/** The nearest neighbours are no further apart than this multiple of the shortest distance, squared. */
const NEAREST = 1.1 ** 2

const IMAGES = [...listCells([-1, -1, -1], [1, 1, 1])]

/** A bond of an atom with one of its nearest neighbours. */
export interface ShortBond {
  /** The symbols of its elements in alphabetical order, such as `As-Ga`. */
  readonly elements: string
  /** The number of nearest neighbours of its atoms: the larger one. */
  readonly neighbours: number
  /** In Å. */
  readonly length: number
}

/**
 * Lists the bonds of nearest neighbours only, because lengths do not hold for others (Cs–Cs in CsCl). In a large
 * structure, only those of the first atoms are measured, each against all others.
 */
export function listShortBonds({ atoms }: Structure, vectors: CellVectors): ShortBond[] {
  const shifts = IMAGES.map((image) => toCartesian(image, vectors))
  const sites = atoms.map(({ symbol, coordinate }) => ({
    symbol,
    position: toCartesian(
      mapVector(coordinate, (value) => value - Math.floor(value)),
      vectors,
    ),
  }))
  const measured = sites.slice(0, Math.max(1, Math.floor(MAX_PAIRS / sites.length)))
  let shortest = Infinity
  const pairs: { readonly from: number; readonly to: number; readonly squared: number }[] = []
  for (const [from, one] of measured.entries()) {
    for (const [to, other] of sites.entries()) {
      const [x, y, z] = subtract(other.position, one.position)
      for (const [dx, dy, dz] of shifts) {
        const squared = (x + dx) ** 2 + (y + dy) ** 2 + (z + dz) ** 2
        if (squared <= 1e-4 || squared > NEAREST * shortest) continue
        shortest = Math.min(shortest, squared)
        pairs.push({ from, to, squared })
      }
    }
  }
  const nearest = pairs.filter(({ squared }) => squared <= NEAREST * shortest)
  const counts = new Map<number, number>()
  for (const { from } of nearest) counts.set(from, (counts.get(from) ?? 0) + 1)
  return nearest.map(({ from, to, squared }) => ({
    elements: [sites[from]!.symbol, sites[to]!.symbol].toSorted().join('-'),
    neighbours: Math.max(counts.get(from) ?? 0, counts.get(to) ?? 0),
    length: Math.sqrt(squared),
  }))
}

const computeStretch = (structure: Structure, vectors: CellVectors): number =>
  listShortBonds(structure, vectors).reduce(
    (least, bond) => Math.min(least, bond.length / findRestLength(bond)),
    MAX_STRETCH,
  )

/**
 * The lengths of bonds in Å by their elements and their numbers of nearest neighbours: those in the standard
 * materials, so that these have nearly no pressure. `npm run fixtures` makes the file.
 */
const LENGTHS: ReadonlyMap<string, Readonly<Record<string, number>>> = new Map(
  Object.entries<Readonly<Record<string, number>>>(lengths),
)

/** Returns the length at which a bond has the lowest energy: the known one, or else the sum of the atomic radii. */
function findRestLength({ elements, neighbours }: ShortBond): number {
  const known = Object.entries(LENGTHS.get(elements) ?? {}).map(([count, length]) => ({
    length,
    difference: Math.abs(Number(count) - neighbours),
  }))
  const [closest] = known.toSorted((one, other) => one.difference - other.difference)
  if (closest !== undefined) return closest.length
  return elements.split('-').reduce((sum, symbol) => sum + findAtomicRadius(symbol), 0)
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
