import type { Vector } from '../../../domain/materials/vector.js'
import type { Bounds } from '../find-bounds.js'
import { parseColor } from '../gl/meshes.js'
import { Renderer } from '../gl/renderer.js'
import type { Mesh } from '../gl/renderer.js'
import { createAxes, createStructure } from '../gl/structure-scene.js'
import type { SceneContent } from '../gl/structure-scene.js'
import { aimCamera, findHalfHeight, projectParallel } from '../gl/view-camera.js'
import type { Projection } from '../gl/view-camera.js'
import type { Axes, Orientation } from '../orientation.js'
import { Pose, toMatrix } from './pose.js'

/** What the drawing of frames has cost. */
export interface FrameStatistics {
  readonly frames: number
  /** Of the last frame. */
  readonly drawCalls: number
  readonly triangles: number
  /** The time of the last frame in script, without that of the graphics card, in ms. */
  readonly milliseconds: number
}

/** The most pixels along a CSS pixel: more are not seen, and cost as much again. */
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
  readonly #renderer: Renderer
  #structure: readonly Mesh[] = []
  #axes: readonly Mesh[] = []
  #background: Vector = [1, 1, 1]
  #bounds: Bounds = { center: [0, 0, 0], halfSize: [1, 1, 1], radius: 1 }
  #projection: Projection = 'perspective'
  #request = 0
  #onMove = (): void => {}
  /** The number of pixels along a CSS pixel, if not that of the screen. */
  #pixelRatio: number | undefined

  private constructor(renderer: Renderer) {
    this.#renderer = renderer
  }

  /** Returns a view on a canvas; undefined if the browser has no WebGL. */
  static create(canvas: HTMLCanvasElement): StructureView | undefined {
    const renderer = Renderer.create(canvas)
    return renderer && new StructureView(renderer)
  }

  /**
   * Shows another content, in the present orientation.
   * @param bounds what the view has to show at a zoom of 1
   */
  show(
    content: SceneContent,
    bounds: Bounds,
    axes: Axes | undefined,
    projection: Projection,
  ): void {
    this.#free()
    this.#structure = createStructure(this.#renderer, content, bounds)
    this.#axes = axes === undefined ? [] : createAxes(this.#renderer, axes, content.theme.lineColor)
    this.#bounds = bounds
    this.#background = parseColor(content.theme.background)
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
    const ratio = this.#pixelRatio ?? Math.min(MAX_PIXEL_RATIO, window.devicePixelRatio)
    const { clientWidth, clientHeight } = renderer.canvas
    const [width, height] = [Math.max(1, clientWidth), Math.max(1, clientHeight)]
    const [across, down] = [Math.floor(width * ratio), Math.floor(height * ratio)]
    renderer.clear(across, down, this.#background)
    this.#drawStructure(across, down)
    if (this.#axes.length > 0) this.#drawAxes(Math.floor(ratio * Math.min(AXES_SIZE, width / 3)))
    const { drawCalls, triangles } = renderer
    const milliseconds = performance.now() - start
    const frames = this.statistics.frames + 1
    this.statistics = { frames, drawCalls, triangles, milliseconds }
  }

  /** Returns a picture of the view as PNG, with twice as many pixels as CSS has. */
  toPng(): Promise<Blob | null> {
    this.#pixelRatio = MAX_PIXEL_RATIO
    this.render()
    // The pixels are lost when the browser shows the page: they are taken at once.
    const blob = new Promise<Blob | null>((resolve) => {
      this.#renderer.canvas.toBlob(resolve, 'image/png')
    })
    this.#pixelRatio = undefined
    this.requestFrame()
    return blob
  }

  /** Frees everything on the graphics card. */
  dispose(): void {
    cancelAnimationFrame(this.#request)
    this.#free()
    this.#renderer.dispose()
  }

  #free(): void {
    for (const mesh of [...this.#structure, ...this.#axes]) this.#renderer.free(mesh)
  }

  #move(): void {
    this.requestFrame()
    this.#onMove()
  }

  #drawStructure(width: number, height: number): void {
    const { center, halfSize, radius } = this.#bounds
    const projection = this.#projection
    const aspect = width / height
    const visible = findHalfHeight(halfSize, aspect, projection) / this.pose.zoom
    const camera = aimCamera({ projection, halfHeight: visible, aspect, radius })
    const [right, up] = this.pose.shift
    const place = [2 * visible * right, 2 * visible * up, -camera.distance]
    const turn = toMatrix(this.pose.rotation, [])
    // The structure turns around its centre.
    const shift = place.map((each, row) =>
      center.reduce((sum, value, column) => sum - (turn[4 * column + row] ?? 0) * value, each),
    )
    const view = {
      modelView: toMatrix(this.pose.rotation, shift),
      projection: camera.projection,
      isParallel: projection === 'parallel',
      fog: {
        near: camera.distance - 0.3 * radius,
        far: camera.distance + 3.5 * radius,
        color: this.#background,
      },
    }
    this.#renderer.draw(this.#structure, view, width, height)
  }

  #drawAxes(size: number): void {
    const view = {
      modelView: toMatrix(this.pose.rotation, [0, 0, -10]),
      projection: projectParallel(1.8, 1, 1, 20),
      isParallel: true,
    }
    this.#renderer.draw(this.#axes, view, size, size)
  }
}
