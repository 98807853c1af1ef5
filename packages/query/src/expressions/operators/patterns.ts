import { compilePattern } from '../../compile-pattern.js'
import type { CompiledPattern, MatchPurpose } from '../../compile-pattern.js'
import { matchPattern } from '../../run-pattern.js'
import { countCodePoints, countUnits, isNullish } from '../../values/value.js'
import type { Value } from '../../values/value.js'
import { STRING } from '../parse-context.js'
import type { Expression, ParseContext, ParseOperator } from '../parse-context.js'

/** Returns the result for a text, or for null. */
type Search = (
  text: string | undefined,
  expression: RegExp | undefined,
  context: ParseContext,
) => Value

/**
 * Of `{input, regex, options}`. A constant pattern is compiled by the parser, so that its errors
 * are found; a constant text is not searched then, as in MongoDB.
 */
const define =
  (search: Search, purpose: MatchPurpose): ParseOperator =>
  (operand, context) => {
    const { input, regex, options } = context.parseNamed(operand, ['input', 'regex'], ['options'])
    const getExpression = compileSource(regex, options, purpose, context)
    return {
      evaluate: () => {
        context.scope.spend(1)
        const value = input.evaluate()
        const expression = getExpression()
        const text = isNullish(value) ? undefined : context.take(STRING, value, 'input')
        return search(text, expression, context)
      },
    }
  }

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

/** An empty match at the end of a text counts only if the text is empty. */
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

interface Source {
  readonly pattern: string
  readonly options: string
}

/** The largest number of compiled patterns of items that an expression caches. */
const MAX_KEPT = 16

/** The steps of compiling a pattern of an item, in addition to the steps for its size. */
const COMPILE_STEPS = 200

/**
 * Of `{input, regex, options}`; undefined for null, with the flag `g` for a search.
 * @throws as compilePattern for a constant pattern
 */
function compileSource(
  regex: Expression,
  options: Expression | undefined,
  purpose: MatchPurpose,
  context: ParseContext,
): () => RegExp | undefined {
  const { patterns } = context
  const isConstant =
    regex.constant !== undefined && (options === undefined || options.constant !== undefined)
  if (!isConstant || !context.folds) {
    patterns.cost = Infinity
    return compileForItems(regex, options, purpose, context)
  }
  const source = takeSource(regex, options, context)
  if (source === undefined) return () => undefined
  const { path } = context.child('regex')
  const compiled = patterns.budget.compile(source.pattern, source.options, path, purpose)
  patterns.cost += compiled.cost
  const expression = forPurpose(compiled, purpose)
  return () => expression
}

/** Compiles the pattern of each item, and caches the most recent patterns. */
function compileForItems(
  regex: Expression,
  options: Expression | undefined,
  purpose: MatchPurpose,
  context: ParseContext,
): () => RegExp | undefined {
  const kept = new Map<string, RegExp>()
  return () => {
    const source = takeSource(regex, options, context)
    if (source === undefined) return undefined
    const key = `${source.options}/${source.pattern}`
    const found = kept.get(key)
    if (found !== undefined) return found
    const compiled = compilePattern(
      source.pattern,
      source.options,
      context.child('regex').path,
      purpose,
    )
    context.scope.spend(COMPILE_STEPS + 5 * compiled.size)
    if (kept.size >= MAX_KEPT) kept.clear()
    const expression = forPurpose(compiled, purpose)
    kept.set(key, expression)
    return expression
  }
}

/** Returns the regular expression for a purpose. For a search, it has the flag g, and starts at its `lastIndex`. */
const forPurpose = ({ expression }: CompiledPattern, purpose: MatchPurpose): RegExp =>
  // bounded: as in compilePattern
  purpose === 'test' ? expression : new RegExp(expression.source, 'gu')

/** Evaluates the pattern and the options. Returns undefined if the pattern is null. */
function takeSource(
  regex: Expression,
  options: Expression | undefined,
  context: ParseContext,
): Source | undefined {
  const pattern = takeString(regex, 'regex', context)
  const letters = takeString(options, 'options', context) ?? ''
  if (!/^[imsxu]*$/.test(letters))
    throw context.child('options').valueError('must be of the letters i, m, s and x', letters)
  return pattern === undefined ? undefined : { pattern, options: letters }
}

function takeString(
  expression: Expression | undefined,
  name: string,
  context: ParseContext,
): string | undefined {
  const value = expression?.evaluate()
  return isNullish(value) ? undefined : context.take(STRING, value, name)
}

/** https://www.mongodb.com/docs/manual/reference/operator/aggregation/regexFind/ */
export const PATTERNS: Readonly<Record<string, ParseOperator>> = {
  $regexFind: define(findFirst, 'search'),
  $regexFindAll: define(findAll, 'search'),
  $regexMatch: define(testMatch, 'test'),
}
