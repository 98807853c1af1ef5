import { Vector3 } from 'three'
import type { Matrix4 } from 'three'

import type { Vector } from '@materials-mock/structures'

/** Something that is in view at first. Lengths are in Å. */
export interface Ball {
  readonly position: Vector
  readonly radius: number
}

/** The place and size of the content of a view, in Å. */
export interface Bounds {
  /** What the viewer looks at. */
  readonly center: Vector3
  /** Places from the centre, in the first orientation: to the right, up and to the viewer. */
  readonly balls: readonly PlacedBall[]
  /** The distance of the farthest point from the centre, in any orientation. */
  readonly radius: number
}

interface PlacedBall {
  readonly place: Vector3
  readonly radius: number
}

/**
 * Finds the centre from which as much is to be seen above as below, and to the right as to the left.
 * @param slope the tangent of half the angle of view
 */
export function findBounds(shown: readonly Ball[], orientation: Matrix4, slope: number): Bounds {
  const toView = orientation.clone().transpose()
  const balls = shown.map(({ position, radius }) => ({
    place: new Vector3(...position).applyMatrix4(toView),
    radius,
  }))
  const middle = (axis: 'x' | 'y' | 'z', widening: number): number => {
    const reach = (sign: 1 | -1): number =>
      largest(balls, ({ place, radius }) => sign * place[axis] + radius + place.z * widening)
    return (reach(1) - reach(-1)) / 2
  }
  const center = new Vector3(middle('x', slope), middle('y', slope), middle('z', 0))
  for (const { place } of balls) place.sub(center)
  return {
    center: center.applyMatrix4(orientation),
    balls,
    radius: largest(balls, ({ place, radius }) => place.length() + radius),
  }
}

/** How much room is left around a structure. */
const MARGIN = 1.06

/**
 * In Å, so that all in bounds is in view: what is nearer is larger.
 * @param slope the tangent of half the angle of view
 */
export const findHalfHeight = ({ balls }: Bounds, aspect: number, slope: number): number =>
  MARGIN *
  largest(balls, ({ place: { x, y, z }, radius }) => {
    const half = Math.max(Math.abs(y) + radius, (Math.abs(x) + radius) / aspect)
    return half + z * slope
  })

const largest = (balls: readonly PlacedBall[], measure: (ball: PlacedBall) => number): number =>
  balls.reduce((most, each) => Math.max(most, measure(each)), -Infinity)
