import { computeDeterminant } from '../../domain/materials/cell.js'
import type { CellVectors } from '../../domain/materials/cell.js'
import type { Crystal } from '../../domain/materials/geometry/crystal.js'
import { add, computeLength, cross, scale } from '../../domain/materials/vector.js'
import type { Vector } from '../../domain/materials/vector.js'
import { findExtents } from './extent.js'

/** The directions of a view in the space of the structure: to the right, up, and to the viewer. */
export type Orientation = readonly [right: Vector, up: Vector, toViewer: Vector]

/** The axes of a structure, and their names. */
export interface Axes {
  readonly directions: CellVectors
  readonly names: readonly string[]
}

/** Returns the edges of a crystal's cell, or the axes of space for a molecule. */
export const findAxes = ({ vectors, isPeriodic }: Crystal): Axes =>
  isPeriodic
    ? { directions: vectors, names: ['a', 'b', 'c'] }
    : { directions: CARTESIAN, names: ['x', 'y', 'z'] }

/** A crystal with vacuum that is thicker than this, in Å, is a slab, not a layer of atoms. */
const MAX_LAYER = 5

/**
 * Returns the orientation in which a structure is drawn first. A crystal has c upward and a to the
 * viewer, turned a little, as in textbooks. The surface of a slab is upward. A layer of atoms, a
 * ribbon or a molecule is seen from above.
 */
export function chooseOrientation(crystal: Crystal): Orientation {
  const { directions } = findAxes(crystal)
  const thin = findThinAxis(crystal)
  if (thin === undefined) return turn(faceAxis(directions, 0), -28, 14)
  const isSlab = crystal.isPeriodic && thin.thickness > MAX_LAYER
  return isSlab
    ? turn(faceAxis(directions, (thin.axis + 1) % 3), -28, 14)
    : turn(faceAxis(directions, thin.axis), -14, -36)
}

const CARTESIAN: CellVectors = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
]

/** Returns the edge along which a molecule, or a crystal with vacuum beside it, is thinnest. */
function findThinAxis(crystal: Crystal): { axis: number; thickness: number } | undefined {
  return findExtents(crystal)
    .map(({ thickness, hasVacuum }, axis) => ({ axis, thickness, hasVacuum }))
    .filter(({ hasVacuum }) => hasVacuum || !crystal.isPeriodic)
    .toReversed()
    .toSorted((one, other) => one.thickness - other.thickness)[0]
}

/** Returns the view perpendicular to the plane of the other two edges, with the last of them upward. */
function faceAxis(edges: CellVectors, axis: number): Orientation {
  const [side, top] = [edges[(axis + 1) % 3] ?? edges[0], edges[(axis + 2) % 3] ?? edges[0]]
  const sign = Math.sign(computeDeterminant(edges)) || 1
  const toViewer = normalize(scale(cross(side, top), sign))
  const up = normalize(top)
  return [cross(up, toViewer), up, toViewer]
}

/** @param yaw about the upward, and then pitch about the horizontal direction, in degrees */
function turn([right, up, toViewer]: Orientation, yaw: number, pitch: number): Orientation {
  const [cosYaw, sinYaw] = [Math.cos((yaw * Math.PI) / 180), Math.sin((yaw * Math.PI) / 180)]
  const side = add(scale(right, cosYaw), scale(toViewer, sinYaw))
  const front = add(scale(toViewer, cosYaw), scale(right, -sinYaw))
  const [cos, sin] = [Math.cos((pitch * Math.PI) / 180), Math.sin((pitch * Math.PI) / 180)]
  return [side, add(scale(up, cos), scale(front, -sin)), add(scale(front, cos), scale(up, sin))]
}

const normalize = (a: Vector): Vector => scale(a, 1 / computeLength(a))
