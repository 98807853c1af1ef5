import { Matrix4, Quaternion, Vector3 } from 'three'

import type { Orientation } from '../orientation.js'

const [MIN_ZOOM, MAX_ZOOM] = [0.25, 20]

/** How a structure is turned, enlarged and moved. */
export class Pose {
  readonly rotation = new Quaternion()
  #first = new Quaternion()
  #zoom = 1
  #shift: readonly [right: number, up: number] = [0, 0]

  get zoom(): number {
    return this.#zoom
  }

  /** In units of the height of the view. */
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

  /** Returns the pose as seven numbers, or an empty text for the first one. */
  format(): string {
    const isFirst = this.rotation.equals(this.#first) && this.#zoom === 1
    if (isFirst && this.#shift.every((each) => each === 0)) return ''
    const numbers = [...this.rotation.toArray(), this.#zoom, ...this.#shift]
    return numbers.map((each) => Number(each.toFixed(4))).join(',')
  }

  /** Sets the pose to what `format` has returned. Any other text changes nothing. */
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
