import type { Json, JsonObject } from '../../json/json.js'

/** An object or an array. */
export type Container = JsonObject | readonly Json[]

/** One name in a dotted path. In an array, a name of digits is a position. */
export interface Segment {
  readonly name: string
  /** The array position that the name stands for, or -1. `01` is not a position. */
  readonly index: number
  /** Whether every JavaScript object inherits a property of this name, such as `toString`. */
  readonly isInherited: boolean
}

/** Splits a dotted path into its segments. */
export const splitPath = (path: string): readonly Segment[] =>
  path.split('.').map((name) => ({
    name,
    index: /^(0|[1-9]\d{0,9})$/.test(name) ? Number(name) : -1,
    isInherited: name in Object.prototype,
  }))

/** Returns the field of an object, or the element of an array; undefined if it is missing. */
export function getField(container: Container, segment: Segment): Json | undefined {
  if (Array.isArray(container)) return container[segment.index] as Json | undefined
  if (segment.isInherited && !Object.hasOwn(container, segment.name)) return undefined
  return (container as JsonObject)[segment.name]
}

/** Whether a value is an object or an array. */
export const isContainer = (value: Json | undefined): value is Container =>
  typeof value === 'object' && value !== null
