import type { Lattice } from '@materials-mock/api'
import data from '../../data/prototypes.json' with { type: 'json' }
import type { CellParameters } from '../cell.js'
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

const createPrototype = ({ group, type, ...rest }: PrototypeData): Prototype => ({
  ...rest,
  spaceGroupSymbol: group,
  pointGroupSymbol: toPointGroupSymbol(group),
  type,
  cell: data.cells[type],
})

/** Leaves out the lattice and the translations of screw axes, and makes glide planes mirrors. */
const toPointGroupSymbol = (symbol: string): string =>
  symbol
    .slice(1)
    .replaceAll(/_\d/g, '')
    .replaceAll(/[a-en]/g, 'm')

/**
 * A prototype in `packages/structures/data/prototypes.json`. Its type tells its cell, and its space group its point group. The
 * diagonals of a cube are at angles of 109.4712 degrees, and touching spheres have c/a = sqrt(8/3) = 1.632993.
 */
interface PrototypeData extends Pick<Prototype, 'name' | 'sites'> {
  readonly group: string
  readonly type: keyof typeof data.cells
}

/** The prototypes of each kind of compound: heusler has ABC2, fluorite AB2, and diamond is that of C, Si, Ge and Sn. */
export const PROTOTYPES = Object.fromEntries(
  Object.entries(data.prototypes).map(([kind, list]) => [
    kind,
    (list as unknown as readonly PrototypeData[]).map(createPrototype),
  ]),
) as unknown as Record<keyof typeof data.prototypes, readonly Prototype[]>

/**
 * On the first points of a cubic grid.
 * @param elements the index of the element of each atom
 */
export function createGridPrototype(elements: readonly number[]): Prototype {
  const edge = Math.ceil(Math.cbrt(elements.length))
  const sites = elements.map((element, index): Site => {
    const [x, y, z] = [index % edge, Math.floor(index / edge) % edge, Math.floor(index / edge ** 2)]
    return [element, [x / edge, y / edge, z / edge]]
  })
  return createPrototype({ name: 'Cubic grid', group: 'P1', type: 'CUB', sites })
}
