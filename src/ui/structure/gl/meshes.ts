import {
  Color,
  CylinderGeometry,
  DirectionalLight,
  HemisphereLight,
  IcosahedronGeometry,
  InstancedMesh,
  Matrix4,
  MeshBasicMaterial,
  MeshPhongMaterial,
  Quaternion,
  Vector3,
  WebGLRenderer,
} from 'three'
import type { Material, Object3D, Scene } from 'three'

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
  // Nearly all balls are in view, so computing their bounds would take more time than it saves.
  mesh.frustumCulled = false
  return mesh
}

/**
 * Returns the detail of balls, so that all balls together have at most about a million triangles. A
 * ball has `20 * (detail + 1) ** 2` triangles.
 */
function chooseDetail(count: number): number {
  if (count <= 150) return 11
  if (count <= 800) return 6
  return count <= 4000 ? 3 : 1
}

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

/** The materials that all meshes share, so that the graphics card compiles each once. */
export interface Materials {
  /** The material of balls and bonds: a matt gloss, like wooden models. */
  readonly solid: MeshPhongMaterial
  /** The material of edges: without light and shade. */
  readonly flat: MeshBasicMaterial
}

/** Makes the materials of a view. */
export const createMaterials = (): Materials => ({
  solid: new MeshPhongMaterial({ specular: '#4a4a4a', shininess: 48 }),
  flat: new MeshBasicMaterial(),
})

/**
 * Adds the lights of a scene. They stay with the viewer, and the structure turns under them: a main light
 * from the upper left, a weak one from the lower right, and the sky.
 */
export function addLights(scene: Scene): void {
  const main = new DirectionalLight('#ffffff', 2.1)
  main.position.set(-3, 5, 6)
  const fill = new DirectionalLight('#dfe8ff', 0.5)
  fill.position.set(5, -3, 4)
  scene.add(main, fill, new HemisphereLight('#ffffff', '#8f949d', 1.35))
}

/** Empties a group of instanced meshes, and frees them without their materials, which other meshes share. */
export function disposeMeshes(group: Object3D): void {
  for (const object of group.children) {
    if (!(object instanceof InstancedMesh)) continue
    object.geometry.dispose()
    object.dispose()
  }
  group.clear()
}

/**
 * Returns a renderer for a canvas; undefined if the browser has no WebGL 2. The context is made here,
 * because three writes to the console if there is no WebGL 2.
 */
export function createRenderer(canvas: HTMLCanvasElement): WebGLRenderer | undefined {
  const context = canvas.getContext('webgl2', { antialias: true, powerPreference: 'low-power' })
  if (context === null) return undefined
  const renderer = new WebGLRenderer({ canvas, context })
  // A frame is two scenes, the structure and its axes.
  renderer.info.autoReset = false
  renderer.autoClear = false
  return renderer
}

/** Frees a renderer and its context. Browsers have room for about 16 contexts. */
export function disposeRenderer(renderer: WebGLRenderer): void {
  const context = renderer.getContext()
  renderer.dispose()
  context.getExtension('WEBGL_lose_context')?.loseContext()
}
