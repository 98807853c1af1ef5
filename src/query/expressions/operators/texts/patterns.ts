import type { Json } from '../../../../json/json.js'
import type { MatchPurpose } from '../../../compile-pattern.js'
import { matchPattern } from '../../../run-pattern.js'
import type { Expression, ParseContext, ParseOperator } from '../../parse-context.js'
import { countCodePoints, countUnits } from '../../../values/code-points.js'
import { isNullish } from '../../../values/value.js'
import type { Value } from '../../../values/value.js'
import { compileSource } from './pattern-source.js'

/** Returns the result for a text, or for null. */
type Search = (
  text: string | undefined,
  expression: RegExp | undefined,
  context: ParseContext,
) => Value

/**
 * Defines `$regexMatch`, `$regexFind` or `$regexFindAll`: of `{input, regex, options}`. A constant
 * pattern is compiled now, so that its errors are found; MongoDB does not search a constant text now.
 */
const define =
  (search: Search, purpose: MatchPurpose): ParseOperator =>
  (operand, context) => {
    const operands = context.parseArguments(operand, ['input', 'regex'], ['options'])
    const parse = (name: string): Expression | undefined =>
      name in operands ? context.child(name).parse(operands[name] as Json) : undefined
    const input = parse('input') as Expression
    const getExpression = compileSource(
      parse('regex') as Expression,
      parse('options'),
      purpose,
      context,
    )
    return {
      evaluate: () => {
        context.scope.spend(1)
        const text = input.evaluate()
        const expression = getExpression()
        if (isNullish(text)) return search(undefined, expression, context)
        if (typeof text !== 'string')
          throw context.child('input').valueError('must be a string', text)
        context.scope.spendText(text.length)
        return search(text, expression, context)
      },
    }
  }

/** A position in a text, in UTF-16 units and in characters. */
interface Position {
  readonly unit: number
  readonly character: number
}

const START: Position = { unit: 0, character: 0 }

/** Returns the next match from a position on, with its position, or undefined. */
function findNext(
  text: string,
  expression: RegExp,
  from: Position,
  { scope }: ParseContext,
): { readonly position: Position; readonly text: string; readonly result: Value } | undefined {
  expression.lastIndex = from.unit
  const found = matchPattern(() => expression.exec(text))
  if (found === null) return undefined
  const [matched] = found
  const captures: Value[] = []
  // The groups of atomic groups have other names.
  for (let number = 1; found.groups !== undefined && `g${number}` in found.groups; number += 1)
    captures.push(found.groups[`g${number}`] ?? null)
  const character = from.character + countCodePoints(text, from.unit, found.index)
  scope.spend(4 + captures.length + ((found.index - from.unit) >> 3))
  return {
    position: { unit: found.index, character },
    text: matched,
    result: { match: matched, idx: character, captures },
  }
}

const findFirst: Search = (text, expression, context) =>
  text === undefined || expression === undefined
    ? null
    : (findNext(text, expression, START, context)?.result ?? null)

/** An empty match is not found at the end of a text that is not empty. */
const findAll: Search = (text, expression, context) => {
  const results: Value[] = []
  if (text === undefined || expression === undefined) return results
  let from = START
  do {
    const next = findNext(text, expression, from, context)
    if (next === undefined) break
    results.push(next.result)
    const { unit, character } = next.position
    const length = next.text === '' ? countUnits(text, unit) : next.text.length
    from = {
      unit: unit + length,
      character: character + countCodePoints(text, unit, unit + length),
    }
  } while (from.unit < text.length)
  return results
}

const testMatch: Search = (text, expression) =>
  text !== undefined && expression !== undefined && matchPattern(() => expression.test(text))

/** https://www.mongodb.com/docs/manual/reference/operator/aggregation/regexFind/ */
export const PATTERNS: Readonly<Record<string, ParseOperator>> = {
  $regexFind: define(findFirst, 'search'),
  $regexFindAll: define(findAll, 'search'),
  $regexMatch: define(testMatch, 'test'),
}
