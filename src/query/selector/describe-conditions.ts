import { quote } from '../../json/quote.js'
import { splitConjunction } from '../condition.js'
import type { Condition } from '../condition.js'

/** The number of characters of a description. */
const MAX_LENGTH = 200

/**
 * Describes the conditions of a query, all of which must hold, without their operands:
 * `lattice.a $gt`, `$jsonSchema`, `not (tags $in)`, `(n $eq or $expr)`.
 */
export const describeConditions = (conditions: readonly Condition[]): readonly string[] =>
  conditions.flatMap(splitConjunction).map(describe).map(shorten)

function describe(condition: Condition): string {
  const { path, operator } = condition
  if (condition.kind !== 'combination')
    return path === undefined ? operator : `${describePath(path)} ${operator}`
  const { combine, conditions } = condition
  const isNegated = combine === 'none' || combine === 'notEvery'
  const parts = combine === 'notEvery' ? [describeAll(conditions)] : conditions.map(describeBranch)
  return `${isNegated ? 'not ' : ''}(${parts.join(' or ')})`
}

const describeBranch = (condition: Condition): string => describeAll(splitConjunction(condition))

const describeAll = (conditions: readonly Condition[]): string =>
  conditions.length === 0
    ? '$alwaysTrue'
    : conditions.flatMap(splitConjunction).map(describe).join(' and ')

/** Returns a path, quoted if it has spaces, quotes or parentheses. */
export const describePath = (path: string): string =>
  /^[^\s"()]+$/.test(path) ? path : quote(path)

const shorten = (text: string): string =>
  text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text
