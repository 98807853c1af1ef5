import type { Json } from '@materials-mock/json'
import { Double } from '../values/value.js'
import type { Value, ValueObject } from '../values/value.js'
import type { ParseContext } from './parse-context.js'

/**
 * Without special numbers, the value itself, so that it shares its parts with the item. A `long`
 * beyond 2^53 becomes the nearest double; a missing element is left out, as in BSON.
 * @throws the path's error for NaN and Infinity; BoundExceeded
 */
export function toJson(
  value: Value,
  context: Pick<ParseContext, 'path' | 'scope'>,
  level = 0,
): Json | undefined {
  if (typeof value === 'number') return toFinite(value, context)
  if (value instanceof Double) return value.value + 0
  if (typeof value === 'bigint') return Number(value)
  if (typeof value !== 'object' || value === null) return value as Json | undefined
  context.scope.checkLevel(level)
  return Array.isArray(value)
    ? arrayToJson(value, context, level)
    : objectToJson(value as ValueObject, context, level)
}

function toFinite(value: number, { path }: Pick<ParseContext, 'path'>): number {
  if (Number.isFinite(value)) return value
  throw path.error(`must have a result that JSON can express, not ${value}`)
}

function arrayToJson(
  array: readonly Value[],
  context: Pick<ParseContext, 'path' | 'scope'>,
  level: number,
): Json {
  context.scope.spend(array.length)
  let isSame = true
  const elements: Json[] = []
  for (const element of array) {
    const converted = toJson(element, context, level + 1)
    isSame &&= converted === element && element !== undefined
    if (converted !== undefined) elements.push(converted)
  }
  return isSame ? (array as readonly Json[]) : elements
}

function objectToJson(
  object: ValueObject,
  context: Pick<ParseContext, 'path' | 'scope'>,
  level: number,
): Json {
  const names = Object.keys(object)
  context.scope.spend(names.length)
  let isSame = true
  const fields = names.map((name): [string, Json] => {
    const converted = toJson(object[name], context, level + 1) as Json
    isSame &&= converted === object[name]
    return [name, converted]
  })
  return isSame ? (object as never) : Object.fromEntries(fields)
}
