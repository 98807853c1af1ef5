import type { InputPath } from '../../json/input-path.js'
import type { Json } from '../../json/json.js'
import { quote } from '../../json/quote.js'
import { findItemOperator, needsTimeout } from '../selector/ast.js'
import { compileElemMatch } from '../selector/compile-expressions.js'
import { checkPatternSizes } from '../selector/compile-regex.js'
import { parseElemMatch } from '../selector/parse-selector.js'
import type { ComputeField } from './computed-fields.js'

/** A field that an `$elemMatch` computes. */
export interface ElemMatchField {
  readonly compute: ComputeField
  readonly needsTimeout: boolean
}

/**
 * Compiles an `$elemMatch` of `fields`, which returns an array of the first element that matches
 * (https://www.mongodb.com/docs/manual/reference/operator/projection/elemMatch/).
 * @throws the input path's error for a nested field, and as parseSelector does
 */
export function compileElemMatchField(
  path: readonly string[],
  operand: Json,
  inputPath: InputPath,
): ElemMatchField {
  const [name] = path as readonly [string]
  if (path.length > 1)
    throw inputPath.error(`must be on a top-level field, not on ${quote(path.join('.'))}`)
  const elemMatch = parseElemMatch(operand, inputPath)
  const itemOperator = findItemOperator(elemMatch.expressions)
  if (itemOperator !== undefined) throw inputPath.error(`must not use ${itemOperator}`)
  checkPatternSizes(elemMatch.expressions, inputPath)
  const matches = compileElemMatch(elemMatch)
  const compute: ComputeField = ({ [name]: value }) => {
    const element = Array.isArray(value) ? (value as readonly Json[]).find(matches) : undefined
    return element === undefined ? undefined : [element]
  }
  return { compute, needsTimeout: needsTimeout(elemMatch.expressions) }
}
