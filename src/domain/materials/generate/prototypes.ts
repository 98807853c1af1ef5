import type { CellParameters, Vector } from '../cell.js'

/** A kind of crystal structure: a cell of unit size, and which of its elements is where. */
export interface Prototype {
  readonly name: string
  readonly spaceGroupSymbol: string
  /** Bravais lattice, as in `Lattice`. */
  readonly type: string
  /** Of the primitive cell; `a` is 1. */
  readonly cell: CellParameters
  readonly sites: readonly Site[]
}

/** Which element, counted from 0, is at which coordinates in crystal units. */
export type Site = readonly [element: number, coordinate: Vector]

const cellOf = (c: number, angle: number, gamma = angle): CellParameters => ({
  a: 1,
  b: 1,
  c,
  alpha: angle,
  beta: angle,
  gamma,
})

const cubic = { type: 'CUB', cell: cellOf(1, 90) }
const faceCentred = { type: 'FCC', cell: cellOf(1, 60) }
/** 109.4712 degrees are between the diagonals of a cube. */
const bodyCentred = { type: 'BCC', cell: cellOf(1, 109.4712) }
/** 1.632993, the root of 8/3, is the c/a of spheres that touch. */
const hexagonal = { type: 'HEX', cell: cellOf(1.632993, 90, 120) }

const corner: Vector = [0, 0, 0]
const centre: Vector = [0.5, 0.5, 0.5]
const quarter: Vector = [0.25, 0.25, 0.25]
const threeQuarters: Vector = [0.75, 0.75, 0.75]

const prototype = (
  name: string,
  spaceGroupSymbol: string,
  lattice: Pick<Prototype, 'type' | 'cell'>,
  ...sites: Site[]
): Prototype => ({ name, spaceGroupSymbol, ...lattice, sites })

/** Of one element. */
export const elementary: readonly Prototype[] = [
  prototype('Face-centred cubic', 'Fm-3m', faceCentred, [0, corner]),
  prototype('Body-centred cubic', 'Im-3m', bodyCentred, [0, corner]),
  prototype(
    'Hexagonal close-packed',
    'P6_3/mmc',
    hexagonal,
    [0, [1 / 3, 2 / 3, 0.25]],
    [0, [2 / 3, 1 / 3, 0.75]],
  ),
]

/** Of as many atoms of one element as of another. */
export const binary: readonly Prototype[] = [
  prototype('Rocksalt', 'Fm-3m', faceCentred, [0, corner], [1, centre]),
  prototype('Zincblende', 'F-43m', faceCentred, [0, corner], [1, quarter]),
  prototype('Caesium chloride', 'Pm-3m', cubic, [0, corner], [1, centre]),
]

/** ABX3. */
export const perovskite: readonly Prototype[] = [
  prototype(
    'Perovskite',
    'Pm-3m',
    cubic,
    [0, corner],
    [1, centre],
    [2, [0.5, 0.5, 0]],
    [2, [0.5, 0, 0.5]],
    [2, [0, 0.5, 0.5]],
  ),
]

/** ABC. */
export const halfHeusler: readonly Prototype[] = [
  prototype('Half-Heusler', 'F-43m', faceCentred, [0, corner], [1, centre], [2, quarter]),
]

/** ABC2. */
export const heusler: readonly Prototype[] = [
  prototype(
    'Heusler',
    'Fm-3m',
    faceCentred,
    [0, corner],
    [1, centre],
    [2, quarter],
    [2, threeQuarters],
  ),
]
