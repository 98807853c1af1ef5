import { Group, OrthographicCamera, Scene } from 'three'
import type { Quaternion } from 'three'

import { computeLength, scale } from '../../../domain/materials/vector.js'
import type { Vector } from '../../../domain/materials/vector.js'
import type { Axes } from '../orientation.js'
import { LabelMesh } from './labels.js'
import { addLights, createBallMesh, createRodMesh, disposeMeshes } from './meshes.js'
import type { Materials } from './meshes.js'

/** The colours of the first, second and third axis. */
const AXIS_COLORS = ['#e5484d', '#30a46c', '#3e7bfa'] as const

/** The axes of a cell or of space, drawn in a corner of the view. */
export class AxesGizmo {
  readonly scene = new Scene()
  readonly camera = new OrthographicCamera(-1.8, 1.8, 1.8, -1.8, 1, 20)
  readonly #materials: Materials
  readonly #meshes = new Group()
  readonly #labels = new LabelMesh()
  readonly #group = new Group()

  constructor(materials: Materials) {
    this.#materials = materials
    addLights(this.scene)
    this.#group.add(this.#meshes, this.#labels)
    this.scene.add(this.#group)
    this.camera.position.z = 10
  }

  /** Shows axes, or no axes if they are undefined. */
  show(axes: Axes | undefined, textColor: string): void {
    disposeMeshes(this.#meshes)
    if (axes === undefined) return
    const ends = axes.directions.map((axis) => scale(axis, 1 / (computeLength(axis) || 1)))
    const rods = ends.map((to, index) => ({ from: ORIGIN, to, color: findAxisColor(index) }))
    const balls = [ORIGIN, ...ends].map((position, index) => ({
      position,
      radius: index === 0 ? 0.09 : 0.15,
      color: index === 0 ? CENTER_COLOR : findAxisColor(index - 1),
    }))
    const labels = ends.map((end, index) => ({
      position: scale(end, 1.38),
      radius: 0.2,
      text: axes.names[index] ?? '',
    }))
    const { solid } = this.#materials
    this.#meshes.add(createRodMesh(rods, 0.05, solid), createBallMesh(balls, solid))
    this.#labels.show(labels, { color: textColor, height: 5.75 })
  }

  /** Turns the axes as the structure is turned. */
  turn(rotation: Quaternion): void {
    this.#group.quaternion.copy(rotation)
  }

  dispose(): void {
    disposeMeshes(this.#meshes)
    this.#labels.dispose()
  }
}

const ORIGIN: Vector = [0, 0, 0]

const CENTER_COLOR = '#9aa3ad'

const findAxisColor = (index: number): string => AXIS_COLORS[index] ?? CENTER_COLOR
