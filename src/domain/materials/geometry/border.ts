import { computePlaneSpacings } from '../cell.js'
import type { CellVectors } from '../cell.js'
import type { Vector } from '../vector.js'

/** How far from a face of the cell an atom still counts as on it, in Å. */
const BORDER_DISTANCE = 0.05

/** Returns how far from a face an atom still counts as on it, in units of each of the edges. */
export const findBorderTolerance = (vectors: CellVectors): Vector =>
  computePlaneSpacings(vectors).map((spacing) =>
    Math.min(0.1, BORDER_DISTANCE / spacing),
  ) as unknown as Vector
