import {
  CanvasTexture,
  InstancedBufferAttribute,
  InstancedBufferGeometry,
  LinearFilter,
  Mesh,
  PlaneGeometry,
  ShaderMaterial,
  SRGBColorSpace,
} from 'three'
import type { Texture } from 'three'

import type { Vector } from '../../../domain/materials/vector.js'

/** A text on an atom. */
export interface Label {
  readonly position: Vector
  /** The radius of the atom's ball, in Å. */
  readonly radius: number
  readonly text: string
}

/**
 * Labels in one mesh. Each faces the viewer in front of its own atom, and is hidden by the atoms before
 * it. Beyond 512 different texts, the last labels are left out.
 */
export class LabelMesh extends Mesh<InstancedBufferGeometry, ShaderMaterial> {
  #texture: Texture | undefined

  constructor() {
    const material = new ShaderMaterial({
      uniforms: { atlas: { value: null }, size: { value: [1, 1] }, height: { value: 1 } },
      vertexShader: VERTEX_SHADER,
      fragmentShader: FRAGMENT_SHADER,
      transparent: true,
      depthWrite: false,
    })
    super(new InstancedBufferGeometry(), material)
    this.frustumCulled = false
    this.visible = false
  }

  /** Replaces the labels. */
  show(labels: readonly Label[], style: LabelStyle): void {
    this.#texture?.dispose()
    this.geometry.dispose()
    this.visible = labels.length > 0
    if (!this.visible) return
    const texts = [...new Set(labels.map(({ text }) => text))].slice(0, MAX_TEXTS)
    const { texture, columns, rows, places } = createLabelAtlas(texts, style)
    const placed = labels.filter(({ text }) => places.has(text))
    const corners = placed.map(({ text }) => {
      const place = places.get(text) ?? 0
      return [(place % columns) / columns, 1 - (Math.floor(place / columns) + 1) / rows]
    })
    this.geometry = createGeometry(placed, corners)
    this.#texture = texture
    const { atlas, size, height } = this.material.uniforms
    if (atlas) atlas.value = texture
    if (size) size.value = [1 / columns, 1 / rows]
    if (height) height.value = style.height
  }

  /** Frees the labels' memory on the graphics card. */
  override dispose(): void {
    this.show([], { color: '', height: 1 })
    this.material.dispose()
  }
}

function createGeometry(
  labels: readonly Label[],
  corners: readonly (readonly number[])[],
): InstancedBufferGeometry {
  const plane = new PlaneGeometry(LABEL_ASPECT, 1)
  const geometry = new InstancedBufferGeometry()
  geometry.setIndex(plane.getIndex())
  geometry.setAttribute('position', plane.getAttribute('position'))
  geometry.setAttribute('uv', plane.getAttribute('uv'))
  const [centers, radii] = [
    labels.map(({ position }) => position),
    labels.map(({ radius }) => [radius]),
  ]
  for (const [name, values] of Object.entries({
    center: centers,
    radius: radii,
    corner: corners,
  })) {
    const array = new Float32Array(values.flat())
    geometry.setAttribute(name, new InstancedBufferAttribute(array, values[0]?.length ?? 1))
  }
  geometry.instanceCount = labels.length
  return geometry
}

const VERTEX_SHADER = `
  attribute vec3 center;
  attribute float radius;
  attribute vec2 corner;
  uniform vec2 size;
  uniform float height;
  varying vec2 place;
  void main() {
    vec4 point = modelViewMatrix * vec4(center, 1.0);
    // In a parallel projection, the viewer is not at a point, but in the direction of z.
    vec3 toViewer = isOrthographic ? vec3(0.0, 0.0, 1.0) : normalize(-point.xyz);
    point.xyz += toViewer * (radius + 0.02) + vec3(position.xy * height * radius, 0.0);
    place = corner + uv * size;
    gl_Position = projectionMatrix * point;
  }
`

const FRAGMENT_SHADER = `
  uniform sampler2D atlas;
  varying vec2 place;
  void main() {
    gl_FragColor = texture2D(atlas, place);
    if (gl_FragColor.a < 0.02) discard;
    #include <colorspace_fragment>
  }
`

/** The texts of labels, drawn side by side in one texture. */
export interface LabelAtlas {
  readonly texture: CanvasTexture
  readonly columns: number
  readonly rows: number
  /** The place of each text, by columns and then by rows. */
  readonly places: ReadonlyMap<string, number>
}

/** The size of a label's place, in pixels. */
const [WIDTH, HEIGHT] = [128, 64]

/** The largest number of different texts, which fill a texture of 2048 × 2048 pixels. */
export const MAX_TEXTS = 512

/** The width of a label's place, in units of its height. */
export const LABEL_ASPECT = WIDTH / HEIGHT

/** The appearance of labels. */
export interface LabelStyle {
  /** The CSS colour of the letters, and of the rim around them, if they have one. */
  readonly color: string
  readonly rim?: string
  /** In units of the atom's radius; larger than the letters. */
  readonly height: number
}

/** White with a dark rim, which is legible on an atom of any colour. */
export const ATOM_LABEL: LabelStyle = {
  color: '#ffffff',
  rim: 'rgb(16 20 26 / 85%)',
  height: 1.65,
}

/** Draws texts into a texture. */
export function createLabelAtlas(texts: readonly string[], style: LabelStyle): LabelAtlas {
  const columns = Math.min(16, texts.length)
  const rows = Math.ceil(texts.length / columns)
  const canvas = document.createElement('canvas')
  canvas.width = columns * WIDTH
  canvas.height = rows * HEIGHT
  const context = canvas.getContext('2d')
  texts.forEach((text, index) => {
    const x = (index % columns) * WIDTH
    const y = Math.floor(index / columns) * HEIGHT
    if (context !== null) drawText(context, text, style, x + WIDTH / 2, y + HEIGHT / 2)
  })
  const texture = new CanvasTexture(canvas)
  texture.colorSpace = SRGBColorSpace
  texture.minFilter = LinearFilter
  texture.generateMipmaps = false
  return { texture, columns, rows, places: new Map(texts.map((text, index) => [text, index])) }
}

function drawText(
  context: CanvasRenderingContext2D,
  text: string,
  { color, rim }: LabelStyle,
  x: number,
  y: number,
): void {
  context.font = '600 38px system-ui, sans-serif'
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  context.lineJoin = 'round'
  context.lineWidth = 8
  if (rim !== undefined) {
    context.strokeStyle = rim
    context.strokeText(text, x, y, WIDTH - 12)
  }
  context.fillStyle = color
  context.fillText(text, x, y, WIDTH - 12)
}
