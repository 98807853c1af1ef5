import type { Orientation } from './orientation.js'

const [MIN_ZOOM, MAX_ZOOM] = [0.25, 20]

/** How a structure is turned, enlarged and moved. */
export class Pose {
  #rotation: Rotation = [0, 0, 0, 1]
  #first: Rotation = [0, 0, 0, 1]
  #zoom = 1
  #shift: readonly [right: number, up: number] = [0, 0]

  get rotation(): Rotation {
    return this.#rotation
  }

  get zoom(): number {
    return this.#zoom
  }

  /** In units of the height of the view. */
  get shift(): readonly [right: number, up: number] {
    return this.#shift
  }

  /** Sets the orientation to which `reset` returns, and turns to it. */
  orient(orientation: Orientation): void {
    this.#first = findRotation(orientation)
    this.reset()
  }

  /** Returns to the first orientation, place and size. */
  reset(): void {
    this.#set(this.#first, 1, [0, 0])
  }

  /** Turns to the right and downward, in radians. */
  turn(right: number, down: number): void {
    const step = multiply(
      [0, Math.sin(right / 2), 0, Math.cos(right / 2)],
      [Math.sin(down / 2), 0, 0, Math.cos(down / 2)],
    )
    this.#rotation = normalize(multiply(step, this.#rotation))
  }

  /** Moves, in units of the height of the view. */
  move(right: number, up: number): void {
    this.#shift = [this.#shift[0] + right, this.#shift[1] + up]
  }

  enlarge(factor: number): void {
    this.#set(this.#rotation, this.#zoom * factor, this.#shift)
  }

  /** Returns the pose as seven numbers, or an empty text for the first one. */
  format(): string {
    const isFirst =
      this.#zoom === 1 && this.#rotation.every((each, index) => each === this.#first[index])
    if (isFirst && this.#shift.every((each) => each === 0)) return ''
    const numbers = [...this.#rotation, this.#zoom, ...this.#shift]
    return numbers.map((each) => Number(each.toFixed(4))).join(',')
  }

  /** Sets the pose to what `format` has returned. Any other text changes nothing. */
  parse(text: string): void {
    const numbers = text.split(',').map(Number)
    const [x = 0, y = 0, z = 0, w = 0, zoom = 1, right = 0, up = 0] = numbers
    if (numbers.length !== 7 || !numbers.every(Number.isFinite) || Math.hypot(x, y, z, w) < 0.5)
      return
    this.#set(normalize([x, y, z, w]), zoom, [right, up])
  }

  #set(rotation: Rotation, zoom: number, shift: readonly [number, number]): void {
    this.#rotation = rotation
    this.#zoom = Math.min(MAX_ZOOM, Math.max(MIN_ZOOM, zoom))
    this.#shift = shift
  }
}

/** A rotation as a quaternion of length 1. */
type Rotation = readonly [x: number, y: number, z: number, w: number]

/** Returns the rotation by the second one, and then by the first one. */
const multiply = (a: Rotation, b: Rotation): Rotation => [
  a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
  a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
  a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
  a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
]

/** Returns a quaternion with a length of 1. */
function normalize(rotation: Rotation): Rotation {
  const length = Math.hypot(...rotation)
  return rotation.map((each) => each / length) as unknown as Rotation
}

/** Returns the matrix of a rotation and a movement after it, its columns one after the other. */
export function toMatrix([x, y, z, w]: Rotation, shift: readonly number[]): number[] {
  // prettier-ignore
  return [
    1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w), 0,
    2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w), 0,
    2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y), 0,
    shift[0] ?? 0, shift[1] ?? 0, shift[2] ?? 0, 1,
  ]
}

/** Returns the rotation that turns the directions of an orientation to those of the screen. */
function findRotation([right, up, toViewer]: Orientation): Rotation {
  // The rows of the matrix are the directions. The largest component is found first, as in "Converting a
  // Rotation Matrix to a Quaternion", Mike Day, 2015.
  const [[a, b, c], [d, e, f], [g, h, i]] = [right, up, toViewer]
  const rotation: Rotation =
    i < 0
      ? a > e
        ? [1 + a - e - i, d + b, c + g, h - f]
        : [d + b, 1 - a + e - i, h + f, c - g]
      : a < -e
        ? [c + g, h + f, 1 - a - e + i, d - b]
        : [h - f, c - g, d - b, 1 + a + e + i]
  return normalize(rotation)
}
