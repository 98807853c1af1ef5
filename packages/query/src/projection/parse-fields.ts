import { InputPath, isJsonArray, isJsonObject, quote } from '@materials-mock/json'
import type { Json, JsonObject } from '@materials-mock/json'
import { PatternBudget } from '../compile-pattern.js'
import { refuseQueryOnly, needsTimeout, sumCosts } from '../condition.js'
import { ExpressionParser } from '../expressions/expression-parser.js'
import type { Scope } from '../expressions/scope.js'
import { toJson } from '../expressions/to-json.js'
import { compileElementQuery } from '../selector/compile-conditions.js'
import { SelectorParser } from '../selector/parse-selector.js'
import { checkFieldPath, DB_REF_FIELDS } from '../values/path.js'
import { isSliceExpression, parseSlice } from './array-fields.js'
import type { Positional, Slice } from './array-fields.js'

/** Computes a field of an item; undefined leaves it out. */
export type ComputeField = (item: JsonObject) => Json | undefined

/** The rule for the field at the end of a path. An expression or an `$elemMatch` computes the field. */
export type FieldRule = 'include' | 'exclude' | 'slice' | ComputeField

/** The paths of `fields` as a tree of their names, in the order in which they are first named. */
export type PathTree = Map<string, PathTree | FieldRule>

interface ParsedFields {
  readonly paths: PathTree
  readonly isInclusion: boolean
  readonly slices: readonly Slice[]
  /** The scope that the expressions share. It must be started for each item. */
  readonly scope: Scope
  /** The path with a positional `$`. */
  readonly positional: Positional | undefined
  readonly needsTimeout: boolean
}

/** @throws ProjectionInvalid for what MongoDB rejects or is not supported; BoundExceeded */
export function parseFields(fields: JsonObject): ParsedFields {
  const path = new InputPath('projection', 'projection.fields')
  const parser = new FieldsParser(path, new PatternBudget(path))
  parser.parse(fields, [], path)
  return parser.finish()
}

const NOT_WITH_ELEM_MATCH = 'must not be used together: the positional $ and $elemMatch'

class FieldsParser {
  readonly #paths: PathTree = new Map()
  readonly #slices: Slice[] = []
  readonly #expressions: ExpressionParser
  readonly #patterns: PatternBudget
  #positional: Positional | undefined
  #needsTimeout = false
  /** Undefined until a field other than `_id` is included or excluded. */
  #isInclusion: boolean | undefined
  #includesId: boolean | undefined
  #hasElemMatch = false

  constructor(path: InputPath, patterns: PatternBudget) {
    this.#patterns = patterns
    this.#expressions = new ExpressionParser(path, patterns)
  }

  parse(fields: JsonObject, parent: readonly string[], inputPath: InputPath): void {
    for (const [key, value] of Object.entries(fields)) {
      const keyPath = inputPath.child(key)
      if (key.includes('.$.'))
        throw keyPath.error('must have the positional $ at the end of its path')

      const name = key.endsWith('.$') ? key.slice(0, -2) : key
      const path = [...parent, ...name.split('.')]
      checkFieldPath(path.join('.'), keyPath)
      if (name === key) this.#parseValue(path, value, keyPath)
      else this.#parsePositional(path, value, keyPath)
    }
  }

  #parsePositional(path: readonly string[], value: Json, inputPath: InputPath): void {
    if ((typeof value !== 'boolean' && typeof value !== 'number') || value === false || value === 0)
      throw inputPath.error(`must be 1, as it ends in the positional $, not ${quote(value)}`)
    if (this.#positional !== undefined)
      throw inputPath.error('must be the only path with the positional $')
    if (this.#hasElemMatch) throw inputPath.error(NOT_WITH_ELEM_MATCH)

    this.#positional = { path, inputPath }
    this.#addPath(path, 'include', inputPath)
    this.#setInclusion(true, inputPath)
  }

  #parseValue(path: readonly string[], value: Json, inputPath: InputPath): void {
    if (isJsonObject(value)) this.#parseObject(path, value, inputPath)
    else if (typeof value === 'boolean' || typeof value === 'number')
      this.#parseFlag(path, Boolean(value), inputPath)
    else this.#parseExpression(path, value, inputPath)
  }

  #parseObject(path: readonly string[], value: JsonObject, inputPath: InputPath): void {
    const [key, ...others] = Object.keys(value)
    if (key === undefined) throw inputPath.error('must not be an empty object')
    if (!key.startsWith('$') || others.length > 0 || DB_REF_FIELDS.has(key)) {
      this.parse(value, path, inputPath)
      return
    }
    const operand = value[key] as Json
    const operandPath = inputPath.child(key)
    if (key === '$slice' && !isSliceExpression(operand))
      this.#parseSlice(path, operand, operandPath)
    else if (key === '$elemMatch') this.#parseElemMatch(path, operand, operandPath)
    else this.#parseExpression(path, value, inputPath)
  }

  #parseSlice(path: readonly string[], operand: Json, inputPath: InputPath): void {
    this.#addPath(path, 'slice', inputPath)
    this.#slices.push(parseSlice(path, operand, inputPath))
  }

  #parseExpression(path: readonly string[], value: Json, inputPath: InputPath): void {
    if (this.#isInclusion === false)
      throw inputPath.error('must not be computed where another field is excluded')
    this.#isInclusion = true
    const { evaluate } = this.#expressions.parse(value, inputPath)
    const place = { path: inputPath, scope: this.#expressions.scope }
    this.#addPath(path, () => toJson(evaluate(), place), inputPath)
  }

  #parseFlag(path: readonly string[], isIncluded: boolean, inputPath: InputPath): void {
    this.#addPath(path, isIncluded ? 'include' : 'exclude', inputPath)
    if (path.length === 1 && path[0] === '_id') this.#includesId = isIncluded
    else this.#setInclusion(isIncluded, inputPath)
  }

  #setInclusion(isIncluded: boolean, inputPath: InputPath): void {
    if (this.#isInclusion !== undefined && this.#isInclusion !== isIncluded) {
      throw inputPath.error(
        isIncluded
          ? 'must not include a field where another is excluded'
          : 'must not exclude a field where another is included',
      )
    }
    this.#isInclusion = isIncluded
  }

  /**
   * Parses an `$elemMatch`, which returns an array of the first element that matches
   * (https://www.mongodb.com/docs/manual/reference/operator/projection/elemMatch/).
   */
  #parseElemMatch(path: readonly string[], operand: Json, inputPath: InputPath): void {
    if (this.#positional !== undefined) throw inputPath.error(NOT_WITH_ELEM_MATCH)
    const [name = ''] = path
    if (path.length > 1)
      throw inputPath.error(`must be on a top-level field, not on ${quote(path.join('.'))}`)
    const elements = new SelectorParser(this.#patterns).parseElements(operand, inputPath)
    refuseQueryOnly(elements.conditions, inputPath)
    this.#needsTimeout ||= needsTimeout(sumCosts(elements.conditions))
    this.#hasElemMatch = true
    const matches = compileElementQuery(elements)
    const compute: ComputeField = ({ [name]: value }) => {
      const element = isJsonArray(value) ? value.find(matches) : undefined
      return element === undefined ? undefined : [element]
    }
    this.#addPath(path, compute, inputPath)
  }

  #addPath(path: readonly string[], rule: FieldRule, inputPath: InputPath): void {
    if (!addPath(this.#paths, path, rule))
      throw inputPath.error('collides with another path of fields')
  }

  finish(): ParsedFields {
    const isInclusion = this.#isInclusion ?? this.#isInclusionByDefault()
    const paths = this.#paths
    if (this.#includesId === !isInclusion) paths.delete('_id')
    else if (isInclusion && !paths.has('_id')) paths.set('_id', 'include')
    const { scope, cost } = this.#expressions
    return {
      paths,
      isInclusion,
      slices: this.#slices,
      scope,
      positional: this.#positional,
      needsTimeout: this.#needsTimeout || needsTimeout(cost),
    }
  }

  /** Whether fields that include or exclude at most `_id` are an inclusion. */
  #isInclusionByDefault(): boolean {
    if (this.#slices.length > 0) return this.#includesId === true
    return this.#hasElemMatch || this.#includesId === true
  }
}

/** False, adding nothing, if a path of the tree is equal, or one is the start of the other. */
function addPath(tree: PathTree, path: readonly string[], rule: FieldRule): boolean {
  const [name = '', ...rest] = path
  const child = tree.get(name) ?? (rest.length > 0 ? new Map() : rule)
  const isNew = !tree.has(name)
  tree.set(name, child)
  return rest.length === 0 ? isNew : child instanceof Map && addPath(child, rest, rule)
}
