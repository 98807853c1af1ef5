import { add, computeLength, dot, scale, subtract } from '../../../domain/materials/vector.js'
import type { Vector } from '../../../domain/materials/vector.js'
import type { Orientation } from '../orientation.js'

/** How a view projects space: with vanishing points, or keeping parallel lines parallel. */
export type Projection = 'perspective' | 'parallel'

/** The angle of a perspective view from bottom to top, in degrees: small, as of a telephoto lens. */
const FIELD_OF_VIEW = 26

/** How fast a perspective view widens with the distance. */
const SLOPE = Math.tan((FIELD_OF_VIEW * Math.PI) / 360)

/** How much room is left around a structure. */
const MARGIN = 1.06

/**
 * Returns half of the height to see at the origin so that a box around it is in view. What is nearer to
 * the viewer is larger in perspective.
 * @param box half of its width, height and depth, in Å
 */
export function findHalfHeight(
  [width, height, depth]: Vector,
  aspect: number,
  projection: Projection,
): number {
  const front = projection === 'perspective' ? depth * SLOPE : 0
  return MARGIN * (Math.max(height, width / aspect) + front)
}

/** The part of the scene around the origin that a camera at the z axis shows. */
interface Frame {
  readonly projection: Projection
  /** Half of the height that is seen at the origin, in Å. */
  readonly halfHeight: number
  /** Width over height. */
  readonly aspect: number
  /** The distance of the farthest point from the origin, in Å. */
  readonly radius: number
}

/** A camera at the z axis. */
interface Camera {
  /** Where it is on the z axis, in Å. */
  readonly distance: number
  /** A matrix, its columns one after the other. */
  readonly projection: readonly number[]
}

/** Returns the camera of a frame. Both projections show the same part of the plane through the origin. */
export function aimCamera({ projection, halfHeight, aspect, radius }: Frame): Camera {
  const away = halfHeight / SLOPE
  const near = away / 100
  if (projection === 'parallel') {
    return {
      distance: radius + away,
      projection: projectParallel(halfHeight, aspect, near, away + 2 * radius),
    }
  }
  const [from, to] = [Math.max(away - radius, near), away + radius]
  // prettier-ignore
  const matrix = [
    1 / (SLOPE * aspect), 0, 0, 0,
    0, 1 / SLOPE, 0, 0,
    0, 0, (to + from) / (from - to), -1,
    0, 0, (2 * to * from) / (from - to), 0,
  ]
  return { distance: away, projection: matrix }
}

/** Returns the matrix of a parallel projection of the space from `near` to `far` before the camera. */
export const projectParallel = (
  halfHeight: number,
  aspect: number,
  near: number,
  far: number,
): readonly number[] =>
  // prettier-ignore
  [
    1 / (halfHeight * aspect), 0, 0, 0,
    0, 1 / halfHeight, 0, 0,
    0, 0, 2 / (near - far), 0,
    0, 0, (far + near) / (near - far), 1,
  ]

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

/**
 * Returns the bounds of points.
 * @param shown the points that are in view at first
 * @param others the points that may be out of view, such as the corners of a mostly empty cell
 */
export function findBounds(
  shown: readonly Vector[],
  others: readonly Vector[],
  orientation: Orientation,
): Bounds {
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
  for (const point of [...shown, ...others])
    radius = Math.max(radius, computeLength(subtract(point, center)) + RIM)
  return { center, halfSize: ranges.map(({ half }) => half) as unknown as Vector, radius }
}
