import type { Lattice } from '../../items/structure.js'
import type { CellParameters } from '../cell.js'
import { ORIGIN } from '../vector.js'
import type { Vector } from '../vector.js'

/** A crystal structure type: a cell of unit size, and the sites of its elements. */
export interface Prototype {
  readonly name: string
  readonly spaceGroupSymbol: string
  readonly pointGroupSymbol: string
  readonly type: NonNullable<Lattice['type']>
  /** The primitive cell, with `a` equal to 1. */
  readonly cell: CellParameters
  readonly sites: readonly Site[]
}

/** The index of an element, from 0, and its coordinates in crystal units. */
export type Site = readonly [element: number, coordinate: Vector]

const createCell = (c: number, angle: number, gamma = angle): CellParameters => ({
  a: 1,
  b: 1,
  c,
  alpha: angle,
  beta: angle,
  gamma,
})

const createPrototype = (
  name: string,
  spaceGroupSymbol: string,
  lattice: Pick<Prototype, 'type' | 'cell'>,
  ...sites: Site[]
): Prototype => ({
  name,
  spaceGroupSymbol,
  pointGroupSymbol: toPointGroupSymbol(spaceGroupSymbol),
  ...lattice,
  sites,
})

/** Leaves out the lattice and the translations of screw axes, and makes glide planes mirrors. */
const toPointGroupSymbol = (symbol: string): string =>
  symbol
    .slice(1)
    .replaceAll(/_\d/g, '')
    .replaceAll(/[a-en]/g, 'm')

const CUBIC = { type: 'CUB', cell: createCell(1, 90) } as const
const FACE_CENTRED = { type: 'FCC', cell: createCell(1, 60) } as const
// The diagonals of a cube are at angles of 109.4712 degrees.
const BODY_CENTRED = { type: 'BCC', cell: createCell(1, 109.4712) } as const
// Touching spheres have c/a = sqrt(8/3) = 1.632993.
const HEXAGONAL = { type: 'HEX', cell: createCell(1.632993, 90, 120) } as const

const CENTRE: Vector = [0.5, 0.5, 0.5]
const QUARTER: Vector = [0.25, 0.25, 0.25]
const THREE_QUARTERS: Vector = [0.75, 0.75, 0.75]

/** The structures of single elements. */
export const ELEMENTARY: readonly Prototype[] = [
  createPrototype('Face-centred cubic', 'Fm-3m', FACE_CENTRED, [0, ORIGIN]),
  createPrototype('Body-centred cubic', 'Im-3m', BODY_CENTRED, [0, ORIGIN]),
  createPrototype(
    'Hexagonal close-packed',
    'P6_3/mmc',
    HEXAGONAL,
    [0, [1 / 3, 2 / 3, 0.25]],
    [0, [2 / 3, 1 / 3, 0.75]],
  ),
]

/** The structures of binary compounds AB. */
export const BINARY: readonly Prototype[] = [
  createPrototype('Rocksalt', 'Fm-3m', FACE_CENTRED, [0, ORIGIN], [1, CENTRE]),
  createPrototype('Zincblende', 'F-43m', FACE_CENTRED, [0, ORIGIN], [1, QUARTER]),
  createPrototype('Caesium chloride', 'Pm-3m', CUBIC, [0, ORIGIN], [1, CENTRE]),
]

/** The structure of perovskites ABX3. */
export const PEROVSKITE: readonly Prototype[] = [
  createPrototype(
    'Perovskite',
    'Pm-3m',
    CUBIC,
    [0, ORIGIN],
    [1, CENTRE],
    [2, [0.5, 0.5, 0]],
    [2, [0.5, 0, 0.5]],
    [2, [0, 0.5, 0.5]],
  ),
]

/** The structure of half-Heusler compounds ABC. */
export const HALF_HEUSLER: readonly Prototype[] = [
  createPrototype('Half-Heusler', 'F-43m', FACE_CENTRED, [0, ORIGIN], [1, CENTRE], [2, QUARTER]),
]

/** The structure of Heusler compounds ABC2. */
export const HEUSLER: readonly Prototype[] = [
  createPrototype(
    'Heusler',
    'Fm-3m',
    FACE_CENTRED,
    [0, ORIGIN],
    [1, CENTRE],
    [2, QUARTER],
    [2, THREE_QUARTERS],
  ),
]

/** The structure of carbon, silicon, germanium and tin. */
export const DIAMOND: readonly Prototype[] = [
  createPrototype('Diamond', 'Fd-3m', FACE_CENTRED, [0, ORIGIN], [0, QUARTER]),
]

/** The structure of compounds AB2. */
export const FLUORITE: readonly Prototype[] = [
  createPrototype(
    'Fluorite',
    'Fm-3m',
    FACE_CENTRED,
    [0, ORIGIN],
    [1, QUARTER],
    [1, THREE_QUARTERS],
  ),
]

/**
 * Creates the structure of any number of atoms: on the first points of a cubic grid.
 * @param elements the index of the element of each atom
 */
export function createGridPrototype(elements: readonly number[]): Prototype {
  const edge = Math.ceil(Math.cbrt(elements.length))
  const sites = elements.map((element, index): Site => {
    const [x, y, z] = [index % edge, Math.floor(index / edge) % edge, Math.floor(index / edge ** 2)]
    return [element, [x / edge, y / edge, z / edge]]
  })
  return createPrototype('Cubic grid', 'P1', CUBIC, ...sites)
}
