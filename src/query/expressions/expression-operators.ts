import { ACCUMULATORS } from './operators/numbers/accumulators.js'
import { ARITHMETIC } from './operators/numbers/arithmetic.js'
import { LOOPS } from './operators/arrays/array-loops.js'
import { ARRAY_PARTS } from './operators/arrays/array-parts.js'
import { ARRAYS } from './operators/arrays/arrays.js'
import { BITS } from './operators/numbers/bits.js'
import { CONDITIONAL } from './operators/conditional.js'
import { CONVERSIONS } from './operators/convert.js'
import { LOGIC } from './operators/logic.js'
import { OBJECTS } from './operators/objects.js'
import { PATTERNS } from './operators/texts/patterns.js'
import { PERCENTILES } from './operators/numbers/percentiles.js'
import { ROUNDING } from './operators/numbers/rounding.js'
import { SETS } from './operators/arrays/sets.js'
import { SUBSTRINGS } from './operators/texts/substrings.js'
import { TEXTS } from './operators/texts/texts.js'
import { TRIGONOMETRY } from './operators/numbers/trigonometry.js'
import type { ParseOperator } from './parse-context.js'

/** The operators of expressions, by their names. */
export const EXPRESSION_OPERATORS: ReadonlyMap<string, ParseOperator> = new Map(
  [
    ACCUMULATORS,
    ARITHMETIC,
    ARRAY_PARTS,
    ARRAYS,
    BITS,
    CONDITIONAL,
    CONVERSIONS,
    LOGIC,
    LOOPS,
    OBJECTS,
    PATTERNS,
    PERCENTILES,
    ROUNDING,
    SETS,
    SUBSTRINGS,
    TEXTS,
    TRIGONOMETRY,
  ].flatMap((group) => Object.entries(group)),
)

/**
 * MongoDB's operators of expressions that are not supported here: they need dates, identifiers,
 * decimals, binary data, chance, JavaScript, or an index's or a cluster's data.
 */
export const UNSUPPORTED_EXPRESSION_OPERATORS: ReadonlySet<string> = new Set([
  '$accumulator',
  '$dateAdd',
  '$dateDiff',
  '$dateFromParts',
  '$dateFromString',
  '$dateSubtract',
  '$dateToParts',
  '$dateToString',
  '$dateTrunc',
  '$dayOfMonth',
  '$dayOfWeek',
  '$dayOfYear',
  '$function',
  '$hour',
  '$isoDayOfWeek',
  '$isoWeek',
  '$isoWeekYear',
  '$meta',
  '$millisecond',
  '$minute',
  '$month',
  '$rand',
  '$second',
  '$toDate',
  '$toDecimal',
  '$toHashedIndexKey',
  '$toObjectId',
  '$toUUID',
  '$tsIncrement',
  '$tsSecond',
  '$week',
  '$year',
])
