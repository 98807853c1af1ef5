import type { Controls } from '../../controls/controls.js'
import type { ListQueryCompiler } from '../../query/list-query.js'
import type { Store } from '../../store/store.js'

/** The options of the control routes. */
export interface ControlOptions {
  readonly store: Store
  readonly controls: Controls
  /** The host that the server was told to listen on. */
  readonly host: string
  /** The version of the package. */
  readonly version: string
  readonly listQueries: ListQueryCompiler
}
