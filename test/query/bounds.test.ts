import t from 'tap'

import {
  MAX_BYTES,
  MAX_DEPTH,
  MAX_ENTRIES,
  MAX_PATTERN,
  parseJsonParameter,
} from '../../src/query/bounds.js'
import { compileSelector } from '../../src/query/selector.js'

t.test('a parameter is parsed', async (t) => {
  t.strictSame(parseJsonParameter('query', ' {"a": [1, {"b": null}]} '), { a: [1, { b: null }] })
  t.strictSame(parseJsonParameter('query', '{"a":"{\\"a\\":1}","b":{"a":2}}'), {
    a: '{"a":1}',
    b: { a: 2 },
  })
})

const refused: readonly (readonly [text: string, code: string, message: string])[] = [
  ['', 'QUERY_INVALID', 'query must be a JSON object, not empty'],
  ['  ', 'QUERY_INVALID', 'query must be a JSON object, not empty'],
  ['{"a":', 'QUERY_INVALID', 'query must be JSON, but ends too early'],
  ['{"a":}', 'QUERY_INVALID', 'query must be JSON, but has "}" at character 5'],
  ["{'a':1}", 'QUERY_INVALID', 'query must be JSON, but has "\'a\':1}" at character 1'],
  ['{"a":1,}', 'QUERY_INVALID', 'query must be JSON, but has "}" at character 7'],
  ['{"a":01}', 'QUERY_INVALID', 'query must be JSON, but has "1}" at character 6'],
  ['{"a":"\\x"}', 'QUERY_INVALID', 'query must be JSON, but has "\\"\\\\x\\"}" at character 5'],
  ['{"a":1} x', 'QUERY_INVALID', 'query must be JSON, but has "x" at character 8'],
  ['{"a":NaN}', 'QUERY_INVALID', 'query must be JSON, but has "NaN}" at character 5'],
  ['[{"a":1}]', 'QUERY_INVALID', 'query must be a JSON object, not [{"a":1}]'],
  ['null', 'QUERY_INVALID', 'query must be a JSON object, not null'],
  ['"a"', 'QUERY_INVALID', 'query must be a JSON object, not "a"'],
  ['{"a":1,"a":2}', 'QUERY_INVALID', 'query has the key "a" twice; name it once'],
  ['{"a":1,"\\u0061":2}', 'QUERY_INVALID', 'query has the key "a" twice; name it once'],
  ['{"$or":[{"b":1,"b":2}]}', 'QUERY_INVALID', 'query.$or[0] has the key "b" twice; name it once'],
  ['{"a":{"$gt":1e999}}', 'QUERY_INVALID', 'query.a.$gt must be a number that a double can hold, below 1.8e308'],
  ['{"__proto__":1}', 'QUERY_INVALID', 'query must not name "__proto__" in a key'],
  ['{"a.__proto__.b":1}', 'QUERY_INVALID', 'query must not name "__proto__" in a key'],
  ['{"a":{"constructor":1}}', 'QUERY_INVALID', 'query.a must not name "constructor" in a key'],
  ['{"prototype.x":1}', 'QUERY_INVALID', 'query must not name "prototype" in a key'],
  [`{"a":"${'é'.repeat(MAX_BYTES / 2)}"}`, 'BOUND_EXCEEDED', 'query must have at most 32768 bytes of JSON, not 32776'],
  [`${'{"a":'.repeat(51)}1${'}'.repeat(51)}`, 'BOUND_EXCEEDED', 'query must have at most 50 levels of JSON'],
  ['['.repeat(16_000), 'BOUND_EXCEEDED', 'query must have at most 50 levels of JSON'],
  [`{"a":{"$in":[${'1,'.repeat(1000)}1]}}`, 'BOUND_EXCEEDED', 'query.a.$in must have at most 1000 entries, not 1001'],
] // prettier-ignore

t.test('what is no JSON object, or not unambiguous, or too large, is refused', async (t) => {
  for (const [text, code, message] of refused) {
    t.throws(
      () => parseJsonParameter('query', text),
      { code, message, statusCode: 400 },
      text.slice(0, 40),
    )
  }
  t.throws(() => parseJsonParameter('projection', '{'), { code: 'PROJECTION_INVALID' })
})

t.test('what is as large as the bounds is taken', async (t) => {
  const nested = `${'{"a":'.repeat(MAX_DEPTH)}1${'}'.repeat(MAX_DEPTH)}`
  const list = `{"a":{"$in":[${'1,'.repeat(MAX_ENTRIES - 1)}1]}}`
  const long = `{"a":"${'x'.repeat(MAX_BYTES - 8)}"}`
  for (const text of [nested, list, long]) {
    t.strictSame(parseJsonParameter('query', text), JSON.parse(text), text.slice(0, 40))
  }
})

const compile = (pattern: string): unknown => compileSelector({ a: { $regex: pattern } })

t.test('a pattern has at most 1,000 characters and 8 sets of Unicode', async (t) => {
  t.ok(compile('x'.repeat(MAX_PATTERN)))
  t.throws(() => compile('x'.repeat(MAX_PATTERN + 1)), {
    code: 'BOUND_EXCEEDED',
    message: 'query.a.$regex must have at most 1000 characters, not 1001',
  })
  t.ok(compile('\\pL'.repeat(8)))
  t.throws(() => compile('\\pL'.repeat(9)), {
    code: 'QUERY_INVALID',
    message: /has 9 sets of Unicode, and may have 8/,
  })
})
