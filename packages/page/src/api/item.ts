import { isJsonObject } from '@materials-mock/json'
import type { Json, JsonObject } from '@materials-mock/json'

/** An item of a resource; `fields` can leave out any part of it. */
export interface Item extends JsonObject {
  readonly _id?: string
}

/** Whether a value shows nothing in a line: it is missing, or a blank text. */
export const isBlank = (value: unknown): boolean => String(value ?? '').trim() === ''

/** Returns the name of an item, or else its slug, or else its `_id`. */
export const nameOf = ({ name, slug, _id }: Item): Json | undefined =>
  [name, slug].find((each) => !isBlank(each)) ?? _id

interface PlainField {
  readonly keys: readonly string[]
  readonly value: Json
  readonly parent: JsonObject
}

const MAX_DEPTH = 3

export const listFields = (
  parent: JsonObject,
  before: readonly string[] = [],
): readonly PlainField[] =>
  Object.entries(parent).flatMap(([key, value]): readonly PlainField[] => {
    const keys = [...before, key]
    if (isJsonObject(value)) return keys.length < MAX_DEPTH ? listFields(value, keys) : []
    return value !== undefined && isPlain(value) ? [{ keys, value, parent }] : []
  })

const isPlain = (value: Json): boolean =>
  !Array.isArray(value) || (value.length > 0 && value.every((each) => typeof each !== 'object'))
