import type { InputPath } from '@materials-mock/json'
import type { Value, ValueObject } from '../values/value.js'

/**
 * An operator, an element, a field and 32 characters of text are one step each. An item is not
 * evaluated in slices, so this limits the time (to about 15 ms) and the size of the result.
 */
const MAX_STEPS = 100_000

/** The largest number of levels of a value, as in BSON. */
export const MAX_LEVELS = 200

const EMPTY: ValueObject = {}

/** The state that the expressions of one query, or of one `fields`, share while they are evaluated. */
export class Scope {
  /** The item that is evaluated; `$$ROOT`. */
  root: ValueObject = EMPTY
  /** The values of the variables of `$let`, `$map`, `$filter` and `$reduce`. */
  readonly variables: Value[] = []
  readonly #path: InputPath
  #steps = 0

  /** @param path the path of the query or of the fields, for the error */
  constructor(path: InputPath) {
    this.#path = path
  }

  start(root: ValueObject): void {
    this.root = root
    this.#steps = 0
  }

  /** @throws BoundExceeded beyond MAX_STEPS */
  spend(steps: number): void {
    this.#steps += steps
    if (this.#steps > MAX_STEPS) {
      throw this.#path.limitError(
        `must have expressions of at most ${MAX_STEPS} steps on one item; each operator, each ` +
          'element and each 32 characters count as one',
      )
    }
  }

  /** Counts the steps of reading or creating a text of so many characters. */
  spendText(length: number): void {
    this.spend(length >> 5)
  }

  /** @throws BoundExceeded beyond MAX_LEVELS */
  checkLevel(level: number): void {
    if (level > MAX_LEVELS)
      throw this.#path.limitError(`must have values of at most ${MAX_LEVELS} levels`)
  }
}
