import { MathUtils, OrthographicCamera, PerspectiveCamera } from 'three'

import type { Vector } from '../../../domain/materials/vector.js'

/** The projection of a view: with vanishing points, or with parallel lines that stay parallel. */
export type Projection = 'perspective' | 'parallel'

/** The vertical angle of a perspective view, in degrees. It is small, like a telephoto lens's. */
const FIELD_OF_VIEW = 26

/** The growth of a perspective view with the distance. */
const SLOPE = Math.tan(MathUtils.degToRad(FIELD_OF_VIEW / 2))

/** The margin around a structure, as a factor. */
const MARGIN = 1.06

/**
 * Returns half of the height to see at the origin so that a box around it is in view. In perspective,
 * parts closer to the viewer are larger.
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

/** The part of space around the origin that a camera on the z axis sees. */
export interface Frame {
  readonly projection: Projection
  /** Half of the visible height at the origin, in Å. */
  readonly halfHeight: number
  /** Width over height. */
  readonly aspect: number
  /** The distance of the farthest point from the origin, in Å. */
  readonly radius: number
}

/** Two cameras that see the same part of the plane through the origin. */
export class ViewCamera {
  readonly #perspective = new PerspectiveCamera(FIELD_OF_VIEW)
  readonly #parallel = new OrthographicCamera()

  /** Returns the camera of a projection for a frame. */
  aim({ projection, halfHeight, aspect, radius }: Frame): PerspectiveCamera | OrthographicCamera {
    const distance = halfHeight / SLOPE
    if (projection === 'perspective') {
      const camera = this.#perspective
      camera.aspect = aspect
      camera.near = Math.max(distance - radius, distance / 100)
      camera.far = distance + radius
      camera.position.z = distance
      camera.updateProjectionMatrix()
      return camera
    }
    const camera = this.#parallel
    camera.top = halfHeight
    camera.bottom = -halfHeight
    camera.right = halfHeight * aspect
    camera.left = -camera.right
    camera.position.z = radius + distance
    camera.near = distance / 100
    camera.far = distance + 2 * radius
    camera.updateProjectionMatrix()
    return camera
  }
}
