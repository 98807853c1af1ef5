import { isJsonObject } from '../../json/json.js'
import type { Json, JsonObject } from '../../json/json.js'
import { InputPath } from '../../json/input-path.js'
import { quote } from '../../json/quote.js'
import { parseElemMatch } from '../selector/parse-selector.js'
import { checkFieldPath } from '../values/field-path.js'
import { elementTest } from '../selector/operators.js'
import { addPath } from './path-tree.js'
import type { PathTree } from './path-tree.js'
import { needsTimeout } from '../selector/ast.js'

/** A checked `$slice`. */
export interface Slice {
  readonly path: readonly string[]
  /** `undefined` for `{$slice: limit}`, whose limit may be negative. */
  readonly skip: number | undefined
  readonly limit: number
}

/** A checked `fields`. */
export interface ParsedFields {
  /** The paths that are included, or excluded. */
  readonly paths: PathTree
  readonly includes: boolean
  readonly slices: readonly Slice[]
  /** By field, what finds the first element of its array that meets an `$elemMatch`. */
  readonly elements: ReadonlyMap<string, (value: Json | undefined) => Json | undefined>
  readonly needsTimeout: boolean
}

/** Checks `fields` as MongoDB's parser does; throws ProjectionInvalid with the place and value. */
export function parseFields(fields: JsonObject): ParsedFields {
  const check = new Check()
  check.object(fields, [], new InputPath('projection', 'projection.fields'))
  return check.finish()
}

/** What is known of the fields so far. */
class Check {
  readonly #chosen: (readonly string[])[] = []
  readonly #slices: Slice[] = []
  readonly #elements = new Map<string, (value: Json | undefined) => Json | undefined>()
  readonly #taken: PathTree = new Map()
  #needsTimeout = false
  /** Whether fields are included or excluded, once that is known; `_id` may do otherwise. */
  #includes: boolean | undefined
  #includesId: boolean | undefined

  object(fields: JsonObject, parent: readonly string[], place: InputPath): void {
    for (const [key, value] of Object.entries(fields)) {
      const at = place.child(key)
      if (/(^|\.)\$(\.|$)/.test(key))
        throw at.error('is not supported: the positional $ of a projection')

      checkFieldPath(key, at)
      this.#value([...parent, ...key.split('.')], value, at)
    }
  }

  #value(path: readonly string[], value: Json, place: InputPath): void {
    if (isJsonObject(value)) this.#nested(path, value, place)
    else if (typeof value === 'boolean' || typeof value === 'number')
      this.#choice(path, Boolean(value), place)
    else throw place.error(`must be 1 or 0, $slice or $elemMatch, not ${quote(value)}`)
  }

  #nested(path: readonly string[], value: JsonObject, place: InputPath): void {
    const [key, ...others] = Object.keys(value)
    if (key === undefined) throw place.error('must not be an empty object')
    if (!key.startsWith('$') || others.length > 0) {
      this.object(value, path, place)
      return
    }
    const operand = value[key] as Json
    if (key === '$slice') this.#slice(path, operand, place.child(key))
    else if (key === '$elemMatch') this.#elemMatch(path, operand, place.child(key))
    else throw place.child(key).error('is not supported: fields take no expressions')
    this.#take(path, place)
  }

  #choice(path: readonly string[], included: boolean, place: InputPath): void {
    this.#take(path, place)
    if (path.length === 1 && path[0] === '_id') {
      this.#includesId = included
      return
    }
    if (this.#includes !== undefined && this.#includes !== included) {
      throw place.error(
        included
          ? 'must not include a field where another is excluded'
          : 'must not exclude a field where another is included',
      )
    }
    this.#includes = included
    this.#chosen.push(path)
  }

  #slice(path: readonly string[], operand: Json, place: InputPath): void {
    // MongoDB cuts fractions off.
    const numbers = (Array.isArray(operand) ? operand : [operand]).map(toInteger)
    const [limit, skip] = numbers.toReversed()
    const isCounted = Array.isArray(operand) ? numbers.length === 2 && Number(limit) > 0 : true
    if (limit === undefined || !isCounted || numbers.includes(undefined)) {
      throw place.error(
        `must be a number or [skip, limit] with a limit above 0, not ${quote(operand)}`,
      )
    }
    this.#slices.push({ path, skip, limit })
  }

  #elemMatch(path: readonly string[], operand: Json, place: InputPath): void {
    const [name] = path as readonly [string]
    if (path.length > 1) throw place.error('must stand on a field without a dot')
    const checked = parseElemMatch(operand, place)
    const meets = elementTest(checked)
    this.#needsTimeout ||= needsTimeout(checked.expressions)
    this.#elements.set(name, (value) =>
      Array.isArray(value) ? (value as readonly Json[]).find(meets) : undefined,
    )
  }

  /** Two paths must not collide: one of them equal to the other, or a part of it. */
  #take(path: readonly string[], place: InputPath): void {
    if (!addPath(this.#taken, path)) throw place.error('collides with another path of fields')
  }

  finish(): ParsedFields {
    const includes = this.#includes ?? this.#includesByDefault()
    const paths: PathTree = new Map()
    for (const path of this.#chosen) addPath(paths, path)
    if (includes) for (const { path } of this.#slices) addPath(paths, path)
    const namesId = includes
      ? (this.#includesId ?? !this.#taken.has('_id'))
      : this.#includesId === false
    if (namesId) paths.set('_id', 'leaf')
    return {
      paths,
      includes,
      slices: this.#slices,
      elements: this.#elements,
      needsTimeout: this.#needsTimeout,
    }
  }

  /** What is meant where no field but `_id` is named by 1 or 0. */
  #includesByDefault(): boolean {
    if (this.#slices.length > 0) return this.#includesId === true
    return this.#elements.size > 0 || this.#includesId === true
  }
}

const toInteger = (value: Json): number | undefined =>
  typeof value === 'number' ? Math.trunc(value) : undefined
