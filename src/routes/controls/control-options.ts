import type { Controls } from '../../controls/controls.js'
import type { ListQueryCompiler } from '../../query/list-query.js'
import type { Store } from '../../store/store.js'

/** The options of the control routes. */
export interface ControlOptions {
  readonly store: Store
  readonly controls: Controls
  /** The `host` option of the server. */
  readonly host: string
  /** The version of the package. */
  readonly version: string
  readonly listQueries: ListQueryCompiler
}
