import {
  Euler,
  Fog,
  MathUtils,
  MOUSE,
  PerspectiveCamera,
  Quaternion,
  Vector2,
  Vector3,
  WebGLRenderer,
} from 'three'
import type { Matrix4 } from 'three'
import { TrackballControls } from 'three/addons/controls/TrackballControls.js'

import { findBounds, findHalfHeight } from './bounds.js'
import type { Ball, Bounds } from './bounds.js'
import type { Axes } from './orientation.js'
import { createAxes, createStructure } from './scene.js'
import type { LitScene, SceneContent } from './scene.js'

/** The most pixels along a CSS pixel: more are not seen, and cost as much again. */
const MAX_PIXEL_RATIO = 2

/** The side of the square in which the axes are drawn, in CSS pixels. */
const AXES_SIZE = 96

/** Half of the height of the space around the axes, in their length. */
const AXES_HALF_HEIGHT = 1.8

/** In degrees, small, as of a telephoto lens; parallel within a pixel from very far away. */
const [FIELD_OF_VIEW, PARALLEL_FIELD_OF_VIEW] = [26, 0.2]

const [MIN_ZOOM, MAX_ZOOM] = [0.25, 20]

/** The turn by one press of an arrow key, in radians: five degrees. */
const KEY_TURN = Math.PI / 36

const KEYS: Readonly<Record<string, (view: StructureView) => void>> = {
  ArrowLeft: (view) => view.turn(-KEY_TURN, 0),
  ArrowRight: (view) => view.turn(KEY_TURN, 0),
  ArrowUp: (view) => view.turn(0, -KEY_TURN),
  ArrowDown: (view) => view.turn(0, KEY_TURN),
  '+': (view) => view.enlarge(1.15),
  '=': (view) => view.enlarge(1.15),
  '-': (view) => view.enlarge(1 / 1.15),
  '0': (view) => view.reset(),
}

/** The quaternion of its rotation, its zoom, and its shift in units of the height of the view. */
type Pose = readonly number[]

/** A frame is drawn only if something has changed. */
export class StructureView {
  /** Called after each change of the pose by the reader. */
  onMove = (): void => {}
  readonly #canvas: HTMLCanvasElement
  readonly #renderer: WebGLRenderer
  readonly #camera = new PerspectiveCamera()
  readonly #controls: TrackballControls
  #structure: LitScene | undefined
  #axes: LitScene | undefined
  #bounds: Bounds = {
    center: new Vector3(),
    balls: [{ place: new Vector3(), radius: 1 }],
    radius: 1,
  }
  #fieldOfView = FIELD_OF_VIEW
  #halfHeight = 1
  #first: Pose = [0, 0, 0, 1, 1, 0, 0, 0]
  #request = 0
  /** The number of pixels along a CSS pixel, if not that of the screen. */
  #pixelRatio: number | undefined

  private constructor(canvas: HTMLCanvasElement, context: WebGL2RenderingContext) {
    this.#canvas = canvas
    this.#renderer = new WebGLRenderer({ canvas, context })
    this.#renderer.autoClear = false
    // Before the controls see them: Shift makes a drag move.
    canvas.addEventListener('pointerdown', ({ shiftKey }) => {
      this.#controls.mouseButtons.LEFT = shiftKey ? MOUSE.PAN : MOUSE.ROTATE
    })
    this.#controls = new TrackballControls(this.#camera, canvas)
    Object.assign(this.#controls, { staticMoving: true, rotateSpeed: 2.4, zoomSpeed: 6 })
    this.#controls.keys = ['', '', '']
    canvas.addEventListener('pointermove', ({ buttons }) => buttons !== 0 && this.#moved())
    canvas.addEventListener('wheel', () => this.#moved())
    // What is freed after the context is back would be another context's.
    canvas.addEventListener('webglcontextlost', () => this.#free())
    canvas.addEventListener('keydown', (event) => {
      const act = event.ctrlKey || event.metaKey || event.altKey ? undefined : KEYS[event.key]
      if (act === undefined) return
      event.preventDefault()
      act(this)
    })
    this.#fit(1)
    this.#setPose(this.#first)
  }

  /** Returns a view on a canvas; undefined if the browser has no WebGL 2. */
  static create(canvas: HTMLCanvasElement): StructureView | undefined {
    const context = canvas.getContext('webgl2', { antialias: true, powerPreference: 'low-power' })
    return context === null ? undefined : new StructureView(canvas, context)
  }

  /**
   * In the present pose.
   * @param first what the view has to show at a zoom of 1, in its first orientation
   */
  show(
    content: SceneContent,
    first: { readonly shown: readonly Ball[]; readonly orientation: Matrix4 },
    axes: Axes | undefined,
    isParallel: boolean,
  ): void {
    this.#free()
    const fieldOfView = isParallel ? PARALLEL_FIELD_OF_VIEW : FIELD_OF_VIEW
    const bounds = findBounds(first.shown, first.orientation, findSlope(fieldOfView))
    this.#structure = createStructure(content, bounds.radius)
    this.#axes = axes && createAxes(axes, content.theme.lineColor)
    this.#renderer.setClearColor(content.theme.background)
    const pose = this.#getPose()
    this.#bounds = bounds
    this.#fieldOfView = fieldOfView
    this.#fit(this.#camera.aspect)
    this.#setPose(pose)
    this.requestFrame()
  }

  /**
   * Sets the orientation to which `reset` returns, and turns to it.
   * @param orientation the directions to the right, up, and to the viewer
   */
  orient(orientation: Matrix4): void {
    const turn = new Quaternion().setFromRotationMatrix(orientation).invert()
    this.#first = [...turn, 1, 0, 0, 0]
    this.#setPose(this.#first)
    this.requestFrame()
  }

  reset(): void {
    this.#setPose(this.#first)
    this.#moved()
  }

  turn(right: number, down: number): void {
    const turn = new Quaternion().setFromEuler(new Euler(down, right, 0, 'YXZ')).invert()
    this.#look(this.#camera.quaternion.clone().multiply(turn), this.#eye.length())
    this.#moved()
  }

  enlarge(factor: number): void {
    this.#look(this.#camera.quaternion, this.#eye.length() / factor)
    this.#moved()
  }

  /** Returns the pose as eight numbers, or an empty text for the first one. */
  formatPose(): string {
    const text = formatPose(this.#getPose())
    return text === formatPose(this.#first) ? '' : text
  }

  /** Sets the pose to what `formatPose` has returned. Any other text changes nothing. */
  parsePose(text: string): void {
    const numbers = text.split(',').map(Number)
    const isRotation = Math.hypot(...numbers.slice(0, 4)) >= 0.5
    const isPose = numbers.length === 7 || numbers.length === 8
    if (!isPose || !numbers.every(Number.isFinite) || !isRotation) return
    this.#setPose(numbers.with(4, MathUtils.clamp(numbers[4] ?? 1, MIN_ZOOM, MAX_ZOOM)))
    this.requestFrame()
  }

  requestFrame(): void {
    this.#request ||= requestAnimationFrame(() => this.render())
  }

  render(): void {
    cancelAnimationFrame(this.#request)
    this.#request = 0
    this.#controls.update()
    const { width, height } = this.#resize()
    this.#renderer.setViewport(0, 0, width, height)
    this.#renderer.clear()
    if (this.#structure) this.#drawStructure(this.#structure, height)
    if (this.#axes) this.#drawAxes(this.#axes, Math.min(AXES_SIZE, width / 3))
  }

  /** Returns a picture of the view as PNG, with twice as many pixels as CSS has. */
  toPng(): Promise<Blob | null> {
    this.#pixelRatio = MAX_PIXEL_RATIO
    this.render()
    // The pixels are lost when the browser shows the page: they are taken at once.
    const blob = new Promise<Blob | null>((resolve) => {
      this.#canvas.toBlob(resolve, 'image/png')
    })
    this.#pixelRatio = undefined
    this.requestFrame()
    return blob
  }

  /** Frees everything on the graphics card, and the context: browsers have room for about 16. */
  dispose(): void {
    cancelAnimationFrame(this.#request)
    this.#free()
    this.#controls.dispose()
    this.#renderer.forceContextLoss()
    this.#renderer.dispose()
  }

  #free(): void {
    this.#structure?.dispose()
    this.#axes?.dispose()
  }

  #moved(): void {
    this.requestFrame()
    this.onMove()
  }

  /** Gives the canvas as many pixels as it has on the screen, and returns its size in CSS pixels. */
  #resize(): { width: number; height: number } {
    const renderer = this.#renderer
    const ratio = this.#pixelRatio ?? Math.min(MAX_PIXEL_RATIO, window.devicePixelRatio)
    const { clientWidth, clientHeight } = this.#canvas
    const [width, height] = [Math.max(1, clientWidth), Math.max(1, clientHeight)]
    const size = renderer.getSize(new Vector2())
    if (renderer.getPixelRatio() !== ratio) renderer.setPixelRatio(ratio)
    if (size.x !== width || size.y !== height) {
      const pose = this.#getPose()
      renderer.setSize(width, height, false)
      this.#fit(width / height)
      this.#setPose(pose)
    }
    return { width, height }
  }

  #drawStructure(scene: LitScene, height: number): void {
    const { center, radius } = this.#bounds
    const { fog } = scene
    const camera = this.#camera
    const depth = center.clone().applyMatrix4(camera.matrixWorldInverse).negate().z
    if (fog instanceof Fog) {
      fog.near = depth - 0.3 * radius
      fog.far = depth + 3.5 * radius
    }
    camera.near = Math.max(depth - radius, this.#eye.length() / 100)
    camera.far = Math.max(depth + radius, 2 * camera.near)
    this.#draw(scene, camera, height)
  }

  #drawAxes(scene: LitScene, size: number): void {
    const distance = AXES_HALF_HEIGHT / findSlope(PARALLEL_FIELD_OF_VIEW)
    const camera = new PerspectiveCamera(PARALLEL_FIELD_OF_VIEW, 1, distance - 2, distance + 2)
    camera.quaternion.copy(this.#camera.quaternion)
    camera.position.set(0, 0, distance).applyQuaternion(camera.quaternion)
    this.#renderer.setViewport(0, 0, size, size)
    this.#renderer.clearDepth()
    this.#draw(scene, camera, size)
  }

  #draw(scene: LitScene, camera: PerspectiveCamera, height: number): void {
    camera.updateProjectionMatrix()
    camera.updateMatrixWorld()
    scene.face(camera, height)
    this.#renderer.render(scene, camera)
  }

  /** Fits the bounds into a view of this width over height, and tells the controls. */
  #fit(aspect: number): void {
    const slope = findSlope(this.#fieldOfView)
    this.#camera.aspect = aspect
    this.#camera.fov = this.#fieldOfView
    this.#halfHeight = findHalfHeight(this.#bounds, aspect, slope)
    this.#controls.minDistance = this.#distance / MAX_ZOOM
    this.#controls.maxDistance = this.#distance / MIN_ZOOM
    this.#controls.panSpeed = 2 * slope
    this.#controls.handleResize()
  }

  /** The distance of the viewer at a zoom of 1, in Å. */
  get #distance(): number {
    return this.#halfHeight / findSlope(this.#fieldOfView)
  }

  /** From the middle of the view to the viewer. */
  get #eye(): Vector3 {
    return this.#camera.position.clone().sub(this.#controls.target)
  }

  /** Looks at the middle of the view with a rotation, from a distance in Å. */
  #look(rotation: Quaternion, distance: number): void {
    const { position, quaternion, up } = this.#camera
    quaternion.copy(rotation)
    up.set(0, 1, 0).applyQuaternion(quaternion)
    position.set(0, 0, distance).applyQuaternion(quaternion).add(this.#controls.target)
    this.#camera.updateMatrixWorld()
  }

  #getPose(): Pose {
    const rotation = this.#camera.quaternion.clone().invert()
    const zoom = this.#distance / this.#eye.length()
    const shift = this.#bounds.center
      .clone()
      .sub(this.#controls.target)
      .applyQuaternion(rotation)
      .multiplyScalar(zoom / (2 * this.#halfHeight))
    return [...rotation, zoom, ...shift]
  }

  #setPose([x = 0, y = 0, z = 0, w = 1, zoom = 1, right = 0, up = 0, toViewer = 0]: Pose): void {
    const rotation = new Quaternion(x, y, z, w).normalize().invert()
    this.#controls.target
      .set(-right, -up, -toViewer)
      .multiplyScalar((2 * this.#halfHeight) / zoom)
      .applyQuaternion(rotation)
      .add(this.#bounds.center)
    this.#look(rotation, this.#distance / zoom)
  }
}

/** Returns how fast a view widens with the distance. */
const findSlope = (fieldOfView: number): number => Math.tan((fieldOfView * Math.PI) / 360)

/** Rounds the numbers of a pose for the address. A rotation is the same with all signs changed. */
function formatPose(pose: Pose): string {
  const sign = Math.sign(pose.slice(0, 4).findLast((each) => Math.abs(each) > 1e-4) ?? 1)
  const numbers = pose.map((each, index) => (index < 4 ? sign * each : each))
  return numbers.map((each) => Number(each.toFixed(4)) + 0).join()
}
