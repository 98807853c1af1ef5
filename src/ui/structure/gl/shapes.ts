import { computeLength, scale } from '../../../domain/materials/vector.js'
import type { Vector } from '../../../domain/materials/vector.js'

/** Triangles of a shape around the y axis: a place and a normal for each corner. */
export interface Shape {
  readonly corners: Float32Array<ArrayBuffer>
  readonly count: number
}

const GOLDEN = (1 + Math.sqrt(5)) / 2

/** The corners and faces of an icosahedron. */
const CORNERS: readonly Vector[] = [
  [-1, GOLDEN, 0],
  [1, GOLDEN, 0],
  [-1, -GOLDEN, 0],
  [1, -GOLDEN, 0],
  [0, -1, GOLDEN],
  [0, 1, GOLDEN],
  [0, -1, -GOLDEN],
  [0, 1, -GOLDEN],
  [GOLDEN, 0, -1],
  [GOLDEN, 0, 1],
  [-GOLDEN, 0, -1],
  [-GOLDEN, 0, 1],
]
// prettier-ignore
const FACES = [
  [0, 11, 5], [0, 5, 1], [0, 1, 7], [0, 7, 10], [0, 10, 11],
  [1, 5, 9], [5, 11, 4], [11, 10, 2], [10, 7, 6], [7, 1, 8],
  [3, 9, 4], [3, 4, 2], [3, 2, 6], [3, 6, 8], [3, 8, 9],
  [4, 9, 5], [2, 4, 11], [6, 2, 10], [8, 6, 7], [9, 8, 1],
] as const

/**
 * Returns a ball with a radius of 1, as one of several. Together they have about a million triangles at most.
 * @param count the number of balls
 */
export function createBall(count: number): Shape {
  const parts = chooseParts(count)
  const points: Vector[] = []
  for (const face of FACES) {
    const [a, b, c] = face.map((index) => CORNERS[index] as Vector) as [Vector, Vector, Vector]
    const at = (i: number, j: number): Vector => {
      const weights = [parts - i - j, i, j]
      const sum = [0, 1, 2].map((axis) =>
        [a, b, c].reduce((all, each, index) => all + (each[axis] ?? 0) * (weights[index] ?? 0), 0),
      ) as unknown as Vector
      return scale(sum, 1 / computeLength(sum))
    }
    for (let i = 0; i < parts; i += 1) {
      for (let j = 0; j < parts - i; j += 1) {
        points.push(at(i, j), at(i + 1, j), at(i, j + 1))
        if (i + j < parts - 1) points.push(at(i + 1, j), at(i + 1, j + 1), at(i, j + 1))
      }
    }
  }
  return toShape(points.map((point) => [point, point]))
}

/**
 * Returns a cylinder with a radius and a length of 1, from the origin along y.
 * @param count the number of rods
 */
export function createRod(count: number): Shape {
  const sides = count <= 4000 ? 14 : 6
  const at = (side: number, y: number): Vector => {
    const angle = (2 * Math.PI * side) / sides
    return [Math.sin(angle), y, Math.cos(angle)]
  }
  const corners: (readonly [Vector, Vector])[] = []
  for (let side = 0; side < sides; side += 1) {
    const [normal, next] = [at(side, 0), at(side + 1, 0)]
    const [low, high] = [
      [0, -1, 0],
      [0, 1, 0],
    ] as const
    const [upper, last] = [at(side, 1), at(side + 1, 1)]
    // prettier-ignore
    corners.push(
      [normal, normal], [next, next], [upper, normal],
      [next, next], [last, next], [upper, normal],
      [[0, 0, 0], low], [next, low], [normal, low],
      [[0, 1, 0], high], [upper, high], [last, high],
    )
  }
  return toShape(corners)
}

/** Returns the number of parts of each edge of the icosahedron. A ball has 20 times its square of triangles. */
function chooseParts(count: number): number {
  if (count <= 150) return 12
  if (count <= 800) return 7
  return count <= 4000 ? 4 : 2
}

const toShape = (corners: readonly (readonly [place: Vector, normal: Vector])[]): Shape => ({
  corners: new Float32Array(corners.flat(2)),
  count: corners.length,
})
