import { isJsonObject, type Json, type JsonObject } from '../schemas/json.js'
import { checkElemMatch } from './condition.js'
import { toCriteria } from './criteria.js'
import { checkFieldPath } from './field-path.js'
import { compileTerms } from './operators.js'
import { Place, quote } from './place.js'
import { hasCostlyPattern } from './terms.js'

/** The paths of a projection as a tree; a `leaf` is included or excluded whole. */
export type Node = Map<string, Node | 'leaf'>

export interface Slice {
  readonly path: readonly string[]
  /** `undefined` for `{$slice: limit}`, whose limit may be negative. */
  readonly skip: number | undefined
  readonly limit: number
}

export interface CheckedFields {
  readonly root: Node
  readonly includes: boolean
  readonly slices: readonly Slice[]
  /** By field, what finds the first element of its array that meets an `$elemMatch`. */
  readonly elements: ReadonlyMap<string, (value: Json | undefined) => Json | undefined>
  readonly usesPattern: boolean
}

/** Checks `fields` as MongoDB's parser does; throws ProjectionInvalid with the place and value. */
export function checkFields(fields: JsonObject): CheckedFields {
  const check = new Check()
  check.object(fields, [], new Place('projection', 'projection.fields'))
  return check.finish()
}

class Check {
  readonly #paths: { readonly path: readonly string[]; readonly kind: Kind }[] = []
  readonly #slices: Slice[] = []
  readonly #elements = new Map<string, (value: Json | undefined) => Json | undefined>()
  readonly #taken: Node = new Map()
  #usesPattern = false
  #includes: boolean | undefined
  #id: boolean | undefined

  object(fields: JsonObject, parent: readonly string[], place: Place): void {
    for (const [key, value] of Object.entries(fields)) {
      const at = place.at(key)
      if (/(^|\.)\$(\.|$)/.test(key)) {
        throw at.invalid('is not supported: the positional $ of a projection')
      }
      checkFieldPath(key, at)
      this.#value([...parent, ...key.split('.')], value, at)
    }
  }

  #value(path: readonly string[], value: Json, place: Place): void {
    if (isJsonObject(value)) this.#nested(path, value, place)
    else if (typeof value === 'boolean' || typeof value === 'number') {
      this.#choice(path, Boolean(value), place)
    } else throw place.invalid(`must be 1 or 0, $slice or $elemMatch, not ${quote(value)}`)
  }

  #nested(path: readonly string[], value: JsonObject, place: Place): void {
    const [key, ...others] = Object.keys(value)
    if (key === undefined) throw place.invalid('must not be an empty object')
    if (!key.startsWith('$') || others.length > 0) {
      this.object(value, path, place)
      return
    }
    const operand = value[key] as Json
    if (key === '$slice') this.#slice(path, operand, place.at(key))
    else if (key === '$elemMatch') this.#elemMatch(path, operand, place.at(key))
    else throw place.at(key).invalid('is not supported: fields take no expressions')
    this.#take(path, place)
  }

  #choice(path: readonly string[], included: boolean, place: Place): void {
    this.#take(path, place)
    if (path.length === 1 && path[0] === '_id') {
      this.#id = included
      return
    }
    if (this.#includes !== undefined && this.#includes !== included) {
      throw place.invalid(
        included
          ? 'must not include a field where another is excluded'
          : 'must not exclude a field where another is included',
      )
    }
    this.#includes = included
    this.#paths.push({ path, kind: 'choice' })
  }

  #slice(path: readonly string[], operand: Json, place: Place): void {
    const isPair = Array.isArray(operand) && operand.length === 2
    const skip = isPair ? (operand[0] as Json) : undefined
    const limit = isPair ? (operand[1] as Json) : operand
    const valid =
      typeof limit === 'number' &&
      (skip === undefined || (typeof skip === 'number' && Math.trunc(limit) > 0))
    if (!valid) {
      throw place.invalid(
        `must be a number or [skip, limit] with a limit above 0, not ${quote(operand)}`,
      )
    }
    // MongoDB cuts the fractions off.
    const start = typeof skip === 'number' ? Math.trunc(skip) : undefined
    this.#slices.push({ path, skip: start, limit: Math.trunc(limit) })
    this.#paths.push({ path, kind: 'slice' })
  }

  #elemMatch(path: readonly string[], operand: Json, place: Place): void {
    const [name] = path as readonly [string]
    if (path.length > 1) throw place.invalid('must stand on a field without a dot')
    const { elements, terms } = checkElemMatch(operand, place)
    this.#usesPattern ||= hasCostlyPattern(terms)
    const test = compileTerms(toCriteria(terms), elements)
    const meets = (element: Json): boolean =>
      (elements === 'values' || (typeof element === 'object' && element !== null)) && test(element)
    this.#elements.set(name, (value) =>
      Array.isArray(value) ? (value as readonly Json[]).find(meets) : undefined,
    )
  }

  /** Two paths must not collide: one of them equal to the other, or a part of it. */
  #take(path: readonly string[], place: Place): void {
    if (!addPath(this.#taken, path)) throw place.invalid('collides with another path of fields')
  }

  finish(): CheckedFields {
    const includes = this.#includes ?? this.#defaultsToInclusion()
    const root: Node = new Map()
    for (const { path, kind } of this.#paths) {
      // A slice stays in both: in an inclusion it has to be named, in an exclusion it must not.
      if (kind === 'choice' || includes) addPath(root, path)
    }
    if (includes ? this.#id !== false && !this.#taken.has('_id') : this.#id === false) {
      root.set('_id', 'leaf')
    }
    if (includes && this.#id === true) root.set('_id', 'leaf')
    return {
      root,
      includes,
      slices: this.#slices,
      elements: this.#elements,
      usesPattern: this.#usesPattern,
    }
  }

  /** What is meant where no field but `_id` is named by 1 or 0. */
  #defaultsToInclusion(): boolean {
    if (this.#slices.length > 0) return this.#id === true
    return this.#elements.size > 0 || this.#id === true
  }
}

type Kind = 'choice' | 'slice'

function addPath(root: Node, path: readonly string[]): boolean {
  const [name, ...rest] = path as readonly [string, ...string[]]
  const child = root.get(name)
  if (rest.length === 0) {
    if (child !== undefined) return false
    root.set(name, 'leaf')
    return true
  }
  if (child === 'leaf') return false
  const next: Node = child ?? new Map()
  root.set(name, next)
  return addPath(next, rest)
}
