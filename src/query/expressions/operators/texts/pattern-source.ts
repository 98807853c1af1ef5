import { compilePattern } from '../../../compile-pattern.js'
import type { CompiledPattern, MatchPurpose } from '../../../compile-pattern.js'
import type { Expression, ParseContext } from '../../parse-context.js'
import { isNullish } from '../../../values/value.js'
import type { Value } from '../../../values/value.js'

/** A pattern with its options. */
interface Source {
  readonly pattern: string
  readonly options: string
}

/** The number of compiled patterns that an expression keeps, if they come from items. */
const MAX_KEPT = 16

/** The steps of compiling a pattern from an item, beside those by its size. */
const COMPILE_STEPS = 200

/**
 * Compiles the pattern and the options of `{input, regex, options}` into a function that returns the
 * regular expression, or undefined for null. It has the flag `g` for a search.
 * @throws the path's error and limitError for a constant pattern that compilePattern refuses
 */
export function compileSource(
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

/** Compiles the pattern of each item, and keeps the last ones. */
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

/** Returns a regular expression that searches from its `lastIndex` on, as one with the flag g does. */
const forPurpose = ({ expression }: CompiledPattern, purpose: MatchPurpose): RegExp =>
  purpose === 'test' ? expression : new RegExp(expression.source, 'gu')

/** Evaluates the pattern and the options; undefined for a pattern that is null. */
function takeSource(
  regex: Expression,
  options: Expression | undefined,
  context: ParseContext,
): Source | undefined {
  const pattern = takeString(regex.evaluate(), context.child('regex'))
  const letters = takeString(options?.evaluate(), context.child('options')) ?? ''
  if (!/^[imsxu]*$/.test(letters))
    throw context.child('options').valueError('must be of the letters i, m, s and x', letters)
  return pattern === undefined ? undefined : { pattern, options: letters }
}

function takeString(value: Value, context: ParseContext): string | undefined {
  if (isNullish(value)) return undefined
  if (typeof value === 'string') return value
  throw context.valueError('must be a string', value)
}
