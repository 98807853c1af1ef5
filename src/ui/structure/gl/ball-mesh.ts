import { Color, IcosahedronGeometry, InstancedMesh, Matrix4 } from 'three'
import type { Material } from 'three'

import type { Vector } from '../../../domain/materials/vector.js'

/** A ball to draw. */
export interface Ball {
  readonly position: Vector
  /** Å */
  readonly radius: number
  /** `#rrggbb` */
  readonly color: string
}

/** Makes one mesh of all balls, so that they are one draw call however many there are. */
export function createBallMesh(balls: readonly Ball[], material: Material): InstancedMesh {
  const geometry = new IcosahedronGeometry(1, chooseDetail(balls.length))
  const mesh = new InstancedMesh(geometry, material, balls.length)
  const [matrix, color] = [new Matrix4(), new Color()]
  balls.forEach(({ position, radius, color: name }, index) => {
    matrix.makeScale(radius, radius, radius).setPosition(...position)
    mesh.setMatrixAt(index, matrix)
    mesh.setColorAt(index, color.set(name))
  })
  // All balls are in view, or nearly all: to compute their bounds would cost more than it saves.
  mesh.frustumCulled = false
  return mesh
}

/**
 * Returns how finely to divide a ball, so that all together have about a million triangles at most. A ball
 * has `20 * (detail + 1) ** 2` of them.
 */
function chooseDetail(count: number): number {
  if (count <= 150) return 11
  if (count <= 800) return 6
  return count <= 4000 ? 3 : 1
}
