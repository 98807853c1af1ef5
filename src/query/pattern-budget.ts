import type { InputPath } from '../json/input-path.js'
import type { Json } from '../json/json.js'
import { compilePattern } from './compile-pattern.js'
import type { CompiledPattern, MatchPurpose } from './compile-pattern.js'
import { MAX_PATTERNS_LENGTH, MAX_PATTERNS_SIZE } from './limits.js'

/**
 * Compiles the patterns of one query, one `fields` or one update, within the limits of all together:
 * those of `$regex`, of expressions and of schemas.
 */
export class PatternBudget {
  readonly #path: InputPath
  #length = 0
  #size = 0

  /**
   * @param path the path of the query, the fields or the update
   * @throws the path's limitError for too many characters of `$regex`
   */
  constructor(path: InputPath, input: Json) {
    this.#path = path
    this.#checkLength(sumLengths(input), path)
  }

  /**
   * Compiles a pattern.
   * @throws as compilePattern does; the limitError of its path for too many characters together, and
   * that of the whole input for too many nodes
   */
  compile(
    pattern: string,
    options: string,
    path: InputPath,
    purpose?: MatchPurpose,
  ): CompiledPattern {
    this.#length += pattern.length
    this.#checkLength(this.#length, path)
    const compiled = compilePattern(pattern, options, path, purpose)
    this.#size += compiled.size
    if (this.#size > MAX_PATTERNS_SIZE) {
      throw this.#path.limitError(
        `must have regular expressions with a compiled size of at most ${MAX_PATTERNS_SIZE} nodes together`,
      )
    }
    return compiled
  }

  #checkLength(length: number, path: InputPath): void {
    if (length > MAX_PATTERNS_LENGTH) {
      throw path.limitError(
        `must have at most ${MAX_PATTERNS_LENGTH} characters of regular expressions together, not ${length}`,
      )
    }
  }
}

/** Returns the number of characters of all `$regex` in an input, before any is translated. */
function sumLengths(value: Json): number {
  if (typeof value !== 'object' || value === null) return 0
  return Object.entries(value).reduce((sum, [key, each]: [string, Json]) => {
    const length = key === '$regex' && typeof each === 'string' ? each.length : 0
    return sum + length + sumLengths(each)
  }, 0)
}
