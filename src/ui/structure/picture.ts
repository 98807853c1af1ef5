import type { Vector } from '../../domain/materials/vector.js'
import { findBondKinds, findBonds } from '../../domain/materials/geometry/bonds.js'
import type { BondKind } from '../../domain/materials/geometry/bonds.js'
import type { Crystal } from '../../domain/materials/geometry/crystal.js'
import { placeHalfBonds } from '../../domain/materials/geometry/supercell.js'
import { countAtoms, listCellEdges, placeAtoms } from '../../domain/materials/geometry/supercell.js'
import type { PlacedAtom, Supercell, HalfBond } from '../../domain/materials/geometry/supercell.js'

/** A structure with its bonds, which all pictures of it share. */
export interface Model {
  readonly crystal: Crystal
  readonly bondKinds: readonly BondKind[]
  /** False if the cell has far too many neighbours, so that not all bonds are known. */
  readonly hasAllBonds: boolean
}

/** The drawn parts of a structure. */
export interface Picture {
  readonly atoms: readonly PlacedAtom[]
  readonly halfBonds: readonly HalfBond[]
  /** The edges of the cells, from one point in Å to another; none in a molecule. */
  readonly edges: readonly (readonly [Vector, Vector])[]
  /** The atoms of the supercell, without repetitions on its border. */
  readonly atomCount: number
  /** The bonds of the supercell. A bond across its border counts once. */
  readonly bondCount: number
}

/** The largest number of atoms of a picture. More would not turn smoothly. */
export const MAX_ATOMS = 30_000

/** Finds the bonds of a structure. */
export function createModel(crystal: Crystal): Model {
  const { bonds, isComplete } = findBonds(crystal)
  return { crystal, bondKinds: findBondKinds(crystal.sites, bonds), hasAllBonds: isComplete }
}

/** Whether a picture of a supercell would have too many atoms. */
export const isTooLarge = ({ crystal }: Model, supercell: Supercell): boolean =>
  countAtoms(crystal, supercell) > MAX_ATOMS

/**
 * Places the atoms, bonds and edges of a picture.
 * @param kinds the bonds to draw
 */
export function composePicture(
  { crystal }: Model,
  supercell: Supercell,
  kinds: readonly BondKind[],
): Picture {
  const atoms = placeAtoms(crystal, supercell)
  const bonds = kinds.flatMap((kind) => kind.bonds)
  const [u, v, w] = crystal.isPeriodic ? supercell : [1, 1, 1]
  return {
    atoms,
    halfBonds: placeHalfBonds(crystal, atoms, bonds),
    edges: crystal.isPeriodic ? listCellEdges(crystal.vectors, supercell) : [],
    atomCount: countAtoms(crystal, supercell),
    bondCount: bonds.length * u * v * w,
  }
}
