import type { ViewerSettings } from './settings.js'

/** How a viewer starts, and what it tells the page. */
export interface ViewerOptions {
  /** Those that are not given are the default ones. */
  readonly settings?: Partial<ViewerSettings>
  /** Is called with all settings whenever the reader changes one. */
  readonly onChange?: (settings: ViewerSettings) => void
  /** How the structure is turned, enlarged and moved at first, as `onPose` has been told. */
  readonly pose?: string
  /** Is called when the reader has turned, enlarged or moved the structure. */
  readonly onPose?: (pose: string) => void
}
