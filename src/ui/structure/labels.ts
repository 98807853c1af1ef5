import {
  CanvasTexture,
  Group,
  InstancedMesh,
  LinearFilter,
  Matrix4,
  MeshBasicMaterial,
  PlaneGeometry,
  SRGBColorSpace,
  Vector3,
} from 'three'
import type { Camera } from 'three'

import type { Vector } from '../../domain/materials/vector.js'

/** A text on a ball. */
export interface Label {
  readonly position: Vector
  /** That of the ball, in Å. */
  readonly radius: number
  readonly text: string
}

/** How labels look. */
export interface LabelStyle {
  /** The CSS colour of the letters, and of the rim around them, if they have one. */
  readonly color: string
  readonly rim?: string
  /** In units of the ball's radius; larger than the letters. */
  readonly height: number
}

/** White with a dark rim, which is legible on an atom of any colour. */
export const ATOM_LABEL: LabelStyle = {
  color: '#ffffff',
  rim: 'rgb(16 20 26 / 85%)',
  height: 1.65,
}

/** The most different texts, each of which is a texture. */
const MAX_TEXTS = 512

/** How far a label is in front of its ball, in Å. */
const GAP = 0.02

/** Labels, each in front of its own ball. The balls before it hide it. A text is one draw call. */
export class Labels extends Group {
  readonly #texts: readonly { readonly mesh: InstancedMesh; readonly labels: readonly Label[] }[]
  readonly #height: number

  /** Beyond 512 different texts, the labels that come last are left out. */
  constructor(labels: readonly Label[], style: LabelStyle) {
    super()
    this.#height = style.height
    const texts = [...new Set(labels.map(({ text }) => text))].slice(0, MAX_TEXTS)
    this.#texts = texts.map((text) => {
      const same = labels.filter((label) => label.text === text)
      const map = new CanvasTexture(drawText(text, style))
      map.colorSpace = SRGBColorSpace
      map.minFilter = LinearFilter // small copies would make the letters pale
      const material = new MeshBasicMaterial({ map, transparent: true, depthWrite: false })
      material.fog = false
      const mesh = new InstancedMesh(new PlaneGeometry(2, 1), material, same.length)
      mesh.frustumCulled = false // its bounds would be those of the first frame
      return { mesh, labels: same }
    })
    this.add(...this.#texts.map(({ mesh }) => mesh))
  }

  /** Turns each label to a camera. */
  face({ position: viewer, quaternion }: Camera): void {
    const [matrix, place, size] = [new Matrix4(), new Vector3(), new Vector3()]
    for (const { mesh, labels } of this.#texts) {
      for (const [index, { position, radius }] of labels.entries()) {
        const toViewer = size.copy(viewer).sub(place.set(...position))
        place.addScaledVector(toViewer.normalize(), radius + GAP)
        mesh.setMatrixAt(
          index,
          matrix.compose(place, quaternion, size.setScalar(this.#height * radius)),
        )
      }
      mesh.instanceMatrix.needsUpdate = true
    }
  }
}

/** The size of a label's picture, in pixels. */
const [WIDTH, HEIGHT] = [128, 64]

function drawText(text: string, { color, rim }: LabelStyle): HTMLCanvasElement {
  const canvas = document.createElement('canvas')
  canvas.width = WIDTH
  canvas.height = HEIGHT
  const context = canvas.getContext('2d')
  if (context === null) return canvas
  context.font = '600 38px system-ui, sans-serif'
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  context.lineJoin = 'round'
  context.lineWidth = 8
  if (rim !== undefined) {
    context.strokeStyle = rim
    context.strokeText(text, WIDTH / 2, HEIGHT / 2, WIDTH - 12)
  }
  context.fillStyle = color
  context.fillText(text, WIDTH / 2, HEIGHT / 2, WIDTH - 12)
  return canvas
}
