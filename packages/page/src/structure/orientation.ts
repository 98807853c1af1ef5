import { Euler, MathUtils, Matrix4, Vector3 } from 'three'

import { UNIT_VECTORS, computeDeterminant, computePlaneSpacings } from '@materials-mock/structures'
import type { CellVectors, Crystal } from '@materials-mock/structures'

export interface Axes {
  readonly directions: CellVectors
  readonly names: readonly string[]
}

/** Returns the edges of a crystal's cell, or the axes of space for a molecule. */
export const findAxes = ({ vectors, isPeriodic }: Crystal): Axes =>
  isPeriodic
    ? { directions: vectors, names: ['a', 'b', 'c'] }
    : { directions: UNIT_VECTORS, names: ['x', 'y', 'z'] }

/** A crystal with vacuum that is thicker than this, in Å, is a slab, not a layer of atoms. */
const MAX_LAYER = 5

/**
 * A crystal has c upward and a to the viewer, turned a little, as in textbooks; a slab its surface
 * upward. A layer, a ribbon or a molecule is seen from above.
 * @returns the directions to the right, up, and to the viewer
 */
export function chooseOrientation(crystal: Crystal): Matrix4 {
  const { directions } = findAxes(crystal)
  const thin = findThinAxis(crystal)
  if (thin === undefined) return turn(faceAxis(directions, 0), -28, 14)
  const isSlab = crystal.isPeriodic && thin.thickness > MAX_LAYER
  return isSlab
    ? turn(faceAxis(directions, (thin.axis + 1) % 3), -28, 14)
    : turn(faceAxis(directions, thin.axis), -14, -36)
}

/** Returns the edge along which a molecule, or a crystal with vacuum beside it, is thinnest. */
function findThinAxis(crystal: Crystal): { axis: number; thickness: number } | undefined {
  return findExtents(crystal)
    .map(({ thickness, hasVacuum }, axis) => ({ axis, thickness, hasVacuum }))
    .filter(({ hasVacuum }) => hasVacuum || !crystal.isPeriodic)
    .toReversed()
    .toSorted((one, other) => one.thickness - other.thickness)[0]
}

/** Returns the view perpendicular to the plane of the other two edges, with the last of them upward. */
function faceAxis(edges: CellVectors, axis: number): Matrix4 {
  const side = new Vector3(...(edges[(axis + 1) % 3] ?? edges[0]))
  const up = new Vector3(...(edges[(axis + 2) % 3] ?? edges[0])).normalize()
  const sign = Math.sign(computeDeterminant(edges)) || 1
  const toViewer = side.cross(up).multiplyScalar(sign).normalize()
  return new Matrix4().makeBasis(up.clone().cross(toViewer), up, toViewer)
}

/** @param yaw about the upward, and then pitch about the horizontal direction, in degrees */
function turn(orientation: Matrix4, yaw: number, pitch: number): Matrix4 {
  const [down, right] = [-MathUtils.degToRad(pitch), -MathUtils.degToRad(yaw)]
  const rotation = new Euler(down, right, 0, 'YXZ')
  return orientation.multiply(new Matrix4().makeRotationFromEuler(rotation))
}

interface Extent {
  /** The distance between the outermost atoms, in Å. */
  readonly thickness: number
  /** Whether a crystal is empty next to its atoms, as around a layer or a ribbon. */
  readonly hasVacuum: boolean
}

/** A gap between atoms that is wider than this, in Å, is vacuum, not the space between layers. */
const VACUUM = 7

function findExtents({ sites, vectors, isPeriodic }: Crystal): Extent[] {
  return computePlaneSpacings(vectors).map((spacing, axis) => {
    const values = sites.map(({ coordinate }) => coordinate[axis] ?? 0).toSorted((a, b) => a - b)
    const [first = 0, last = 0] = [values[0], values.at(-1)]
    if (!isPeriodic) return { thickness: (last - first) * spacing, hasVacuum: false }
    const ends = [...values.slice(1), first + 1]
    const widths = ends.map((end, index) => end - (values[index] ?? 0))
    const widest = widths.reduce((max, width) => Math.max(max, width), 0)
    const hasVacuum = widest * spacing > VACUUM
    return { thickness: (hasVacuum ? 1 - widest : 1) * spacing, hasVacuum }
  })
}
