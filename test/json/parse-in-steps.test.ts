import fc from 'fast-check'
import t from 'tap'

import type { JsonRules } from '../../src/json/find-violation.js'
import { InputPath } from '../../src/json/input-path.js'
import type { Json } from '../../src/json/json.js'
import { parseJsonInSteps } from '../../src/json/parse-in-steps.js'
import { parseStrictJson } from '../../src/json/strict-json.js'

const PATH = new InputPath('body')
const RULES: JsonRules = {
  maxDepth: 5,
  checkKey: (key) => (key === '__proto__' ? 'must not have "__proto__" in a key' : undefined),
}

/** Returns the value, and the number of steps. */
function parse(text: string): { value: Json; steps: number } {
  const parsing = parseJsonInSteps(text, PATH, RULES)
  for (let steps = 1; ; steps += 1) {
    const step = parsing.next()
    if (step.done === true) return { value: step.value, steps }
  }
}

/** Returns what a parser makes of a text: its value as JSON, or that it refuses it. */
function describe(run: () => Json): string {
  try {
    const value = run()
    return JSON.stringify([value, Object.is(value, -0)])
  } catch {
    return 'refused'
  }
}

t.test('a text is parsed as in one step, or refused as well', async (t) => {
  const changed = fc
    .tuple(
      fc.json({ maxDepth: 6 }),
      fc.nat(),
      fc.constantFrom(
        '',
        '"',
        '\\',
        ',',
        '}',
        ']',
        '0',
        '-',
        ' ',
        '\n',
        'e',
        '.',
        ':',
        '{',
        '\u0001',
        'null',
      ),
    )
    .map(([text, at, inserted]) => {
      const index = at % (text.length + 1)
      return text.slice(0, index) + inserted + text.slice(index + (at % 2))
    })
  fc.assert(
    fc.property(fc.oneof(fc.json({ maxDepth: 6 }), changed), (text) => {
      const expected = describe(() => parseStrictJson(text, PATH, RULES))
      t.equal(
        describe(() => parse(text).value),
        expected,
        text,
      )
    }),
    { numRuns: 1000 },
  )
})

t.test('a text that is not JSON is refused with its place', async (t) => {
  const cases: [text: string, message: string][] = [
    ['', 'is not JSON: line 1, column 1: a value is expected'],
    ['[1,\n 2,]', 'is not JSON: line 2, column 4: a value is expected'],
    ['[1 2]', 'is not JSON: line 1, column 4: a comma is expected'],
    ['[01]', 'is not JSON: line 1, column 3: a comma is expected'],
    ['{"a" 1}', 'is not JSON: line 1, column 6: a colon is expected'],
    ['{a: 1}', 'is not JSON: line 1, column 2: a key in double quotes is expected'],
    ['{"a": 1,}', 'is not JSON: line 1, column 9: a key in double quotes is expected'],
    ['{"a": "b', 'is not JSON: line 1, column 7: a string does not end on its line'],
    [
      '["\\x"]',
      'is not JSON: line 1, column 2: a string with a character or an escape that JSON does not have',
    ],
    ['{} {}', 'is not JSON: line 1, column 4: the end is expected'],
    ['[{"a": {"b": 1, "b": 2}}]', '[0].a has the key "b" twice; name it once'],
    ['{"a": [1, {"__proto__": 1}]}', '.a[1] must not have "__proto__" in a key'],
    ['{"a": [1e400]}', '.a[0] must be a number that a double can hold, below 1.8e308'],
    ['[[[[[[]]]]]]', 'must have at most 5 levels of JSON'],
  ]
  for (const [text, message] of cases) {
    const expected =
      message.startsWith('[') || message.startsWith('.') ? `body${message}` : `body ${message}`
    t.throws(() => parse(text), { message: expected })
  }
})

t.test('a step parses a thousand values', async (t) => {
  const numbers = Array.from({ length: 100_000 }, (_, index) => index)
  t.same(parse(JSON.stringify(numbers)), { value: numbers, steps: 100 })
  const object = Object.fromEntries(numbers.map((number) => [`k${number}`, [number]]))
  t.equal(parse(JSON.stringify(object)).steps, 100)
  t.equal(parse(JSON.stringify(['x'.repeat(1_000_000), 1, 2])).steps, 2)
})

t.test('__proto__ is a key as any other, unless the rules refuse it', async (t) => {
  const text = '{"a": {"__proto__": {"b": 1}, "c": 2}}'
  const parsing = parseJsonInSteps(text, PATH, { maxDepth: 5 })
  const { value } = parsing.next() as { readonly value: Json }
  t.equal(JSON.stringify(value), JSON.stringify(JSON.parse(text)))
  t.equal(({} as Record<string, unknown>).b, undefined)
})
