import type { Json } from '../api/item.js'

/** A place at which two values differ. A missing value is undefined. */
interface Difference {
  readonly path: string
  readonly left: string | undefined
  readonly right: string | undefined
}

/** Lists the places at which two JSON values differ, in the order of the keys of the first value. */
export function diffValues(
  left: Json | undefined,
  right: Json | undefined,
  path = '',
): Difference[] {
  if (!isContainer(left) || !isContainer(right) || Array.isArray(left) !== Array.isArray(right)) {
    const [leftText, rightText] = [format(left), format(right)]
    return leftText === rightText ? [] : [{ path, left: leftText, right: rightText }]
  }
  const keys = new Set([...Object.keys(left), ...Object.keys(right)])
  return [...keys].flatMap((key) =>
    diffValues(readKey(left, key), readKey(right, key), path === '' ? key : `${path}.${key}`),
  )
}

const isContainer = (
  value: Json | undefined,
): value is Exclude<Json, null | string | number | boolean> =>
  typeof value === 'object' && value !== null

const readKey = (value: object, key: string): Json | undefined =>
  Object.hasOwn(value, key) ? (value as Record<string, Json>)[key] : undefined

const format = (value: Json | undefined): string | undefined =>
  value === undefined ? undefined : JSON.stringify(value)
