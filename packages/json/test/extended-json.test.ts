import { Decimal128, Double, EJSON, Int32, Long, ObjectId } from 'bson'
import fc from 'fast-check'
import t from 'tap'

import { runToEnd } from '@materials-mock/work'
import { convertExtendedJson as convertInSteps } from '../src/extended-json.js'
import type { Json } from '../src/json.js'

const convertExtendedJson = (value: Json) => runToEnd(convertInSteps(value))

t.test('values of Extended JSON become those of JSON', (t) => {
  const cases: [extended: Json, plain: Json][] = [
    [{ $oid: '5f1b2c3d4e5f6a7b8c9d0e1f' }, '5f1b2c3d4e5f6a7b8c9d0e1f'],
    [{ $date: '2020-01-02T03:04:05Z' }, '2020-01-02T03:04:05.000Z'],
    [{ $date: '2020-01-02T03:04:05.678+0100' }, '2020-01-02T02:04:05.678Z'],
    [{ $date: { $numberLong: '-1' } }, '1969-12-31T23:59:59.999Z'],
    [{ $date: 1577934245000 }, '2020-01-02T03:04:05.000Z'],
    [{ $numberInt: '-5' }, -5],
    [{ $numberLong: '9007199254740991' }, Number.MAX_SAFE_INTEGER],
    [{ $numberDouble: '1.5E-3' }, 0.0015],
    [{ $numberDecimal: '1.10' }, 1.1],
    [
      { a: [{ b: { $numberInt: '1' } }, 'x'], $set: 1 },
      { a: [{ b: 1 }, 'x'], $set: 1 },
    ],
    [
      { ref: { $ref: 'materials', $id: { $oid: '5f1b2c3d4e5f6a7b8c9d0e1f' } } },
      { ref: { $ref: 'materials', $id: '5f1b2c3d4e5f6a7b8c9d0e1f' } },
    ],
  ]
  for (const [extended, plain] of cases)
    t.strictSame(convertExtendedJson(extended).value, plain, JSON.stringify(extended))
  const counted = { a: { $date: { $numberLong: '0' } }, b: [{ $numberInt: '1' }, 2] }
  t.equal(convertExtendedJson(counted).count, 2)
  const plain: Json = { query: { formula: { $in: ['Si'] } }, list: [{}] }
  t.equal(convertExtendedJson(plain).value, plain, 'what has nothing to convert is the same object')
  t.end()
})

t.test('what JSON can not hold, and what only looks alike, is an error with its path', (t) => {
  const cases: [value: Json, message: string][] = [
    [{ $binary: { base64: '', subType: '00' } }, "is MongoDB's $binary, which JSON can't hold"],
    [{ $timestamp: { t: 1, i: 1 } }, "is MongoDB's $timestamp, which JSON can't hold"],
    [{ $regularExpression: { pattern: 'a', options: '' } }, "is MongoDB's $regularExpression"],
    [{ $minKey: 1 }, "is MongoDB's $minKey, which JSON can't hold"],
    [
      { $numberLong: '9007199254740993' },
      'must have the text of an integer up to 2^53 as $numberLong, not "9007199254740993"',
    ],
    [{ $numberDouble: 'NaN' }, 'must have the text of a finite number as $numberDouble, not "NaN"'],
    [{ $numberDecimal: '1E400' }, 'must have the text of a finite number as $numberDecimal'],
    [{ $numberInt: 5 }, 'must have the text of an integer as $numberInt, not 5'],
    [{ $oid: 'xyz' }, 'must have 24 hexadecimal digits as $oid, not "xyz"'],
    [{ $date: 'soon' }, 'must have a time in ISO 8601 or in ms as $date, not "soon"'],
    [
      { $date: '2020-02-30T00:00:00Z' },
      'must have a time in ISO 8601 or in ms as $date, not "2020-02-30T00:00:00Z"',
    ],
    [{ $date: '2020-13-01T00:00:00Z' }, 'must have a time in ISO 8601 or in ms as $date'],
    [
      { $date: 0, more: 1 },
      'must have a time in ISO 8601 or in ms as $date, and no other key, such as "more"',
    ],
    [
      { more: 1, $oid: '5f1b2c3d4e5f6a7b8c9d0e1f' },
      'must have 24 hexadecimal digits as $oid, and no other key',
    ],
  ]
  for (const [value, message] of cases) {
    try {
      convertExtendedJson({ a: [1, { b: value }] })
      t.fail(JSON.stringify(value))
    } catch (error) {
      t.match(error, { keys: ['a', 1, 'b'] })
      t.equal((error as Error).message.slice(0, message.length), message)
    }
  }
  t.end()
})

t.test('random documents are read as the bson package reads them', (t) => {
  const date = fc.date({ min: new Date(-8e13), max: new Date(2.5e14), noInvalidDate: true })
  const leaf = fc.oneof(
    fc.string(),
    fc.boolean(),
    fc.constant(null),
    date,
    fc.integer().map((value) => new Int32(value | 0)),
    fc.maxSafeInteger().map((value) => Long.fromNumber(value)),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => new Double(value)),
    fc
      .double({ noNaN: true, noDefaultInfinity: true })
      .map((value) => Decimal128.fromString(String(value))),
    fc.uint8Array({ minLength: 12, maxLength: 12 }).map((bytes) => new ObjectId(bytes)),
  )
  const { document } = fc.letrec((tie) => ({
    document: fc.dictionary(
      fc.string().filter((key) => key !== '__proto__' && !key.startsWith('$')),
      tie('value'),
      { maxKeys: 5 },
    ),
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      leaf,
      tie('document'),
      fc.array(tie('value'), { maxLength: 4 }),
    ),
  }))
  fc.assert(
    fc.property(document, fc.boolean(), (value, relaxed) => {
      const text = EJSON.stringify(value as object, { relaxed })
      const read = convertExtendedJson(JSON.parse(text) as Json).value
      return JSON.stringify(read) === JSON.stringify(toPlain(EJSON.parse(text, { relaxed: false })))
    }),
  )
  t.pass('no counterexample')
  t.end()
})

/** Returns a value of the bson package as JSON has it. */
function toPlain(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString()
  if (value instanceof ObjectId) return value.toHexString()
  if (value instanceof Int32 || value instanceof Double) return Number(value.value)
  if (value instanceof Long) return value.toNumber()
  if (value instanceof Decimal128) return Number(value.toString())
  if (Array.isArray(value)) return value.map(toPlain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, toPlain(part)]))
}
