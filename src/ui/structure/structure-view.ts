import type { Vector } from '../../domain/materials/vector.js'
import { parseColor } from './gl/meshes.js'
import { Renderer } from './gl/renderer.js'
import type { Mesh } from './gl/renderer.js'
import { createAxes, createStructure } from './gl/scene.js'
import type { SceneContent } from './gl/scene.js'
import { aimCamera, findHalfHeight, projectParallel } from './gl/view-camera.js'
import type { Bounds, Projection } from './gl/view-camera.js'
import type { Axes, Orientation } from './orientation.js'
import { Pose, toMatrix } from './pose.js'

/** The most pixels along a CSS pixel: more are not seen, and cost as much again. */
const MAX_PIXEL_RATIO = 2

/** The side of the square in which the axes are drawn, in CSS pixels. */
const AXES_SIZE = 96

/**
 * Draws a structure on a canvas, and turns, moves and enlarges it. A frame is drawn only if something has
 * changed.
 */
export class StructureView {
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

  /** Calls a function after each change of the pose by the reader. */
  watchMoves(onMove: () => void): void {
    this.#onMove = onMove
  }

  /** Changes the pose, and draws it. */
  move(change: (pose: Pose) => void): void {
    change(this.pose)
    this.requestFrame()
    this.#onMove()
  }

  /** Draws a frame when the browser draws the next one. */
  requestFrame(): void {
    this.#request ||= requestAnimationFrame(() => this.render())
  }

  /** Draws a frame now. */
  render(): void {
    cancelAnimationFrame(this.#request)
    this.#request = 0
    const renderer = this.#renderer
    const ratio = this.#pixelRatio ?? Math.min(MAX_PIXEL_RATIO, window.devicePixelRatio)
    const { clientWidth, clientHeight } = renderer.canvas
    const [width, height] = [Math.max(1, clientWidth), Math.max(1, clientHeight)]
    const [across, down] = [Math.floor(width * ratio), Math.floor(height * ratio)]
    renderer.clear(across, down, this.#background)
    this.#drawStructure(across, down)
    if (this.#axes.length > 0) this.#drawAxes(Math.floor(ratio * Math.min(AXES_SIZE, width / 3)))
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

/** The turn by one press of an arrow key, in radians: five degrees. */
const KEY_TURN = Math.PI / 36

/** The turn by a movement over the whole height of the canvas, in radians. */
const DRAG_TURN = Math.PI

const KEYS: Readonly<Record<string, (pose: Pose) => void>> = {
  ArrowLeft: (pose) => pose.turn(-KEY_TURN, 0),
  ArrowRight: (pose) => pose.turn(KEY_TURN, 0),
  ArrowUp: (pose) => pose.turn(0, -KEY_TURN),
  ArrowDown: (pose) => pose.turn(0, KEY_TURN),
  '+': (pose) => pose.enlarge(1.15),
  '=': (pose) => pose.enlarge(1.15),
  '-': (pose) => pose.enlarge(1 / 1.15),
  '0': (pose) => pose.reset(),
}

/**
 * Lets mouse, touch and keys turn a view: dragging turns, with Shift or the right button it moves, two
 * fingers move and enlarge, the wheel enlarges. The listeners go with the canvas.
 */
export function addTurnControls(canvas: HTMLCanvasElement, view: StructureView): void {
  const pointers = new Map<number, PointerEvent>()
  canvas.addEventListener('keydown', (event) => {
    const act = event.ctrlKey || event.metaKey || event.altKey ? undefined : KEYS[event.key]
    if (act === undefined) return
    event.preventDefault()
    view.move(act)
  })
  canvas.addEventListener('pointerdown', (event) => {
    canvas.setPointerCapture(event.pointerId)
    pointers.set(event.pointerId, event)
  })
  canvas.addEventListener('pointermove', (event) => {
    const last = pointers.get(event.pointerId)
    if (last === undefined) return
    const other = [...pointers.values()].find((each) => each !== last)
    view.move((pose) => {
      if (other === undefined) drag(canvas, pose, last, event)
      else pinch(canvas, pose, other, last, event)
    })
    pointers.set(event.pointerId, event)
  })
  for (const type of ['pointerup', 'pointercancel'] as const)
    canvas.addEventListener(type, (event) => pointers.delete(event.pointerId))
  canvas.addEventListener('contextmenu', (event) => event.preventDefault())
  canvas.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault()
      view.move((pose) => pose.enlarge(Math.exp(-normalizeWheel(event) * 0.0015)))
    },
    { passive: false },
  )
}

function drag(canvas: HTMLCanvasElement, pose: Pose, from: PointerEvent, to: PointerEvent): void {
  const right = (to.clientX - from.clientX) / canvas.clientHeight
  const down = (to.clientY - from.clientY) / canvas.clientHeight
  if (to.shiftKey || (to.buttons & 2) !== 0) pose.move(right, -down)
  else pose.turn(right * DRAG_TURN, down * DRAG_TURN)
}

/** Follows one of two fingers. Their distance sets the zoom, and each finger moves the view by half. */
function pinch(
  canvas: HTMLCanvasElement,
  pose: Pose,
  other: PointerEvent,
  from: PointerEvent,
  to: PointerEvent,
): void {
  const before = findDistance(other, from)
  if (before > 0) pose.enlarge(findDistance(other, to) / before)
  const half = 2 * canvas.clientHeight
  pose.move((to.clientX - from.clientX) / half, -(to.clientY - from.clientY) / half)
}

const findDistance = (a: PointerEvent, b: PointerEvent): number =>
  Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY)

/** Returns the turn of a wheel in pixels; Firefox counts it in lines. */
const normalizeWheel = ({ deltaY, deltaMode }: WheelEvent): number =>
  deltaMode === WheelEvent.DOM_DELTA_LINE ? deltaY * 33 : deltaY
