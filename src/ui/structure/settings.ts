import type { Supercell } from '../../domain/materials/geometry/supercell.js'
import type { Projection } from './gl/view-camera.js'

/** The settings that a reader has chosen. */
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

/** The largest number of cells along an edge. */
export const MAX_REPEATS = 5

/** The start of a viewer, and its callbacks. */
export interface ViewerOptions {
  /** The first settings. Missing settings get their defaults. */
  readonly settings?: Partial<ViewerSettings>
  /** Called with all settings whenever the reader changes a setting. */
  readonly onChange?: (settings: ViewerSettings) => void
  /** The kinds of bonds that differ from their first setting: `Sr-Ti`. */
  readonly switchedBonds?: readonly string[]
  /** Called with all these kinds whenever the reader switches a kind. */
  readonly onSwitchBonds?: (kinds: readonly string[]) => void
  /** The first pose of the structure, in the format of `onPose`. */
  readonly pose?: string
  /** Called when the reader has turned, enlarged or moved the structure. */
  readonly onPose?: (pose: string) => void
}
