/* oxlint-disable unicorn/no-thenable -- `then` is an argument of $switch */
import fc from 'fast-check'
import t from 'tap'

import { CatalogueError } from '@materials-mock/json'
import type { Json, JsonObject } from '@materials-mock/json'
import { compileFields } from '../../src/projection/compile-fields.js'
import { compileSelector } from '../../src/selector/compile-selector.js'
import { anyItem, anyValue } from '../arbitraries.js'
import { toPlain } from './reference-values.js'
import { evaluate } from './reference.js'
import { compileExpression } from './run-expression.js'

const OPTIONS = { numRuns: 15_000 }

const ONE =
  '$not $type $isNumber $isArray $size $sum $max $min $mergeObjects $strLenCP $toUpper $abs'
const ONE_MORE =
  '$acos $acosh $asin $asinh $atan $atanh $cos $cosh $sin $sinh $tan $tanh $degreesToRadians ' +
  '$radiansToDegrees $exp $ln $log10 $sqrt $ceil $floor $round $trunc $bitNot $avg $stdDevPop ' +
  '$stdDevSamp $toLower $strLenBytes $binarySize $bsonSize $arrayToObject $toDouble $toLong ' +
  '$first $last $reverseArray $objectToArray $toBool $toString $toInt $allElementsTrue $anyElementTrue'
const TWO =
  '$eq $ne $gt $gte $lt $lte $cmp $in $subtract $divide $arrayElemAt $indexOfArray $slice ' +
  '$setDifference $setEquals $setIsSubset $split $range $mod $pow $log $atan2 $strcasecmp ' +
  '$round $trunc $indexOfBytes $indexOfCP'
const THREE = '$slice $substr $substrBytes $substrCP $indexOfBytes $indexOfCP $range'
const MANY =
  '$bitAnd $bitOr $bitXor $avg $stdDevPop $add $multiply $concat $concatArrays $setUnion $setIntersection $and $or $sum $max $min'

const anyLeaf = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom<Json>('$a', '$b', '$a.b', '$b.a', '$a.a.b', '$nothing') },
  { weight: 1, arbitrary: fc.constantFrom<Json>('$$ROOT', '$$CURRENT.a', '$$REMOVE') },
  {
    weight: 3,
    arbitrary: fc.constantFrom<Json>(0, 1, 2, -1, 0.5, 2147483647, 'x', 'xy', '', true, null),
  },
  { weight: 1, arbitrary: anyValue.map((value): Json => ({ $literal: value })) },
)

const toOperator = ([name, operand]: readonly [string, Json]): Json => ({ [name]: operand })
const anyOf = (names: string): fc.Arbitrary<string> => fc.constantFrom(...names.split(' '))

const ANY_TYPE = fc.constantFrom<Json>('int', 'long', 'double', 'string', 'bool', 'object')
const ANY_REGEX = fc.constantFrom<Json>('x', 'X*', '(x)|y', '^.', '(x?)(y)', '', '$a', null)
const ANY_DIRECTION = fc.constantFrom<Json>(1, -1)
const ANY_FIELD = fc.constantFrom<Json>('a', 'b', '0', 'c')

/** An object of operands, of which some can be left out. */
const named = (
  name: string,
  required: Readonly<Record<string, fc.Arbitrary<Json>>>,
  optional: Readonly<Record<string, fc.Arbitrary<Json>>> = {},
): fc.Arbitrary<Json> =>
  fc
    .record({ ...required, ...optional }, { requiredKeys: Object.keys(required) })
    .map((operands): Json => ({ [name]: { ...operands } as JsonObject }))

/** Any operator whose operands have names. */
const anyNamed = (any: fc.Arbitrary<Json>): fc.Arbitrary<Json> => {
  const each = (
    names: string,
    ...rest: [Parameters<typeof named>[1], Parameters<typeof named>[2]?]
  ) => names.split(' ').map((name) => named(name, ...rest))
  const sortBy = fc.oneof(
    ANY_DIRECTION,
    fc.record(
      { a: ANY_DIRECTION, 'b.a': ANY_DIRECTION },
      { requiredKeys: ['a'] },
    ) as fc.Arbitrary<Json>,
  )
  const branch = fc.record({ case: any, then: any })
  const branches = fc.array(branch, { minLength: 1, maxLength: 2 }) as fc.Arbitrary<Json>
  const inputs = fc.array(any, { minLength: 1, maxLength: 2 }) as fc.Arbitrary<Json>
  const fractions = fc.array(fc.constantFrom(0, 0.25, 0.5, 1), { minLength: 1, maxLength: 2 })
  const method = fc.constant<Json>('approximate')
  return fc.oneof(
    ...each('$trim $ltrim $rtrim', { input: any }, { chars: any }),
    ...each('$replaceOne $replaceAll', { input: any, find: any, replacement: any }),
    ...each(
      '$regexMatch $regexFind $regexFindAll',
      { input: any, regex: ANY_REGEX },
      { options: fc.constantFrom<Json>('i', '', null) },
    ),
    ...each('$firstN $lastN $maxN $minN', { n: fc.constantFrom<Json>(1, 2, '$a'), input: any }),
    named('$sortArray', { input: any, sortBy }),
    named('$zip', { inputs }, { useLongestLength: fc.constantFrom<Json>(true, false) }),
    named('$median', { input: any, method }),
    named('$percentile', { input: any, p: fractions as fc.Arbitrary<Json>, method }),
    named('$getField', { field: ANY_FIELD, input: any }),
    named('$setField', { field: ANY_FIELD, input: any, value: any }),
    named('$unsetField', { field: ANY_FIELD, input: any }),
    named('$convert', { input: any, to: ANY_TYPE }, { onError: any, onNull: any }),
    named('$switch', { branches }, { default: any }),
  )
}

/** Any expression of the operators that the reference implements, with operands of any types. */
const anyExpression: fc.Arbitrary<Json> = fc.letrec<{ any: Json }>((tie) => {
  const any = tie('any')
  const inner = fc.oneof(any, fc.constantFrom<Json>('$$this', '$$this.a', '$$value'))
  const loop = (name: string, body: Record<string, fc.Arbitrary<Json>>): fc.Arbitrary<Json> =>
    fc.record({ input: any, ...body }).map((operands): Json => ({ [name]: operands }))
  const withoutValue = inner.filter((each) => !JSON.stringify(each).includes('$$value'))
  return {
    any: fc.oneof(
      { maxDepth: 3, depthSize: 'small', withCrossShrink: true },
      { weight: 5, arbitrary: anyLeaf },
      {
        weight: 3,
        arbitrary: fc
          .tuple(
            anyOf(`${ONE} ${ONE_MORE}`),
            any.map((each): Json => [each]),
          )
          .map(toOperator),
      },
      { weight: 4, arbitrary: fc.tuple(anyOf(TWO), fc.tuple(any, any)).map(toOperator) },
      {
        weight: 3,
        arbitrary: fc.tuple(anyOf(MANY), fc.array(any, { maxLength: 3 })).map(toOperator),
      },
      {
        weight: 1,
        arbitrary: fc.tuple(any, any, any).map((operands): Json => ({ $cond: operands })),
      },
      {
        weight: 1,
        arbitrary: fc
          .array(any, { minLength: 2, maxLength: 3 })
          .map((operands): Json => ({ $ifNull: operands })),
      },
      {
        weight: 1,
        arbitrary: fc.tuple(anyOf(THREE), fc.tuple(any, any, any)).map(toOperator),
      },
      { weight: 5, arbitrary: anyNamed(any) },
      { weight: 1, arbitrary: fc.array(any, { maxLength: 3 }) },
      {
        weight: 1,
        arbitrary: fc.record(
          { a: any, b: any },
          { requiredKeys: [], noNullPrototype: true },
        ) as fc.Arbitrary<Json>,
      },
      { weight: 1, arbitrary: loop('$map', { in: withoutValue }) },
      { weight: 1, arbitrary: loop('$filter', { cond: withoutValue }) },
      { weight: 1, arbitrary: loop('$reduce', { initialValue: any, in: inner }) },
      {
        weight: 1,
        arbitrary: fc
          .tuple(any, any)
          .map(([x, body]): Json => ({ $let: { vars: { x }, in: [body, '$$x'] } })),
      },
    ),
  }
}).any

const ERROR = Symbol('error')

/** Returns the result as JSON text, or ERROR; NaN and Infinity are errors of the engine. */
function run(compute: () => Json | undefined): string | undefined | typeof ERROR {
  try {
    const result = compute()
    return hasSpecialNumber(result) ? ERROR : JSON.stringify(result)
  } catch (error) {
    if (error instanceof ReferenceError || error instanceof CatalogueError) return ERROR
    throw error
  }
}

const hasSpecialNumber = (value: Json | undefined): boolean =>
  typeof value === 'number'
    ? !Number.isFinite(value)
    : typeof value === 'object' && value !== null && Object.values(value).some(hasSpecialNumber)

/** The operators whose constant operands MongoDB evaluates first, or last. */
const REORDERS = /"\$(and|or|bitAnd|bitOr|bitXor|setUnion|setIntersection|sum|max|min)"/

t.test('expressions have the results of the reference', async (t) => {
  let compared = 0
  fc.assert(
    fc.property(anyExpression, anyItem, (expression, item) => {
      fc.pre(isClosed(expression))
      const expected = run(() => toPlain(evaluate(expression, item)))
      let evaluateItem: (item: JsonObject) => Json | undefined
      try {
        evaluateItem = compileExpression(expression)
      } catch (error) {
        // A constant part has an error, which this item may not meet.
        return error instanceof CatalogueError
      }
      const result = run(() => evaluateItem(item))
      // MongoDB may evaluate a constant operand of these first, or last.
      const isError = result === ERROR || expected === ERROR
      if (isError && result !== expected) return REORDERS.test(JSON.stringify(expression))
      compared += isError ? 0 : 1
      return result === expected
    }),
    OPTIONS,
  )
  t.ok(compared > 0, `${compared} results`)
})

/** Whether variables of loops occur in their loops only. */
function isClosed(expression: Json, variables: readonly string[] = []): boolean {
  if (typeof expression === 'string') {
    const name = /^\$\$(this|value)/.exec(expression)?.[1]
    return name === undefined || variables.includes(name)
  }
  if (typeof expression !== 'object' || expression === null) return true
  return Object.entries(expression).every(([key, operand]) => {
    if (key === '$literal') return true
    const defined =
      key === '$reduce' ? ['this', 'value'] : key === '$map' || key === '$filter' ? ['this'] : []
    if (defined.length === 0) return isClosed(operand, variables)
    return Object.entries(operand as JsonObject).every(([name, each]) =>
      isClosed(each, name === 'in' || name === 'cond' ? [...variables, ...defined] : variables),
    )
  })
}

t.test('a constant expression is refused at parse time if the reference fails on it', async () => {
  fc.assert(
    fc.property(anyExpression, (expression) => {
      fc.pre(isConstant(expression))
      const isError = run(() => (evaluate(expression, {}), true)) === ERROR
      const isRefused = run(() => (compileExpression(expression), true)) === ERROR
      return isRefused || !isError
    }),
    { ...OPTIONS, numRuns: 5000 },
  )
})

const LATER: ReadonlySet<string> = new Set(
  (
    '$map $filter $reduce $let $firstN $lastN $maxN $minN $sortArray $zip $regexMatch $regexFind ' +
    '$regexFindAll $replaceOne $replaceAll $getField $setField $unsetField $setEquals'
  ).split(' '),
)

/** Whether an expression has neither paths nor variables, nor operators that MongoDB evaluates later. */
const isConstant = (expression: Json): boolean =>
  typeof expression === 'string'
    ? !expression.startsWith('$')
    : typeof expression !== 'object' ||
      expression === null ||
      Object.entries(expression).every(
        ([key, each]) => key === '$literal' || (!LATER.has(key) && isConstant(each)),
      )

t.test('$expr matches the items for which a computed field is true', async () => {
  fc.assert(
    fc.property(anyExpression, anyItem, (expression, item) => {
      fc.pre(isClosed(expression))
      const field: Json = { $cond: [expression, true, false] }
      const matches = run(() => compileSelector({ $expr: expression }).matches(item))
      const computed = run(() => compileFields({ x: field })(item).x)
      return matches === computed
    }),
    { ...OPTIONS, numRuns: 5000 },
  )
})

t.test(
  'a comparison of a field without arrays is the same in $expr, but for missing and types',
  async () => {
    const anyNumber = fc.integer({ min: -2, max: 2 })
    fc.assert(
      fc.property(
        anyNumber,
        anyNumber,
        fc.constantFrom('$eq', '$gt', '$lt', '$gte', '$lte'),
        (a, b, name) => {
          const inExpression = compileSelector({ $expr: { [name]: ['$a', b] } }).matches({ a })
          return inExpression === compileSelector({ a: { [name]: b } }).matches({ a })
        },
      ),
      { ...OPTIONS, numRuns: 500 },
    )
  },
)

const KEYS =
  '$add $cond if then else $map input in as $switch branches case $regexFind regex options $round $zip inputs ' +
  '$convert to $literal $getField field $sortArray sortBy $let vars $range $substrCP $arrayToObject a b $ $foo'
const anyScalar = fc.constantFrom<Json>(
  null,
  true,
  0,
  1,
  -1,
  0.5,
  1e300,
  'x',
  '',
  '$a',
  '$a..b',
  '$$this',
  '$$ROOT',
  '(',
  'int',
  '(a|b)*',
)

/** Any JSON that resembles an expression. Most of it is malformed. */
const anyMalformed: fc.Arbitrary<Json> = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4 },
    anyScalar,
    fc.array(tie('json'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...KEYS.split(' ')), tie('json'), {
      maxKeys: 3,
      noNullPrototype: true,
    }),
  ),
})).json

t.test('any input has a result or is a client error, and does not change the item', async () => {
  fc.assert(
    fc.property(anyMalformed, anyItem, (expression, item) => {
      const before = JSON.stringify(item)
      run(() => compileSelector({ $expr: expression }).matches(item))
      run(() => compileFields({ x: expression, 'a.b': expression })(item))
      return JSON.stringify(item) === before
    }),
    OPTIONS,
  )
})
