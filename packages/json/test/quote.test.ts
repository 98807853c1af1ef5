import t from 'tap'

import { quote } from '../src/quote.js'

t.test('a value is quoted as JSON, or named', async (t) => {
  const circle: unknown[] = []
  circle.push(circle)
  const cases: [value: unknown, text: string][] = [
    ['a "b"', '"a \\"b\\""'],
    [{ a: [1, null] }, '{"a":[1,null]}'],
    [Object.create(null), '{}'],
    [undefined, 'undefined'],
    [Number.NaN, 'NaN'],
    [-Infinity, '-Infinity'],
    [5n, '5n'],
    [() => 5, 'a function'],
    [/^Si/i, '/^Si/i'],
    [new Map(), 'an instance of Map'],
    [Object.create(Object.create(Object.create(null))), 'an instance of a class without a name'],
    [circle, 'an array'],
    [{ n: 5n }, 'an object'],
    ['x'.repeat(58), `"${'x'.repeat(58)}"`],
    ['x'.repeat(59), `"${'x'.repeat(59)}…`],
  ]
  for (const [value, text] of cases) t.equal(quote(value), text)
})
