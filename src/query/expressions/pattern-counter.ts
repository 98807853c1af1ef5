import type { InputPath } from '../../json/input-path.js'

/** The number of characters of all patterns of a query's expressions together. */
const MAX_LENGTH = 4000

/** Counts the constant patterns of a query's expressions. */
export class PatternCounter {
  /** The estimated size of all patterns together, in nodes. */
  patternSize = 0
  /** The sum of their costs (see `CompiledPattern`); Infinity if a pattern comes from items. */
  cost = 0
  #length = 0

  /**
   * Counts a pattern before it is translated.
   * @throws the path's limitError
   */
  countLength(length: number, path: InputPath): void {
    this.#length += length
    if (this.#length > MAX_LENGTH) {
      throw path.limitError(
        `must have at most ${MAX_LENGTH} characters of regular expressions together, not ${this.#length}`,
      )
    }
  }

  /** Counts a compiled pattern. */
  add({ size, cost }: { readonly size: number; readonly cost: number }): void {
    this.patternSize += size
    this.cost += cost
  }
}
