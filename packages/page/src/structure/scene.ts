import {
  Color,
  CylinderGeometry,
  DirectionalLight,
  Fog,
  Group,
  HemisphereLight,
  IcosahedronGeometry,
  InstancedMesh,
  Matrix4,
  MeshBasicMaterial,
  MeshPhongMaterial,
  Quaternion,
  Scene,
  Vector3,
} from 'three'
import type { Material, PerspectiveCamera } from 'three'

import { ORIGIN, computeLength, scale } from '@materials-mock/structures'
import type { Site, Vector } from '@materials-mock/structures'
import type { Ball } from './bounds.js'
import { findBallRadius, findElementColor } from './colors.js'
import type { Theme } from './colors.js'
import { ATOM_LABEL, Labels } from './labels.js'
import type { Axes } from './orientation.js'
import { BOND_RADIUS } from './picture.js'
import type { Picture } from './picture.js'

/** The radius of an edge of the cell, in units of that of the structure. */
const EDGE_RADIUS = 0.0025

/** How far the bonds that end at the border fade into the background, from 0 to 1. */
const CUT_FADE = 0.4

export interface SceneContent {
  readonly sites: readonly Site[]
  readonly picture: Picture
  readonly hasLabels: boolean
  readonly hasEdges: boolean
  readonly theme: Theme
}

/** A scene of three.js whose lights and labels stay with the viewer. */
export class LitScene extends Scene {
  readonly #lights = createLights()
  readonly #labels: Labels | undefined

  constructor(meshes: readonly InstancedMesh[], labels?: Labels) {
    super()
    this.#labels = labels
    this.add(this.#lights, ...meshes)
    if (labels !== undefined) this.add(labels)
  }

  /** Turns lights and labels to the camera of a view, whose height is in CSS pixels. */
  face(camera: PerspectiveCamera, viewHeight: number): void {
    this.#lights.quaternion.copy(camera.quaternion)
    this.#labels?.face(camera, viewHeight)
  }

  /** Frees everything on the graphics card. */
  override dispose(): void {
    this.traverse((object) => {
      if (!(object instanceof InstancedMesh)) return
      const { geometry, material } = object as InstancedMesh<CylinderGeometry, MeshBasicMaterial>
      material.map?.dispose()
      material.dispose()
      geometry.dispose()
      object.dispose()
    })
  }
}

/** Returns the sky, a main light from the upper left, and a weak one from the lower right. */
function createLights(): Group {
  const [main, weak] = [new DirectionalLight('#ffffff', 2.1), new DirectionalLight('#dfe8ff', 0.5)]
  main.position.set(-3, 5, 6)
  weak.position.set(5, -3, 4)
  return new Group().add(new HemisphereLight('#ffffff', '#8f949d', 1.35), main, weak)
}

/**
 * Makes the scene of a structure. Its fog begins and ends where the view says.
 * @param structureRadius in Å
 */
export function createStructure(
  { sites, picture, hasLabels, hasEdges, theme }: SceneContent,
  structureRadius: number,
): LitScene {
  const balls = picture.atoms.map(({ site, position }) => {
    const { symbol = '', label = '' } = sites[site] ?? {}
    const [radius, color] = [findBallRadius(symbol), new Color(findElementColor(symbol))]
    return { position, radius, color, text: symbol + label }
  })
  const background = new Color(theme.background)
  const bonds = picture.halfBonds.map(({ site, from, to, isCut }) => {
    const color = new Color(findElementColor(sites[site]?.symbol ?? ''))
    return { from, to, color: isCut ? color.lerp(background, CUT_FADE) : color }
  })
  const lineColor = new Color(theme.lineColor)
  const edges = picture.edges.map(([from, to]) => ({ from, to, color: lineColor }))
  const edgeRadius = EDGE_RADIUS * structureRadius
  const meshes = [createBalls(balls)]
  if (bonds.length > 0) meshes.push(createRods(bonds, BOND_RADIUS, createGloss()))
  if (hasEdges && edges.length > 0)
    meshes.push(createRods(edges, edgeRadius, new MeshBasicMaterial()))
  const scene = new LitScene(meshes, hasLabels ? new Labels(balls, ATOM_LABEL) : undefined)
  scene.fog = new Fog(background)
  return scene
}

/** The colours of the first, second and third axis. */
const AXIS_COLORS = ['#e5484d', '#30a46c', '#3e7bfa'] as const

/** Makes the scene of the axes of a cell or of space, which is drawn in a corner of the view. */
export function createAxes(axes: Axes, textColor: string): LitScene {
  const ends = axes.directions.map((axis) => scale(axis, 1 / (computeLength(axis) || 1)))
  const rods = ends.map((to, index) => ({ from: ORIGIN, to, color: findAxisColor(index) }))
  const balls = [ORIGIN, ...ends].map((position, index) => ({
    position,
    radius: index === 0 ? 0.09 : 0.15,
    color: findAxisColor(index - 1),
  }))
  const labels = ends.map((end, index) => ({
    position: scale(end, 1.38),
    radius: 0.2,
    text: axes.names[index] ?? '',
  }))
  return new LitScene(
    [createRods(rods, 0.05, createGloss()), createBalls(balls)],
    new Labels(labels, { color: textColor, height: 5.75 }),
  )
}

const findAxisColor = (index: number): Color => new Color(AXIS_COLORS[index] ?? '#9aa3ad')

/** A matt gloss, as of wooden models. */
const createGloss = (): Material => new MeshPhongMaterial({ specular: '#4a4a4a', shininess: 48 })

interface ColoredBall extends Ball {
  readonly color: Color
}

/** Makes one mesh of all balls, so that they are one draw call however many there are. */
function createBalls(balls: readonly ColoredBall[]): InstancedMesh {
  const shape = new IcosahedronGeometry(1, chooseDetail(balls.length))
  const mesh = new InstancedMesh(shape, createGloss(), balls.length)
  const matrix = new Matrix4()
  for (const [index, { position, radius, color }] of balls.entries()) {
    mesh.setMatrixAt(index, matrix.makeScale(radius, radius, radius).setPosition(...position))
    mesh.setColorAt(index, color)
  }
  return mesh
}

/** Returns how finely each ball is divided: all balls together have about a million triangles at most. */
function chooseDetail(count: number): number {
  if (count <= 150) return 11
  if (count <= 800) return 6
  return count <= 4000 ? 3 : 1
}

interface Rod {
  readonly from: Vector
  readonly to: Vector
  readonly color: Color
}

/** Makes one mesh of all rods, so that they are one draw call however many there are. */
function createRods(rods: readonly Rod[], radius: number, material: Material): InstancedMesh {
  const shape = new CylinderGeometry(1, 1, 1, rods.length <= 4000 ? 14 : 6)
  const mesh = new InstancedMesh(shape, material, rods.length)
  const [matrix, turn, upward] = [new Matrix4(), new Quaternion(), new Vector3(0, 1, 0)]
  for (const [index, rod] of rods.entries()) {
    const [from, to] = [new Vector3(...rod.from), new Vector3(...rod.to)]
    const [middle, length] = [from.clone().lerp(to, 0.5), from.distanceTo(to)]
    turn.setFromUnitVectors(upward, to.sub(from).normalize())
    mesh.setMatrixAt(index, matrix.compose(middle, turn, new Vector3(radius, length, radius)))
    mesh.setColorAt(index, rod.color)
  }
  return mesh
}
