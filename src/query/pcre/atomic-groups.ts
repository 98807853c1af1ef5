import { alternatives } from './fragment.js'
import type { Fragment } from './fragment.js'
import { UnsupportedPatternError } from './pattern-errors.js'

/**
 * Forbids backtracking into a fragment. JavaScript never backtracks into a lookahead, so the result
 * is a lookahead that captures the fragment under `name`, and a backreference to it.
 */
export function atomicGroup(fragment: Fragment, name: string): Fragment {
  rejectRepeatedEmpty(fragment)
  const source = `(?:(?=(?<${name}>${fragment.source}))\\k<${name}>)`
  return { ...fragment, source, size: fragment.size + 14, isUnit: true }
}

/** Translates a lookaround; `start` is its opening: `(?=`, `(?!`, `(?<=` or `(?<!`. */
export function lookaround(
  start: string,
  branches: readonly Fragment[],
  hasReferences: boolean,
): Fragment {
  const isFixed = branches.every(({ minLength, maxLength }) => minLength === maxLength)
  if (start.startsWith('(?<') && !isFixed)
    throw new UnsupportedPatternError('has a lookbehind whose branches are not of fixed length')

  const body = alternatives(branches)
  // Only what it captures depends on which match comes first.
  if (hasReferences) rejectRepeatedEmpty(body)
  return { ...body, source: `${start}${body.source})`, minLength: 0, maxLength: 0 }
}

/** PCRE2 ends a loop at an empty iteration; JavaScript backtracks, and may match another way. */
function rejectRepeatedEmpty({ repeatsEmpty }: Fragment): void {
  if (repeatsEmpty !== true) return
  throw new UnsupportedPatternError(
    'repeats a possibly empty match where there is no backtracking, which is not supported',
  )
}
