import { Box3, Sphere, Vector3 } from 'three'
import type { Matrix4 } from 'three'

import type { Vector } from '@materials-mock/structures'

/** The place and size of the content of a view, in Å. */
export interface Bounds {
  readonly center: Vector3
  /** Half of the width, height and depth in the first orientation. */
  readonly halfSize: Vector3
  /** The distance of the farthest point from the centre, in any orientation. */
  readonly radius: number
}

/** The radius of a large atom with its bonds, so that nothing is cut off. */
const RIM = 1

/** Returns the bounds of the points that are in view at first. */
export function findBounds(shown: readonly Vector[], orientation: Matrix4): Bounds {
  const toView = orientation.clone().transpose()
  const points = shown.map((point) => new Vector3(...point).applyMatrix4(toView))
  const box = new Box3().setFromPoints(points).expandByScalar(RIM)
  const center = box.getCenter(new Vector3())
  return {
    center: center.clone().applyMatrix4(orientation),
    halfSize: box.getSize(new Vector3()).divideScalar(2),
    radius: new Sphere().setFromPoints(points, center).radius + RIM,
  }
}

/** How much room is left around a structure. */
const MARGIN = 1.06

/**
 * In Å, so that all in bounds is in view: what is nearer is larger.
 * @param slope the tangent of half the angle of view
 */
export const findHalfHeight = ({ halfSize }: Bounds, aspect: number, slope: number): number =>
  MARGIN * (Math.max(halfSize.y, halfSize.x / aspect) + halfSize.z * slope)
