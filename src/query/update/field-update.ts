import type { InputPath } from '../../json/input-path.js'
import type { Json, JsonObject } from '../../json/json.js'
import type { UpdateSegment } from './update-path.js'

/** An update of one value, as compiled from an update operator and its operand. */
export interface ValueUpdate {
  /** Whether a missing path is created. If not, nothing changes there. */
  readonly createsPath: boolean
  /** Whether a path through a value that has no fields, or not this one, is no error. */
  readonly ignoresBlockedPath?: boolean
  /** Whether the path must not go through an array. */
  readonly forbidsArrays?: boolean
  /** Whether it can take long, so that the update must run with a timeout. */
  readonly needsTimeout?: boolean
  /** Whether nothing is to be done for an item (default: never). */
  readonly isInert?: (item: JsonObject) => boolean
  /** Returns the new value. Undefined is a missing field, before and after. */
  readonly apply: (value: Json | undefined, item: JsonObject) => Json | undefined
}

/** An update of one field. */
export interface FieldUpdate extends ValueUpdate {
  readonly segments: readonly UpdateSegment[]
  /** The path of the operand in the request's body. */
  readonly path: InputPath
  /** The characters of JSON that it writes into each element; 0 without array filters. */
  readonly writtenLength: number
}
