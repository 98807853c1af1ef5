import { Color, CylinderGeometry, InstancedMesh, Matrix4, Quaternion, Vector3 } from 'three'
import type { Material } from 'three'

import type { Vector } from '../../../domain/materials/vector.js'

/** A cylinder to draw, from one point in Å to another. */
export interface Rod {
  readonly from: Vector
  readonly to: Vector
  /** `#rrggbb` */
  readonly color: string
}

/**
 * Makes one mesh of all rods, so that they are one draw call however many there are.
 * @param radius in Å
 */
export function createRodMesh(
  rods: readonly Rod[],
  radius: number,
  material: Material,
): InstancedMesh {
  const sides = rods.length <= 4000 ? 14 : 6
  // The base of the cylinder is at the origin, and its axis is y.
  const geometry = new CylinderGeometry(1, 1, 1, sides).translate(0, 0.5, 0)
  const mesh = new InstancedMesh(geometry, material, rods.length)
  const [matrix, rotation, size] = [new Matrix4(), new Quaternion(), new Vector3()]
  const [start, axis, color] = [new Vector3(), new Vector3(), new Color()]
  rods.forEach(({ from, to, color: name }, index) => {
    start.set(...from)
    axis.set(...to).sub(start)
    size.set(radius, axis.length(), radius)
    rotation.setFromUnitVectors(UPWARD, axis.normalize())
    mesh.setMatrixAt(index, matrix.compose(start, rotation, size))
    mesh.setColorAt(index, color.set(name))
  })
  mesh.frustumCulled = false
  return mesh
}

const UPWARD = new Vector3(0, 1, 0)
