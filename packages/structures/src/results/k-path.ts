import { isJsonObject } from '@materials-mock/json'
import type { Json } from '@materials-mock/json'
import values from '../../data/k-paths.json' with { type: 'json' }
import type { CellParameters } from '../cell.js'
import { ORIGIN, add, mapVector, round, scale, subtract } from '../vector.js'
import type { Vector } from '../vector.js'

/** A point of a path, in units of the edges of the reciprocal cell, and the number of steps to the next one. */
export interface PathPoint {
  readonly coordinates: Vector
  readonly steps: number
}

/**
 * The lattices by the shapes of their cells, edges (equal ones have one letter) and angles, with the path of bands and
 * its points, as the platform has them; the last one fits any cell. Source: Setyawan and Curtarolo, Comput. Mater. Sci. 49
 * (2010) 299. Lattices with points that depend on lengths or angles have the path of a triclinic one, whose points are of
 * high symmetry in any cell. The hexagonal lattice has a cell of 120°, or of 60°, which the platform does not have.
 */
const LATTICES = values.map(({ shapes, path, points }) => ({
  shapes,
  path,
  points: new Map(Object.entries({ Γ: [0, 0, 0], ...points } as unknown as Record<string, Vector>)),
}))

const SILICON = { a: 3.867, b: 3.867, c: 3.867, alpha: 60, beta: 60, gamma: 60 }

function findLattice(cell: CellParameters = SILICON): (typeof LATTICES)[number] {
  const { a, b, c, alpha, beta, gamma } = cell
  const isNear = (edge: number): boolean => Math.abs(edge - a) < 0.01 * a
  const edges = isNear(b) ? (isNear(c) ? 'aaa' : 'aac') : 'abc'
  const shape = [edges, ...[alpha, beta, gamma].map(Math.round)].join(' ')
  return LATTICES.find(({ shapes }) => shapes.includes(shape)) ?? LATTICES.at(-1)!
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

/** Returns the names of the corners of a path, if they all are points of one lattice; else none. */
export function nameCorners(corners: readonly Vector[]): readonly string[] {
  const named = LATTICES.map(({ points, path }) => {
    const names = corners.flatMap(
      (corner) => [...points].find(([, point]) => isAt(point, corner))?.[0] ?? [],
    )
    return { path, names }
  }).filter(({ names }) => names.length === corners.length)
  return (named.find(({ path, names }) => names.join('') === path) ?? named[0])?.names ?? []
}

const isAt = (one: Vector, other: Vector): boolean => Math.hypot(...subtract(one, other)) < 1e-3
