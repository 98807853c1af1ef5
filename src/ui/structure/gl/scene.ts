import { findBondKinds, findBonds } from '../../../domain/materials/geometry/bonds.js'
import type { BondKind } from '../../../domain/materials/geometry/bonds.js'
import type { Crystal, Site } from '../../../domain/materials/geometry/crystal.js'
import {
  placeHalfBonds,
  countAtoms,
  listCellEdges,
  placeAtoms,
} from '../../../domain/materials/geometry/supercell.js'
import type {
  PlacedAtom,
  Supercell,
  HalfBond,
} from '../../../domain/materials/geometry/supercell.js'
import { ORIGIN, computeLength, scale } from '../../../domain/materials/vector.js'
import type { Vector } from '../../../domain/materials/vector.js'
import { findBallRadius, findElementColor } from '../colors.js'
import type { Theme } from '../colors.js'
import type { Axes } from '../orientation.js'
import { ATOM_LABEL, createLabelMesh, createBallMesh, createRodMesh, mixColors } from './meshes.js'
import type { Mesh, Renderer } from './renderer.js'
import type { Bounds } from './view-camera.js'

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

/** The radius of a bond, in Å. */
const BOND_RADIUS = 0.09

/** The radius of an edge of the cell, in units of half the size of the structure. */
const EDGE_RADIUS = 0.004

/** How far the bonds that end at the border fade into the background, from 0 to 1. */
const CUT_FADE = 0.55

/** The parts of its picture that a scene shows. */
export interface SceneContent {
  readonly sites: readonly Site[]
  readonly picture: Picture
  readonly hasLabels: boolean
  readonly hasEdges: boolean
  readonly theme: Theme
}

/** Makes the meshes of a structure. */
export function createStructure(
  renderer: Renderer,
  { sites, picture, hasLabels, hasEdges, theme }: SceneContent,
  { halfSize }: Bounds,
): Mesh[] {
  const balls = picture.atoms.map(({ site, position }) => {
    const { symbol = '', label = '' } = sites[site] ?? {}
    const [radius, color] = [findBallRadius(symbol), findElementColor(symbol)]
    return { position, radius, color, text: symbol + label }
  })
  const bonds = picture.halfBonds.map(({ site, from, to, isCut }) => {
    const color = findElementColor(sites[site]?.symbol ?? '')
    return { from, to, color: isCut ? mixColors(color, theme.background, CUT_FADE) : color }
  })
  const edges = picture.edges.map(([from, to]) => ({ from, to, color: theme.lineColor }))
  const edgeRadius = EDGE_RADIUS * Math.max(...halfSize)
  const meshes = [createBallMesh(renderer, balls)]
  if (bonds.length > 0) meshes.push(createRodMesh(renderer, bonds, BOND_RADIUS, 'solid'))
  if (hasEdges && edges.length > 0) meshes.push(createRodMesh(renderer, edges, edgeRadius, 'flat'))
  if (hasLabels) meshes.push(createLabelMesh(renderer, balls, ATOM_LABEL))
  return meshes
}

/** The colours of the first, second and third axis. */
const AXIS_COLORS = ['#e5484d', '#30a46c', '#3e7bfa'] as const

/** Makes the meshes of the axes of a cell or of space, which are drawn in a corner of the view. */
export function createAxes(renderer: Renderer, axes: Axes, textColor: string): Mesh[] {
  const ends = axes.directions.map((axis) => scale(axis, 1 / (computeLength(axis) || 1)))
  const rods = ends.map((to, index) => ({ from: ORIGIN, to, color: findAxisColor(index) }))
  const balls = [ORIGIN, ...ends].map((position, index) => ({
    position,
    radius: index === 0 ? 0.09 : 0.15,
    color: index === 0 ? CENTER_COLOR : findAxisColor(index - 1),
  }))
  const labels = ends.map((end, index) => ({
    position: scale(end, 1.38),
    radius: 0.2,
    text: axes.names[index] ?? '',
  }))
  return [
    createRodMesh(renderer, rods, 0.05, 'solid'),
    createBallMesh(renderer, balls),
    createLabelMesh(renderer, labels, { color: textColor, height: 5.75 }),
  ]
}

const CENTER_COLOR = '#9aa3ad'

const findAxisColor = (index: number): string => AXIS_COLORS[index] ?? CENTER_COLOR
