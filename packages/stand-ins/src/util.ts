/** `node:util` for a browser: what the server and its packages use of it. */

/** Whether two JSON values are equal, whatever the order of their keys. */
export function isDeepStrictEqual(one: unknown, other: unknown): boolean {
  if (!isObject(one) || !isObject(other)) return Object.is(one, other)
  const keys = Object.keys(one)
  return (
    Array.isArray(one) === Array.isArray(other) &&
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isDeepStrictEqual(one[key], other[key]))
  )
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

export const debuglog = (): (() => void) => () => undefined

export function format(text: string, ...values: unknown[]): string {
  const rest = [...values]
  return text.replace(/%[sdj]/g, (place) => (rest.length === 0 ? place : String(rest.shift())))
}

/** Lets one class of functions inherit from another, as the packages of before 2015 do. */
export const inherits = (child: { prototype: object }, parent: { prototype: object }): void =>
  void Object.setPrototypeOf(child.prototype, parent.prototype)

export const promisify = (): never => {
  throw new Error('a browser has no functions with callbacks')
}

export const types = { isDate: (value: unknown): value is Date => value instanceof Date }
