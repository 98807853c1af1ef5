import { add, computeLength, dot, scale, subtract } from '../../domain/materials/vector.js'
import type { Vector } from '../../domain/materials/vector.js'
import type { Orientation } from './orientation.js'

/** The place and size of the content of a view, in Å. */
export interface Bounds {
  readonly center: Vector
  /** Half of the width, height and depth in the first orientation. */
  readonly halfSize: Vector
  /** The distance of the farthest point from the centre, in any orientation. */
  readonly radius: number
}

/** The radius of a large atom with its bonds, so that nothing is cut off. */
const RIM = 1

/** Returns the bounds of the points that are in view at first. */
export function findBounds(shown: readonly Vector[], orientation: Orientation): Bounds {
  const ranges = orientation.map((direction) => {
    let [low, high] = [Infinity, -Infinity]
    for (const point of shown) {
      const value = dot(point, direction)
      low = Math.min(low, value)
      high = Math.max(high, value)
    }
    return { middle: (low + high) / 2, half: (high - low) / 2 + RIM }
  })
  const center = orientation
    .map((direction, index) => scale(direction, ranges[index]?.middle ?? 0))
    .reduce(add)
  let radius = 0
  for (const point of shown) radius = Math.max(radius, computeLength(subtract(point, center)) + RIM)
  return { center, halfSize: ranges.map(({ half }) => half) as unknown as Vector, radius }
}

/** How much room is left around a structure. */
const MARGIN = 1.06

/**
 * Returns half of the height to see at the centre, in Å, so that all that is in bounds is in view. What is
 * nearer to the viewer is larger.
 * @param aspect width over height
 * @param slope the tangent of half the angle of view
 */
export function findHalfHeight(
  { halfSize: [width, height, depth] }: Bounds,
  aspect: number,
  slope: number,
): number {
  return MARGIN * (Math.max(height, width / aspect) + depth * slope)
}
