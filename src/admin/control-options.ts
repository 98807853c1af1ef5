import type { Sandboxes } from './sandboxes/sandboxes.js'
import type { ListQueryCompiler } from '../query/list-query.js'

/** The options of the control routes. */
export interface ControlOptions {
  /** The `host` option of the server. */
  readonly host: string
  readonly sandboxes: Sandboxes
  /** The version of the package. */
  readonly version: string
  /** Whether the routes that write are left out. */
  readonly readOnly: boolean
  readonly listQueries: ListQueryCompiler
}
