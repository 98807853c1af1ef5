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
import type { PerspectiveCamera } from 'three'

import type { Vector } from '@materials-mock/structures'

/** A text on a ball. */
export interface Label {
  readonly position: Vector
  /** That of the ball, in Å. */
  readonly radius: number
  readonly text: string
}

export interface LabelStyle {
  /** The CSS colour of the letters, and of the rim around them, if they have one. */
  readonly color: string
  readonly rim?: string
  /** In units of the ball's radius; larger than the letters. */
  readonly height: number
  /** The least height, in CSS pixels. */
  readonly leastHeight?: number
}

/** White with a dark rim, which is legible on an atom of any colour. */
export const ATOM_LABEL: LabelStyle = {
  color: '#ffffff',
  rim: 'rgb(16 20 26 / 85%)',
  height: 1.65,
  leastHeight: 20, // letters of 12 pixels
}

const MAX_TEXTS = 512

/** How far a label is in front of its ball, in Å. */
const GAP = 0.02

/** The width and the height of letters, in heights of a label. */
const [LETTER_WIDTH, LETTER_HEIGHT] = [0.8, 0.5]

/** A label at its place in the mesh of its text. */
interface PlacedLabel extends Label {
  readonly mesh: InstancedMesh
  readonly index: number
}

/** Labels, each in front of its own ball. The balls before it hide it. A text is one draw call. */
export class Labels extends Group {
  readonly #labels: readonly PlacedLabel[]
  readonly #style: LabelStyle

  /** Beyond 512 different texts, the labels that come last are left out. */
  constructor(labels: readonly Label[], style: LabelStyle) {
    super()
    this.#style = style
    const texts = [...new Set(labels.map(({ text }) => text))].slice(0, MAX_TEXTS)
    this.#labels = texts.flatMap((text) => {
      const same = labels.filter((label) => label.text === text)
      const map = new CanvasTexture(drawText(text, style))
      map.colorSpace = SRGBColorSpace
      map.minFilter = LinearFilter // small copies would make the letters pale
      const material = new MeshBasicMaterial({ map, transparent: true, depthWrite: false })
      material.fog = false
      const mesh = new InstancedMesh(new PlaneGeometry(2, 1), material, same.length)
      mesh.frustumCulled = false // its bounds would be those of the first frame
      this.add(mesh)
      return same.map((label, index) => ({ ...label, mesh, index }))
    })
  }

  /**
   * One that is too small to be read grows, or is left out where it would cover a nearer one.
   * @param viewHeight of the view, in CSS pixels
   */
  face(camera: PerspectiveCamera, viewHeight: number): void {
    const [matrix, place, size] = [new Matrix4(), new Vector3(), new Vector3()]
    const { height, leastHeight = 0 } = this.#style
    const least = (2 * leastHeight) / viewHeight // where half of the view is 1
    const slope = Math.tan((camera.fov * Math.PI) / 360)
    const grown: Vector3[] = []
    const distanceOf = ({ position }: Label): number =>
      place.set(...position).distanceToSquared(camera.position)
    for (const label of this.#labels.toSorted((a, b) => distanceOf(a) - distanceOf(b))) {
      const { position, radius, mesh, index } = label
      const toViewer = size.copy(camera.position).sub(place.set(...position))
      const [own, readable] = [height * radius, least * slope * toViewer.length()]
      place.addScaledVector(toViewer.normalize(), radius + GAP)
      let isShown = true
      if (own < readable) {
        const { x, y } = place.clone().project(camera)
        isShown = grown.every(
          (other) =>
            Math.abs(other.x - x) * camera.aspect > LETTER_WIDTH * least ||
            Math.abs(other.y - y) > LETTER_HEIGHT * least,
        )
        if (isShown) grown.push(new Vector3(x, y))
      }
      size.setScalar(isShown ? Math.max(own, readable) : 0)
      mesh.setMatrixAt(index, matrix.compose(place, camera.quaternion, size))
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
