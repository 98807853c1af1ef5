import { MathUtils, OrthographicCamera, PerspectiveCamera } from 'three'

import type { Vector } from '../../../domain/materials/vector.js'

/** How a view projects space: with vanishing points, or keeping parallel lines parallel. */
export type Projection = 'perspective' | 'parallel'

/** The angle of a perspective view from bottom to top, in degrees: small, as of a telephoto lens. */
const FIELD_OF_VIEW = 26

/** How fast a perspective view widens with the distance. */
const SLOPE = Math.tan(MathUtils.degToRad(FIELD_OF_VIEW / 2))

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

/** What a camera at the z axis sees of what is around the origin. */
export interface Frame {
  readonly projection: Projection
  /** Half of the height that is seen at the origin, in Å. */
  readonly halfHeight: number
  /** Width over height. */
  readonly aspect: number
  /** The distance of the farthest point from the origin, in Å. */
  readonly radius: number
}

/** Two cameras that see the same of the plane through the origin. */
export class ViewCamera {
  readonly #perspective = new PerspectiveCamera(FIELD_OF_VIEW)
  readonly #parallel = new OrthographicCamera()

  /** Returns the camera of a projection, which sees what a frame says. */
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
