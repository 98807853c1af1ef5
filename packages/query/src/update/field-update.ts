import type { TSchema } from '@sinclair/typebox'

import { FORBIDDEN_NAMES } from '@materials-mock/json'
import type { InputPath, Json, JsonObject } from '@materials-mock/json'
import type { PatternBudget } from '../compile-pattern.js'
import { MAX_DEPTH } from '../limits.js'
import { checkFieldPath, splitPath } from '../values/path.js'
import type { Segment } from '../values/path.js'

export interface UpdateOperator<Schema extends TSchema = TSchema> {
  /** The operand for one field. It is not for validation: `compile` validates. */
  readonly schema: Schema
  /**
   * Into the updates of one or two fields.
   * @throws BodyInvalid for what MongoDB rejects
   */
  readonly compile: (operand: Json, place: UpdatePlace) => readonly FieldUpdate[]
}

export interface UpdatePlace {
  readonly fieldPath: string
  /** The path of the operand in the request's body. */
  readonly path: InputPath
  /** Compiles the patterns of the whole body. */
  readonly patterns: PatternBudget
}

export const defineUpdate = <Schema extends TSchema>(
  schema: Schema,
  compile: (operand: Json, path: InputPath, patterns: PatternBudget) => ValueUpdate,
): UpdateOperator<Schema> => ({
  schema,
  compile: (operand, { fieldPath, path, patterns }) => {
    const update = compile(operand, path, patterns)
    const segments = parseUpdatePath(fieldPath, path)
    const isOfElements = segments.some(({ identifier }) => identifier !== undefined)
    const last = segments.at(-1)
    const written = last?.identifier === undefined ? { [last?.name ?? '']: operand } : operand
    const writtenLength = isOfElements ? JSON.stringify(written).length : 0
    return [{ ...update, segments, path, writtenLength }]
  },
})

/** An update of one value, as compiled from an update operator and its operand. */
export interface ValueUpdate {
  /** Whether a missing path is created. If not, a missing value stays missing. */
  readonly createsPath: boolean
  /** As for `$unset`: a value without fields, or without this field, blocks a path. */
  readonly ignoresBlockedPath?: boolean
  /** Whether the path must not go through an array. */
  readonly forbidsArrays?: boolean
  /** Whether it can take long, so that the update must run with a timeout. */
  readonly needsTimeout?: boolean
  /** Whether the update has no effect on an item (default: never). */
  readonly isInert?: (item: JsonObject) => boolean
  /** Returns the new value. Undefined is a missing field, before and after. */
  readonly apply: (value: Json | undefined, item: JsonObject, now: number) => Json | undefined
}

export interface FieldUpdate extends ValueUpdate {
  readonly segments: readonly UpdateSegment[]
  /** The path of the operand in the request's body. */
  readonly path: InputPath
  /** In characters of JSON, for each element, with the name; 0 without array filters. */
  readonly writtenLength: number
}

export interface UpdateSegment extends Segment {
  /** Of `$[identifier]`; empty for `$[]`, all elements; undefined for a name or a position. */
  readonly identifier?: string
}

/**
 * With `$[]` and `$[identifier]`
 * (https://www.mongodb.com/docs/manual/reference/operator/update/positional-filtered/). A PATCH has
 * no query that the positional `$` could come from.
 * @throws BodyInvalid for what is no name; BoundExceeded for more than 50 names
 */
export function parseUpdatePath(fieldPath: string, path: InputPath): readonly UpdateSegment[] {
  const segments = splitPath(fieldPath).map(toUpdateSegment)
  if (segments[0]?.identifier !== undefined)
    throw path.error(`must not start with ${segments[0].name}`)
  if (segments.some(({ name }) => name === '$'))
    throw path.error('must not have the positional $, as there is no query that matches an element')

  const names = segments.map(({ name, identifier }) => (identifier === undefined ? name : '0'))
  checkFieldPath(names.join('.'), path)
  const forbidden = names.find((name) => FORBIDDEN_NAMES.has(name))
  if (forbidden !== undefined) throw path.error(`must not have "${forbidden}" in its path`)
  if (segments.length > MAX_DEPTH)
    throw path.limitError(`must have at most ${MAX_DEPTH} names, not ${segments.length}`)
  return segments
}

function toUpdateSegment(segment: Segment): UpdateSegment {
  const [, identifier] = /^\$\[(.*)\]$/.exec(segment.name) ?? []
  return identifier === undefined ? segment : { ...segment, identifier }
}
