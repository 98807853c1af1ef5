import { findBondKinds, findBonds } from '@materials-mock/structures'
import type { BondKind, Crystal, Site, Vector } from '@materials-mock/structures'
import type { Ball } from './bounds.js'
import { findBallRadius } from './colors.js'
import { countAtoms, listCellEdges, placeAtoms, placeHalfBonds } from './supercell.js'
import type { HalfBond, PlacedAtom, Supercell } from './supercell.js'

/** A structure with its bonds, which all pictures of it share. */
export interface Model {
  readonly crystal: Crystal
  readonly bondKinds: readonly BondKind[]
  /** False if the cell has far too many neighbours, so that not all bonds are known. */
  readonly hasAllBonds: boolean
}

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

export function createModel(crystal: Crystal): Model {
  const { bonds, isComplete } = findBonds(crystal)
  return { crystal, bondKinds: findBondKinds(crystal.sites, bonds), hasAllBonds: isComplete }
}

/** Whether a picture of a supercell would have too many atoms. */
export const isTooLarge = ({ crystal }: Model, supercell: Supercell): boolean =>
  countAtoms(crystal, supercell) > MAX_ATOMS

/** @param kinds the bonds to draw */
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

/** In Å. */
export const BOND_RADIUS = 0.09

/** Returns what has to be in view: the atoms, the corners of the cells, and the bonds that end at the border. */
export const listShown = (sites: readonly Site[], { atoms, halfBonds, edges }: Picture): Ball[] => [
  ...atoms.map(({ site, position }) => ({
    position,
    radius: findBallRadius(sites[site]?.symbol ?? ''),
  })),
  ...halfBonds
    .filter(({ isCut }) => isCut)
    .map(({ to }) => ({ position: to, radius: BOND_RADIUS })),
  ...edges.flat().map((position) => ({ position, radius: 0 })),
]
