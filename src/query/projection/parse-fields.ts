import { InputPath } from '../../json/input-path.js'
import { isJsonObject } from '../../json/json.js'
import type { Json, JsonObject } from '../../json/json.js'
import { quote } from '../../json/quote.js'
import { findItemOperator, needsTimeout } from '../selector/ast.js'
import { compileElemMatch } from '../selector/compile-expressions.js'
import { checkPatternLengths, checkPatternSizes } from '../selector/compile-regex.js'
import { parseElemMatch } from '../selector/parse-selector.js'
import { checkFieldPath } from '../values/field-path.js'
import { addPath } from './path-tree.js'
import type { PathTree } from './path-tree.js'
import type { Positional } from './positional.js'
import { parseSlice } from './slice.js'
import type { Slice } from './slice.js'

/** Returns the first element of an array that matches an `$elemMatch`, or undefined. */
export type FindElement = (value: Json | undefined) => Json | undefined

/** A parsed `fields`. */
export interface ParsedFields {
  /** The included paths, or the excluded ones. */
  readonly paths: PathTree
  readonly isInclusion: boolean
  readonly slices: readonly Slice[]
  /** The `$elemMatch`es, by their fields. */
  readonly elemMatches: ReadonlyMap<string, FindElement>
  /** The path with a positional `$`. */
  readonly positional: Positional | undefined
  readonly needsTimeout: boolean
}

/**
 * Parses `fields` as MongoDB does.
 * @throws ProjectionInvalid for fields that MongoDB rejects, and for expressions, which are not
 * supported; BoundExceeded for a `$regex` beyond the limits
 */
export function parseFields(fields: JsonObject): ParsedFields {
  const path = new InputPath('projection', 'projection.fields')
  checkPatternLengths(fields, path)
  const parser = new FieldsParser()
  parser.parse(fields, [], path)
  return parser.finish()
}

const NOT_WITH_ELEM_MATCH = 'must not be used together: the positional $ and $elemMatch'

/** Collects the paths of `fields`, which may be dotted or nested. */
class FieldsParser {
  readonly #paths: (readonly string[])[] = []
  readonly #slices: Slice[] = []
  readonly #elemMatches = new Map<string, FindElement>()
  readonly #allPaths: PathTree = new Map()
  #positional: Positional | undefined
  #needsTimeout = false
  /** Undefined until a field other than `_id`, which may differ, is included or excluded. */
  #isInclusion: boolean | undefined
  #includesId: boolean | undefined

  parse(fields: JsonObject, parent: readonly string[], inputPath: InputPath): void {
    for (const [key, value] of Object.entries(fields)) {
      const keyPath = inputPath.child(key)
      if (key.includes('.$.'))
        throw keyPath.error('must have the positional $ at the end of its path')

      const name = key.endsWith('.$') ? key.slice(0, -2) : key
      checkFieldPath(name, keyPath)
      const path = [...parent, ...name.split('.')]
      if (name === key) this.#parseValue(path, value, keyPath)
      else this.#parsePositional(path, value, keyPath)
    }
  }

  #parsePositional(path: readonly string[], value: Json, inputPath: InputPath): void {
    if ((typeof value !== 'boolean' && typeof value !== 'number') || value === false || value === 0)
      throw inputPath.error(`must be 1, as it ends in the positional $, not ${quote(value)}`)
    if (this.#positional !== undefined)
      throw inputPath.error('must be the only path with the positional $')
    if (this.#elemMatches.size > 0) throw inputPath.error(NOT_WITH_ELEM_MATCH)

    this.#positional = { path, inputPath }
    this.#addPath(path, inputPath)
    this.#setInclusion(path, true, inputPath)
  }

  #parseValue(path: readonly string[], value: Json, inputPath: InputPath): void {
    if (isJsonObject(value)) this.#parseObject(path, value, inputPath)
    else if (typeof value === 'boolean' || typeof value === 'number')
      this.#parseFlag(path, Boolean(value), inputPath)
    else throw inputPath.error(`must be 1 or 0, $slice or $elemMatch, not ${quote(value)}`)
  }

  #parseObject(path: readonly string[], value: JsonObject, inputPath: InputPath): void {
    const [key, ...others] = Object.keys(value)
    if (key === undefined) throw inputPath.error('must not be an empty object')
    if (!key.startsWith('$') || others.length > 0) {
      this.parse(value, path, inputPath)
      return
    }
    const operand = value[key] as Json
    const operandPath = inputPath.child(key)
    if (key === '$slice') this.#slices.push(parseSlice(path, operand, operandPath))
    else if (key === '$elemMatch') this.#parseElemMatch(path, operand, operandPath)
    else throw operandPath.error('is not supported: expressions in fields')
    this.#addPath(path, inputPath)
  }

  #parseFlag(path: readonly string[], isIncluded: boolean, inputPath: InputPath): void {
    this.#addPath(path, inputPath)
    if (path.length === 1 && path[0] === '_id') {
      this.#includesId = isIncluded
      return
    }
    this.#setInclusion(path, isIncluded, inputPath)
  }

  #setInclusion(path: readonly string[], isIncluded: boolean, inputPath: InputPath): void {
    if (this.#isInclusion !== undefined && this.#isInclusion !== isIncluded) {
      throw inputPath.error(
        isIncluded
          ? 'must not include a field where another is excluded'
          : 'must not exclude a field where another is included',
      )
    }
    this.#isInclusion = isIncluded
    this.#paths.push(path)
  }

  #parseElemMatch(path: readonly string[], operand: Json, inputPath: InputPath): void {
    const [name] = path as readonly [string]
    if (path.length > 1)
      throw inputPath.error(`must be on a top-level field, not on ${quote(path.join('.'))}`)
    if (this.#positional !== undefined) throw inputPath.error(NOT_WITH_ELEM_MATCH)
    const elemMatch = parseElemMatch(operand, inputPath)
    const itemOperator = findItemOperator(elemMatch.expressions)
    if (itemOperator !== undefined) throw inputPath.error(`must not use ${itemOperator}`)
    checkPatternSizes(elemMatch.expressions, inputPath)
    const matches = compileElemMatch(elemMatch)
    this.#needsTimeout ||= needsTimeout(elemMatch.expressions)
    this.#elemMatches.set(name, (value) =>
      Array.isArray(value) ? (value as readonly Json[]).find(matches) : undefined,
    )
  }

  #addPath(path: readonly string[], inputPath: InputPath): void {
    if (!addPath(this.#allPaths, path))
      throw inputPath.error('collides with another path of fields')
  }

  finish(): ParsedFields {
    const isInclusion = this.#isInclusion ?? this.#isInclusionByDefault()
    const paths: PathTree = new Map()
    for (const path of this.#paths) addPath(paths, path)
    if (isInclusion) for (const { path } of this.#slices) addPath(paths, path)
    const hasId = isInclusion
      ? (this.#includesId ?? !this.#allPaths.has('_id'))
      : this.#includesId === false
    if (hasId) paths.set('_id', 'leaf')
    return {
      paths,
      isInclusion,
      slices: this.#slices,
      elemMatches: this.#elemMatches,
      positional: this.#positional,
      needsTimeout: this.#needsTimeout,
    }
  }

  /** Whether fields that include or exclude at most `_id` are an inclusion. */
  #isInclusionByDefault(): boolean {
    if (this.#slices.length > 0) return this.#includesId === true
    return this.#elemMatches.size > 0 || this.#includesId === true
  }
}
