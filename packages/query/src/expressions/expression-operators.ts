import { ACCUMULATORS } from './operators/accumulators.js'
import { ARRAYS } from './operators/arrays.js'
import { CONVERSIONS } from './operators/convert.js'
import { LOGIC } from './operators/logic.js'
import { LOOPS } from './operators/loops.js'
import { NUMBERS } from './operators/numbers.js'
import { OBJECTS } from './operators/objects.js'
import { PATTERNS } from './operators/patterns.js'
import { ROUNDING } from './operators/rounding.js'
import { SETS } from './operators/sets.js'
import { TEXTS } from './operators/texts.js'
import type { ParseOperator } from './parse-context.js'

export const EXPRESSION_OPERATORS: ReadonlyMap<string, ParseOperator> = new Map(
  Object.entries({
    ...ACCUMULATORS,
    ...ARRAYS,
    ...CONVERSIONS,
    ...LOGIC,
    ...LOOPS,
    ...NUMBERS,
    ...OBJECTS,
    ...PATTERNS,
    ...ROUNDING,
    ...SETS,
    ...TEXTS,
  }),
)

/** MongoDB's operators of expressions that are not supported, by what they need. */
export const UNSUPPORTED_EXPRESSION_OPERATORS: ReadonlySet<string> = new Set(
  [
    // Dates and timestamps
    '$dateAdd $dateDiff $dateFromParts $dateFromString $dateSubtract $dateToParts $dateToString',
    '$dateTrunc $dayOfMonth $dayOfWeek $dayOfYear $hour $isoDayOfWeek $isoWeek $isoWeekYear',
    '$millisecond $minute $month $second $toDate $tsIncrement $tsSecond $week $year',
    // Identifiers, decimals and binary data
    '$toDecimal $toObjectId $toUUID',
    // Random numbers, JavaScript, and the data of an index or a cluster
    '$accumulator $function $meta $rand $toHashedIndexKey',
  ].flatMap((names) => names.split(' ')),
)
