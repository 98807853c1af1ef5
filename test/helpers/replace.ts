import type { Test } from 'tap'

/**
 * Replaces a property of an object until the end of a test, and returns what restores it earlier. tap's
 * `t.intercept` takes a stack trace at each use. This is slow, and where a time limit ends the work
 * meanwhile, `Error.prepareStackTrace` stays that of tap in the whole process.
 */
export function replace<Name extends PropertyKey>(
  t: Test,
  object: Readonly<Record<Name, unknown>>,
  name: Name,
  value: unknown,
): () => void {
  const original = Object.getOwnPropertyDescriptor(object, name)
  const restore = (): void => {
    if (original === undefined) Reflect.deleteProperty(object, name)
    else Object.defineProperty(object, name, original)
  }
  Object.defineProperty(object, name, { configurable: true, writable: true, ...original, value })
  t.teardown(restore)
  return restore
}
