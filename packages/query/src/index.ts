// Queries
export { MATCH_ALL, Selector, compileSelector } from './selector/compile-selector.js'
export type { IndexableCondition, PathConditions } from './selector/compile-selector.js'
export { describeConditions, listConditions, needsTimeout } from './condition.js'
export type { Combination, Condition, FieldTest, ItemTest } from './condition.js'
export {
  FIELD_OPERATORS,
  TOP_LEVEL_OPERATORS,
  UNSUPPORTED_QUERY_OPERATORS,
} from './selector/operators/query-operators.js'
export { MAX_PATTERN } from './compile-pattern.js'
export { MAX_MATCH_MS, retryTimeouts } from './run-pattern.js'

// Lists: the order, the page and the fields of what matches
export { DEFAULT_LIMIT, DocumentedQuery, Projection, Query } from './list-query.js'
export type { CompiledListQuery, ListQuery } from './list-query.js'
export { compileSort } from './sort/compile-sort.js'
export type { SortSpec } from './sort/compile-sort.js'
export { applyFields, compileFields } from './projection/compile-fields.js'
export type { CompiledFields } from './projection/compile-fields.js'
export { isSliceExpression, mayHavePositional } from './projection/array-fields.js'
export { evaluate, evaluateAndCount } from './evaluate.js'
export type { EntryList, Evaluation } from './evaluate.js'
export { waitForSort } from './page.js'
export type { HasItem } from './page.js'
export { MAX_BYTES, MAX_DEPTH, MAX_ENTRIES, MAX_ITEM_DEPTH, MAX_LIMIT } from './limits.js'

// Expressions
export {
  EXPRESSION_OPERATORS,
  UNSUPPORTED_EXPRESSION_OPERATORS,
} from './expressions/expression-operators.js'
export { CONVERSIONS } from './expressions/operators/convert.js'
export { PATTERNS } from './expressions/operators/patterns.js'
export { TEXTS } from './expressions/operators/texts.js'

// Updates
export { UPDATE_OPERATORS, compileUpdate } from './update/compile-update.js'
export type { Update } from './update/compile-update.js'
export { checkStoredValue } from './update/stored-value-rules.js'

// Why an item matches, or does not
export { Explainer, matchItem } from './explain/explainer.js'
export type { MatchExplanation } from './explain/explainer.js'
export type { ClauseExplanation } from './explain/explanation.js'
export { formatExplanation } from './explain/format-explanation.js'
export { formatJson } from './explain/found-values.js'

// MongoDB's order of values
export { compareValues, equalValues, getTypeRank } from './values/compare-values.js'
export { compileScalarReader } from './values/compile-path.js'
export type { Scalar } from './values/compile-path.js'

// Errors
export { PatternTooCostly } from './errors.js'
