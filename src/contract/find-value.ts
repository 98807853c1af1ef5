import type { Json } from '../json/json.js'
import type { Probe } from './probe.js'
import { distinct, findPaths, isScalar } from './sample.js'
import type { SampledPath, Value } from './sample.js'

/** A path, and one of its values. */
interface FoundValue<T> extends SampledPath {
  readonly value: T
}

/**
 * Finds a value at a path without arrays. A value that only some items have is preferred, because it
 * tells more than a value that all items have.
 * @param needed what the statement needs, in words
 * @throws Lack if the sample has no such value
 */
export function findValue<T extends Json>(
  probe: Probe,
  needed: string,
  isKind: (value: Value) => value is T,
  isPath: (path: string) => boolean = () => true,
): FoundValue<T> {
  const found = findPaths(probe.sample)
    .filter(({ path, values }) => isPath(path) && values.every(isScalar))
    .flatMap(({ path, values }) =>
      distinct(values.filter(isKind)).map((value) => ({ path, values, value })),
    )
  const telling = found.find(({ values, value }) => values.some((other) => other !== value))
  const result = telling ?? found[0]
  if (result === undefined) throw probe.createLack(needed)
  return result
}

/**
 * Finds a path whose numbers, or strings, differ.
 * @throws Lack if the sample has no such path
 */
export function findDifferent<T extends number | string>(
  probe: Probe,
  needed: string,
  isKind: (value: Value) => value is T,
  isTelling: (values: readonly T[]) => boolean = () => true,
): { readonly path: string; readonly values: readonly T[] } {
  for (const { path, values } of findPaths(probe.sample)) {
    const ofType = values.filter((value) => typeof value === typeof values.find(isKind))
    const kept = distinct(values.filter(isKind))
    const isWhole = values.every(isScalar) && ofType.every(isKind)
    if (isWhole && kept.length > 1 && isTelling(kept)) return { path, values: kept }
  }
  throw probe.createLack(needed)
}
