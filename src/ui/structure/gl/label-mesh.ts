import {
  InstancedBufferAttribute,
  InstancedBufferGeometry,
  Mesh,
  PlaneGeometry,
  ShaderMaterial,
} from 'three'
import type { Texture } from 'three'

import type { Vector } from '../../../domain/materials/vector.js'
import { LABEL_ASPECT, MAX_TEXTS, createLabelAtlas } from './label-atlas.js'
import type { LabelStyle } from './label-atlas.js'

/** A text on an atom. */
export interface Label {
  readonly position: Vector
  /** That of the atom's ball, in Å. */
  readonly radius: number
  readonly text: string
}

/**
 * Labels in one mesh. Each faces the viewer in front of its own atom, and is hidden by the atoms before it.
 * Beyond 512 different texts, the labels that come last are left out.
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

  /** Shows other labels in place of the present ones. */
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

  /** Frees what the labels hold on the graphics card. */
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
    // In a parallel projection, the viewer is at no point, but in the direction of z.
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
