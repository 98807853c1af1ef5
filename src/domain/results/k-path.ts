import { isJsonObject } from '../../json/json.js'
import type { Json } from '../../json/json.js'
import type { CellParameters } from '../materials/cell.js'
import { ORIGIN, add, mapVector, round, scale, subtract } from '../materials/vector.js'
import type { Vector } from '../materials/vector.js'

/** A point of a path, in units of the edges of the reciprocal cell, and the number of steps to the next one. */
export interface PathPoint {
  readonly coordinates: Vector
  readonly steps: number
}

/**
 * The lattices by their edges (equal ones have one letter) and angles, with the path of bands, and its points in
 * units of 1/24; the last one fits any cell. Source: Setyawan and Curtarolo, Comput. Mater. Sci. 49 (2010) 299, in
 * one line without jumps. Points that depend on lengths or angles are left out, so lattices that have many of them
 * have the path of a triclinic one. The hexagonal lattice has a cell of 120°, or of 60°.
 */
const LATTICES = (
  [
    ['aaa 60 60 60', 'ΓXWKΓLUWLK', 'X 12 0 12,W 12 6 18,K 9 9 18,L 12 12 12,U 15 6 15'],
    ['aaa 109 109 109', 'ΓHNΓPH', 'H 12 -12 12,P 6 6 6,N 0 0 12'],
    ['aaa 90 90 90', 'ΓXMΓRX', 'X 0 12 0,M 12 12 0,R 12 12 12'],
    ['aac 90 90 90', 'ΓXMΓZRAZ', 'X 0 12 0,M 12 12 0,Z 0 0 12,R 0 12 12,A 12 12 12'],
    [
      'abc 90 90 90',
      'ΓXSYΓZURTZ',
      'X 12 0 0,S 12 12 0,Y 0 12 0,Z 0 0 12,U 12 0 12,R 12 12 12,T 0 12 12',
    ],
    ['aac 90 90 120', 'ΓMKΓALHA', 'M 12 0 0,K 8 8 0,A 0 0 12,L 12 0 12,H 8 8 12'],
    ['aac 90 90 60', 'ΓMKΓALHA', 'M 12 12 0,K 8 16 0,A 0 0 12,L 12 12 12,H 8 16 12'],
    ['any', 'XΓYLΓZNΓMRΓ', 'X 12 0 0,Y 0 12 0,Z 0 0 12,L 12 12 0,M 0 12 12,N 12 0 12,R 12 12 12'],
  ] as const
).map(([shape, path, points]) => ({
  shape,
  path,
  points: new Map<string, Vector>([
    ['Γ', ORIGIN],
    ...points.split(',').map((each): [string, Vector] => {
      const [name = '', x, y, z] = each.split(' ')
      return [name, [Number(x) / 24, Number(y) / 24, Number(z) / 24]]
    }),
  ]),
}))

/** Returns the lattice of a cell; of the cell of silicon without one. */
function findLattice(cell: CellParameters | undefined): (typeof LATTICES)[number] {
  if (cell === undefined) return LATTICES[0] as (typeof LATTICES)[number]
  const { a, b, c, alpha, beta, gamma } = cell
  const isNear = (edge: number): boolean => Math.abs(edge - a) < 0.01 * a
  const edges = isNear(b) ? (isNear(c) ? 'aaa' : 'aac') : 'abc'
  const shape = [edges, ...[alpha, beta, gamma].map(Math.round)].join(' ')
  return (LATTICES.find((each) => each.shape === shape) ??
    LATTICES.at(-1)) as (typeof LATTICES)[number]
}

/** The number of steps between two points, as on the platform, and the largest number of steps of a path. */
const [STEPS, MAX_STEPS] = [10, 500]

/**
 * Returns the path of bands: that of a unit (`{point, steps, coordinates}` as on the platform; a point without
 * coordinates is one of the lattice), if it has at least two points and at most 500 steps, else that of the lattice.
 * @param cell undefined for the cell of silicon
 */
export function choosePath(cell: CellParameters | undefined, kpath?: Json): readonly PathPoint[] {
  const { points, path } = findLattice(cell)
  const given = (Array.isArray(kpath) ? kpath : []).filter(isJsonObject).flatMap((each) => {
    // The platform writes Γ as a Cyrillic letter.
    const { point, steps, coordinates = points.get(point === 'Г' ? 'Γ' : String(point)) } = each
    const isVector = Array.isArray(coordinates) && coordinates.length === 3
    if (!isVector || !coordinates.every((value) => Math.abs(Number(value)) <= 100)) return []
    const count = Number.isInteger(steps) && Number(steps) > 0 ? Number(steps) : STEPS
    return [{ coordinates: coordinates.map(Number) as unknown as Vector, steps: count }]
  })
  const isGiven = given.length > 1 && given.reduce((sum, { steps }) => sum + steps, 0) <= MAX_STEPS
  if (isGiven) return given
  return [...path].map((name) => ({ coordinates: points.get(name) ?? ORIGIN, steps: STEPS }))
}

/** Returns the points of a path, with those between them. */
export const listPathPoints = (path: readonly PathPoint[]): Vector[] =>
  path.flatMap(({ coordinates, steps }, index) => {
    const way = subtract(path[index + 1]?.coordinates ?? coordinates, coordinates)
    const count = index === path.length - 1 ? 1 : steps
    return Array.from({ length: count }, (_, step) =>
      mapVector(add(coordinates, scale(way, step / count)), (value) => round(value, 6)),
    )
  })

/** Returns the names of the corners of a path, if they all are points of one lattice; else undefined for each. */
export function nameCorners(corners: readonly Vector[]): readonly (string | undefined)[] {
  const named = LATTICES.map(({ points, path }) => {
    const names = corners.map((corner) => [...points].find(([, each]) => isAt(each, corner))?.[0])
    return { names, isWhole: names.join('') === path }
  })
  const found =
    named.find(({ isWhole }) => isWhole) ?? named.find(({ names }) => !names.includes(undefined))
  return found?.names ?? corners.map(() => undefined)
}

const isAt = (one: Vector, other: Vector): boolean => Math.hypot(...subtract(one, other)) < 1e-3
