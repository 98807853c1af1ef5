import { Color, Matrix4, Quaternion, Vector2, Vector3 } from 'three'
import type { WebGLRenderer } from 'three'

import type { Bounds } from '../find-bounds.js'
import { AxesGizmo } from '../gl/axes-gizmo.js'
import { createMaterials, createRenderer, disposeRenderer } from '../gl/meshes.js'
import { StructureScene } from '../gl/structure-scene.js'
import type { SceneContent } from '../gl/structure-scene.js'
import { findHalfHeight, ViewCamera } from '../gl/view-camera.js'
import type { Projection } from '../gl/view-camera.js'
import type { Axes, Orientation } from '../orientation.js'

/** The cost of drawing frames. */
export interface FrameStatistics {
  readonly frames: number
  /** The numbers of the last frame. */
  readonly drawCalls: number
  readonly triangles: number
  /** The time of the last frame in script, without the time of the graphics card, in ms. */
  readonly milliseconds: number
}

/** The largest number of pixels along a CSS pixel. More are not visible, and take more time. */
const MAX_PIXEL_RATIO = 2

/** The side of the square in which the axes are drawn, in CSS pixels. */
const AXES_SIZE = 96

/**
 * Draws a structure on a canvas, and turns, moves and enlarges it. A frame is drawn only if something has
 * changed.
 */
export class StructureView {
  statistics: FrameStatistics = { frames: 0, drawCalls: 0, triangles: 0, milliseconds: 0 }
  readonly pose = new Pose()
  readonly #renderer: WebGLRenderer
  readonly #materials = createMaterials()
  readonly #scene = new StructureScene(this.#materials)
  readonly #axes = new AxesGizmo(this.#materials)
  readonly #camera = new ViewCamera()
  readonly #background = new Color()
  #hasAxes = false
  #bounds: Bounds = { center: [0, 0, 0], halfSize: [1, 1, 1], radius: 1 }
  #projection: Projection = 'perspective'
  #request = 0
  #onMove = (): void => {}
  /** The number of pixels along a CSS pixel (default: the screen's). */
  #pixelRatio: number | undefined

  private constructor(renderer: WebGLRenderer) {
    this.#renderer = renderer
  }

  /** Returns a view on a canvas; undefined if the browser has no WebGL. */
  static create(canvas: HTMLCanvasElement): StructureView | undefined {
    const renderer = createRenderer(canvas)
    return renderer && new StructureView(renderer)
  }

  /**
   * Shows other content in the current orientation.
   * @param bounds the bounds of the content at a zoom of 1
   */
  show(
    content: SceneContent,
    bounds: Bounds,
    axes: Axes | undefined,
    projection: Projection,
  ): void {
    this.#scene.show(content, bounds)
    this.#bounds = bounds
    this.#background.set(content.theme.background)
    this.#axes.show(axes, content.theme.lineColor)
    this.#hasAxes = axes !== undefined
    this.#projection = projection
    this.requestFrame()
  }

  /** Sets the orientation to which `reset` returns, and turns to it. */
  orient(orientation: Orientation): void {
    this.pose.orient(orientation)
    this.requestFrame()
  }

  /** Calls a function after each turn, movement and enlargement by the reader. */
  watchMoves(onMove: () => void): void {
    this.#onMove = onMove
  }

  /** Returns to the first orientation, place and size. */
  reset(): void {
    this.pose.reset()
    this.#move()
  }

  /** Turns the structure to the right and downward, in radians. */
  turn(right: number, down: number): void {
    this.pose.turn(right, down)
    this.#move()
  }

  /** Moves the structure, in units of the height of the view. */
  move(right: number, up: number): void {
    this.pose.move(right, up)
    this.#move()
  }

  /** Enlarges the structure, or makes it smaller. */
  zoom(factor: number): void {
    this.pose.enlarge(factor)
    this.#move()
  }

  /** Draws a frame when the browser draws the next one. */
  requestFrame(): void {
    this.#request ||= requestAnimationFrame(() => this.render())
  }

  /** Draws a frame now. */
  render(): void {
    cancelAnimationFrame(this.#request)
    this.#request = 0
    const start = performance.now()
    const renderer = this.#renderer
    const { x: width, y: height } = this.#fitCanvas()
    renderer.info.reset()
    renderer.setClearColor(this.#background)
    renderer.clear()
    this.#drawStructure(width / height)
    if (this.#hasAxes) this.#drawAxes(Math.min(AXES_SIZE, width / 3))
    const { calls, triangles } = renderer.info.render
    const milliseconds = performance.now() - start
    const frames = this.statistics.frames + 1
    this.statistics = { frames, drawCalls: calls, triangles, milliseconds }
  }

  /** Returns a picture of the view as PNG, with twice as many pixels as CSS has. */
  toPng(): Promise<Blob | null> {
    this.#pixelRatio = MAX_PIXEL_RATIO
    this.render()
    // The pixels are lost when the browser shows the page, so they are read at once.
    const blob = new Promise<Blob | null>((resolve) => {
      this.#renderer.domElement.toBlob(resolve, 'image/png')
    })
    this.#pixelRatio = undefined
    this.requestFrame()
    return blob
  }

  /** Frees everything on the graphics card. */
  dispose(): void {
    cancelAnimationFrame(this.#request)
    this.#scene.dispose()
    this.#axes.dispose()
    for (const material of Object.values(this.#materials)) material.dispose()
    disposeRenderer(this.#renderer)
  }

  #move(): void {
    this.requestFrame()
    this.#onMove()
  }

  /** Gives the canvas as many pixels as it has room, which clears it. */
  #fitCanvas(): Vector2 {
    const renderer = this.#renderer
    const { clientWidth, clientHeight } = renderer.domElement
    const size = new Vector2(Math.max(1, clientWidth), Math.max(1, clientHeight))
    const ratio = this.#pixelRatio ?? Math.min(MAX_PIXEL_RATIO, window.devicePixelRatio)
    if (!size.equals(renderer.getSize(new Vector2())) || ratio !== renderer.getPixelRatio())
      renderer.setDrawingBufferSize(size.x, size.y, ratio)
    renderer.setViewport(0, 0, size.x, size.y)
    return size
  }

  #drawStructure(aspect: number): void {
    const { halfSize, radius } = this.#bounds
    const projection = this.#projection
    const visible = findHalfHeight(halfSize, aspect, projection) / this.pose.zoom
    const { group, scene, fog } = this.#scene
    const [right, up] = this.pose.shift
    group.quaternion.copy(this.pose.rotation)
    group.position.set(2 * visible * right, 2 * visible * up, 0)
    const camera = this.#camera.aim({ projection, halfHeight: visible, aspect, radius })
    fog.near = camera.position.z - 0.3 * radius
    fog.far = camera.position.z + 3.5 * radius
    this.#renderer.render(scene, camera)
  }

  #drawAxes(size: number): void {
    this.#axes.turn(this.pose.rotation)
    this.#renderer.setViewport(0, 0, size, size)
    this.#renderer.clearDepth()
    this.#renderer.render(this.#axes.scene, this.#axes.camera)
  }
}

const [MIN_ZOOM, MAX_ZOOM] = [0.25, 20]

/** The pose of a structure: how it is turned, enlarged and moved. */
export class Pose {
  readonly rotation = new Quaternion()
  #first = new Quaternion()
  #zoom = 1
  #shift: readonly [right: number, up: number] = [0, 0]

  get zoom(): number {
    return this.#zoom
  }

  /** The movement in units of the height of the view. */
  get shift(): readonly [right: number, up: number] {
    return this.#shift
  }

  /** Sets the orientation to which `reset` returns, and turns to it. */
  orient([right, up, toViewer]: Orientation): void {
    const toSpace = new Matrix4().makeBasis(
      new Vector3(...right),
      new Vector3(...up),
      new Vector3(...toViewer),
    )
    this.#first.setFromRotationMatrix(toSpace).invert()
    this.reset()
  }

  /** Returns to the first orientation, place and size. */
  reset(): void {
    this.#set(this.#first, 1, [0, 0])
  }

  /** Turns to the right and downward, in radians. */
  turn(right: number, down: number): void {
    const step = new Quaternion().setFromAxisAngle(new Vector3(0, 1, 0), right)
    step.multiply(new Quaternion().setFromAxisAngle(new Vector3(1, 0, 0), down))
    this.rotation.premultiply(step).normalize()
  }

  move(right: number, up: number): void {
    this.#shift = [this.#shift[0] + right, this.#shift[1] + up]
  }

  enlarge(factor: number): void {
    this.#set(this.rotation, this.#zoom * factor, this.#shift)
  }

  /** Returns the pose as seven numbers, or an empty text for the first pose. */
  format(): string {
    const isFirst = this.rotation.equals(this.#first) && this.#zoom === 1
    if (isFirst && this.#shift.every((each) => each === 0)) return ''
    const numbers = [...this.rotation.toArray(), this.#zoom, ...this.#shift]
    return numbers.map((each) => Number(each.toFixed(4))).join(',')
  }

  /** Sets the pose from the result of `format`. Any other text changes nothing. */
  parse(text: string): void {
    const numbers = text.split(',').map(Number)
    const [x = 0, y = 0, z = 0, w = 0, zoom = 1, right = 0, up = 0] = numbers
    const rotation = new Quaternion(x, y, z, w)
    if (numbers.length !== 7 || !numbers.every(Number.isFinite) || rotation.length() < 0.5) return
    this.#set(rotation.normalize(), zoom, [right, up])
  }

  #set(rotation: Quaternion, zoom: number, shift: readonly [number, number]): void {
    this.rotation.copy(rotation)
    this.#zoom = Math.min(MAX_ZOOM, Math.max(MIN_ZOOM, zoom))
    this.#shift = shift
  }
}
