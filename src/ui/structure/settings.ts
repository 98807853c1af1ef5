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

/** How a viewer starts, and what it tells the page. */
export interface ViewerOptions {
  /** Those that are not given are the default ones. */
  readonly settings?: Partial<ViewerSettings>
  /** Is called with all settings whenever the reader changes one. */
  readonly onChange?: (settings: ViewerSettings) => void
  /** The kinds of bonds that are switched to what they are not at first, as `Sr-Ti`. */
  readonly switchedBonds?: readonly string[]
  /** Is called with all of them whenever the reader switches one. */
  readonly onSwitchBonds?: (kinds: readonly string[]) => void
  /** How the structure is turned, enlarged and moved at first, as `onPose` has been told. */
  readonly pose?: string
  /** Is called when the reader has turned, enlarged or moved the structure. */
  readonly onPose?: (pose: string) => void
}
