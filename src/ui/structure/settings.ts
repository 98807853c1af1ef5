import type { Supercell } from '../../domain/materials/geometry/supercell.js'
import type { Projection } from './gl/view-camera.js'

/** What a reader has chosen to see. */
export interface ViewerSettings {
  readonly supercell: Supercell
  readonly bonds: boolean
  readonly labels: boolean
  readonly axes: boolean
  readonly cell: boolean
  readonly projection: Projection
}

export const DEFAULT_SETTINGS: ViewerSettings = {
  supercell: [1, 1, 1],
  bonds: true,
  labels: false,
  axes: true,
  cell: true,
  projection: 'perspective',
}

/** The most cells along an edge. */
export const MAX_REPEATS = 5
