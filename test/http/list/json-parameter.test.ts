import t from 'tap'

import type { JsonObject } from '@materials-mock/json'
import {
  MAX_BYTES,
  MAX_DEPTH,
  MAX_ENTRIES,
  MAX_PATTERN,
  compileSelector,
} from '@materials-mock/query'
import { parseParameter } from '../../../src/http/list/json-parameter.js'

t.test('a parameter is parsed to an object', async (t) => {
  t.strictSame(parseParameter('query', ' {"a": [1, {"b": null}]} '), { a: [1, { b: null }] })
  t.strictSame(parseParameter('query', '{"a":"{\\"a\\":1}","b":{"a":2}}'), {
    a: '{"a":1}',
    b: { a: 2 },
  })
})

const INVALID: readonly (readonly [text: string, code: string, message: string])[] = [
  ['', 'QUERY_INVALID', 'query is not JSON: line 1, column 1: a value is expected'],
  ['  ', 'QUERY_INVALID', 'query is not JSON: line 1, column 3: a value is expected'],
  ['{"a":', 'QUERY_INVALID', 'query is not JSON: line 1, column 6: a value is expected'],
  ['{"a":}', 'QUERY_INVALID', 'query is not JSON: line 1, column 6: a value is expected'],
  ["{'a':1}", 'QUERY_INVALID', 'query is not JSON: line 1, column 2: a symbol that JSON does not have'],
  ['{"a":1,}', 'QUERY_INVALID', 'query is not JSON: line 1, column 8: a key in double quotes is expected'],
  ['{"a":01}', 'QUERY_INVALID', 'query is not JSON: line 1, column 7: a comma is expected'],
  ['{"a":"\\x"}', 'QUERY_INVALID', 'query is not JSON: line 1, column 6: a string has an escape that JSON does not have'],
  ['{"a":1} x', 'QUERY_INVALID', 'query is not JSON: line 1, column 9: a symbol that JSON does not have'],
  ['{"a":NaN}', 'QUERY_INVALID', 'query is not JSON: line 1, column 6: a symbol that JSON does not have'],
  ['%7B%ff', 'QUERY_INVALID', 'query is not JSON: line 1, column 1: a symbol that JSON does not have; it is percent-encoded twice, or not in UTF-8; send JSON: query=%7B%22formula%22%3A%22Si%22%7D, which is query={"formula":"Si"} encoded'],
  ['[{"a":1}]', 'QUERY_INVALID', 'query must be a JSON object, not [{"a":1}]'],
  ['null', 'QUERY_INVALID', 'query must be a JSON object, not null'],
  ['"a"', 'QUERY_INVALID', 'query must be a JSON object, not "a"'],
  ['{"a":1,"a":2}', 'QUERY_INVALID', 'query has the key "a" twice; name it once'],
  ['{"a":1,"\\u0061":2}', 'QUERY_INVALID', 'query has the key "a" twice; name it once'],
  ['{"$or":[{"b":1,"b":2}]}', 'QUERY_INVALID', 'query.$or[0] has the key "b" twice; name it once'],
  ['{"a":{"$gt":1e999}}', 'QUERY_INVALID', 'query.a.$gt must be a number that a double can hold, below 1.8e308'],
  ['{"__proto__":1}', 'QUERY_INVALID', 'query must not have "__proto__" in a key'],
  ['{"a.__proto__.b":1}', 'QUERY_INVALID', 'query must not have "__proto__" in a key'],
  ['{"a":{"constructor":1}}', 'QUERY_INVALID', 'query.a must not have "constructor" in a key'],
  ['{"prototype.x":1}', 'QUERY_INVALID', 'query must not have "prototype" in a key'],
  [`{"a":"${'é'.repeat(MAX_BYTES / 2)}"}`, 'BOUND_EXCEEDED', 'query must have at most 32768 bytes of JSON, not 32776'],
  [`${'{"a":'.repeat(51)}1${'}'.repeat(51)}`, 'BOUND_EXCEEDED', 'query must have at most 50 levels of JSON'],
  ['['.repeat(16_000), 'QUERY_INVALID', 'query is not JSON: it can not be read as JSON'],
  [`{"a":{"$in":[${'1,'.repeat(1000)}1]}}`, 'BOUND_EXCEEDED', 'query.a.$in must have at most 1000 entries, not 1001'],
] // prettier-ignore

t.test(
  'a parameter that is not a JSON object, is ambiguous or is too large is an error',
  async (t) => {
    for (const [text, code, message] of INVALID)
      t.throws(() => parseParameter('query', text), { code, message }, text.slice(0, 40))
    t.throws(() => parseParameter('projection', '{'), { code: 'PROJECTION_INVALID' })
  },
)

t.test('a parameter at the limits is accepted', async (t) => {
  const nested = `${'{"a":'.repeat(MAX_DEPTH)}1${'}'.repeat(MAX_DEPTH)}`
  const array = `{"a":{"$in":[${'1,'.repeat(MAX_ENTRIES - 1)}1]}}`
  const long = `{"a":"${'x'.repeat(MAX_BYTES - 8)}"}`
  for (const text of [nested, array, long])
    t.strictSame(parseParameter('query', text), JSON.parse(text), text.slice(0, 40))
})

const compile = (pattern: string): unknown => compileSelector({ a: { $regex: pattern } })

t.test('a pattern has at most 1,000 characters and 8 Unicode sets', async (t) => {
  t.ok(compile('x'.repeat(MAX_PATTERN)))
  t.throws(() => compile('x'.repeat(MAX_PATTERN + 1)), {
    code: 'BOUND_EXCEEDED',
    message: 'query.a.$regex must have at most 1000 characters, not 1001',
  })
  t.ok(compile('\\pL'.repeat(8)))
  t.throws(() => compile('\\pL'.repeat(9)), {
    code: 'BOUND_EXCEEDED',
    message: /must have at most 8 Unicode sets, not 9/,
  })
})

/** A query with many patterns. */
const anyOf = (count: number, $regex: string): JsonObject => ({
  $or: Array.from({ length: count }, (_, n) => ({ [`f${n}`]: { $regex } })),
})

t.test('the patterns of a query have a bounded length and size together', async (t) => {
  t.throws(() => compileSelector(anyOf(20, 'a'.repeat(956))), {
    code: 'BOUND_EXCEEDED',
    message:
      'query.$or[4].f4.$regex must have at most 4000 characters of regular expressions together, not 4780',
  })
  t.throws(() => compileSelector(anyOf(40, '\\pL'.repeat(8))), {
    code: 'BOUND_EXCEEDED',
    message:
      /^query must have regular expressions with a compiled size of at most 4000 nodes together$/,
  })
  t.ok(compileSelector(anyOf(4, 'a'.repeat(956))))
})

t.test('Unicode properties count by their number', async (t) => {
  t.ok(compile(`[${'\\pL'.repeat(60)}]`))
  t.throws(() => compile(`[${'\\pL'.repeat(63)}]`), {
    code: 'BOUND_EXCEEDED',
    message: /compiled size of at most 2000 nodes/,
  })
})
