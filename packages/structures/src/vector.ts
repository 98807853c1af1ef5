/** Three components: Cartesian in Å, or crystal coordinates in units of a cell's edges. */
export type Vector = readonly [number, number, number]

type Axis = 0 | 1 | 2

export const ORIGIN: Vector = [0, 0, 0]

/** The vectors of length 1 along x, y and z, or along the edges of a cell. */
export const UNIT_VECTORS: readonly [Vector, Vector, Vector] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
]

export const mapVector = (
  [x, y, z]: Vector,
  convert: (value: number, axis: Axis) => number,
): Vector => [convert(x, 0), convert(y, 1), convert(z, 2)]

export const add = (a: Vector, b: Vector): Vector => [a[0] + b[0], a[1] + b[1], a[2] + b[2]]

export const subtract = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]]

export const scale = ([x, y, z]: Vector, factor: number): Vector => [
  x * factor,
  y * factor,
  z * factor,
]

export const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]

export const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
]

export const computeLength = (a: Vector): number => Math.hypot(...a)

/** Returns a number rounded to some decimals, with a half rounded up. Never returns -0. */
export const round = (value: number, decimals: number): number =>
  Math.round(value * 10 ** decimals) / 10 ** decimals + 0
