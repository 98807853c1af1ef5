import { isDeepStrictEqual } from 'node:util'

import fc from 'fast-check'
import t from 'tap'

import type { JsonRules } from '../src/find-violation.js'
import { InputPath } from '../src/input-path.js'
import type { Json } from '../src/json.js'
import { parseStrictJson, parseStrictJsonInParts } from '../src/strict-json.js'

const PATH = new InputPath('body')
const RULES: JsonRules = {
  maxDepth: 5,
  checkKey: (key) => (key === '__proto__' ? 'must not have "__proto__" in a key' : undefined),
}

/** Runs the parts of a parse to its end. */
function runToEnd(parsing: Generator<void, Json, void>): Json {
  for (;;) {
    const step = parsing.next()
    if (step.done === true) return step.value
  }
}

/** Returns what a parser returns, or the message of what it throws. */
function outcome(parse: () => unknown): unknown {
  try {
    return parse()
  } catch (error) {
    return (error as Error).message
  }
}

const PARSERS = [
  (text: string) => parseStrictJson(text, PATH, RULES),
  (text: string) => runToEnd(parseStrictJsonInParts(text, PATH, RULES)),
]

t.test('a text that is not strict JSON is refused with its place', async (t) => {
  const large = 'x'.repeat(100_000)
  const cases: [text: string, message: string][] = [
    ['', 'is not JSON: line 1, column 1: a value is expected'],
    ['[1,\n 2,]', 'is not JSON: line 2, column 4: a value is expected'],
    ['[1 2]', 'is not JSON: line 1, column 4: a comma is expected'],
    ['{"a" 1}', 'is not JSON: line 1, column 6: a colon is expected'],
    ['{a: 1}', 'is not JSON: line 1, column 2: a symbol that JSON does not have'],
    ['{} {}', 'is not JSON: line 1, column 4: the end is expected'],
    ['[1] [2]', 'is not JSON: line 1, column 5: the end is expected'],
    [
      `\u00A0[${'[],'.repeat(200_000)}[]]`,
      'is not JSON; the place is found only in up to 100000 characters',
    ],
    ['[{"a": {"b": 1, "b": 2}}]', '[0].a has the key "b" twice; name it once'],
    ['{"a": [1, {"__proto__": 1}]}', '.a[1] must not have "__proto__" in a key'],
    ['{"a": [1e400]}', '.a[0] must be a number that a double can hold, below 1.8e308'],
    ['[[[[[[]]]]]]', 'must have at most 5 levels of JSON'],
    [`${'['.repeat(300_000)}`, 'is not JSON; the place is found only in up to 100000 characters'],
    [`${'['.repeat(300_000)}${']'.repeat(300_000)}`, 'must have at most 5 levels of JSON'],
    [
      `{"a": "${large}", "a": 1}`,
      'has a key twice; the place is found only in up to 100000 characters',
    ],
  ]
  for (const [text, message] of cases) {
    const expected = /^[[.]/.test(message) ? `body${message}` : `body ${message}`
    for (const parse of PARSERS) t.throws(() => parse(text), { message: expected })
  }
})

t.test('__proto__ is a key as any other, unless the rules refuse it', async (t) => {
  const text = '{"a": {"__proto__": {"b": 1}, "c": 2}}'
  t.equal(JSON.stringify(parseStrictJson(text, PATH, { maxDepth: 5 })), text.replaceAll(' ', ''))
  t.equal(({} as Record<string, unknown>).b, undefined)
})

t.test('a text is parsed, checked and searched for a key twice in a part each', async (t) => {
  const parsing = parseStrictJsonInParts('{"a": 1}', PATH, RULES)
  const steps = [parsing.next(), parsing.next(), parsing.next()]
  t.same(
    steps.map(({ done }) => done),
    [false, false, true],
  )
})

t.test('a large array is parsed in parts, with the same result as in one', async (t) => {
  /** Long enough that an element fills a part, and full of what must not be taken for an end. */
  const filler = '"],[{\\\\'.repeat(10_000)
  const elements = fc.array(fc.oneof(fc.jsonValue(), fc.record({ filler: fc.constant(filler) })), {
    minLength: 6,
    maxLength: 20,
  })
  const change = fc.record({
    at: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    length: fc.constantFrom(0, 1),
    text: fc.constantFrom('', '', ',', ']', '[', '}', '{', '"', '\\', '0', '"a":1,"a":1'),
  })
  const rules = { ...RULES, maxDepth: 10 }
  fc.assert(
    fc.property(elements, fc.nat({ max: 2 }), change, (value, space, { at, length, text }) => {
      const json = JSON.stringify(value, null, space)
      const index = Math.floor(at * json.length)
      const changed = json.slice(0, index) + text + json.slice(index + length)
      return [json, changed].every((each) =>
        isDeepStrictEqual(
          outcome(() => runToEnd(parseStrictJsonInParts(each, PATH, rules))),
          outcome(() => parseStrictJson(each, PATH, rules)),
        ),
      )
    }),
    { numRuns: 100 },
  )
  const large = JSON.stringify(Array.from({ length: 10 }, () => ({ filler })))
  t.equal(
    [...parseStrictJsonInParts(large, PATH, rules)].length,
    15,
    'five parts, in three steps each',
  )
  const envelope = `{"status": "success", "data": ${large}}`
  const steps = [...parseStrictJsonInParts(envelope, PATH, rules)].length
  t.equal(steps, 17, 'the text takes two steps')
  t.same(
    parseStrictJson(envelope, PATH, rules),
    runToEnd(parseStrictJsonInParts(envelope, PATH, rules)),
  )
})

t.test('a long value is refused unless it is an array, or an object of arrays', async (t) => {
  const rules = { ...RULES, maxLength: 2 ** 21, maxKeys: 1000 }
  const parse = (text: string) => runToEnd(parseStrictJsonInParts(text, PATH, rules))
  const items = Array.from({ length: 200 }, (_, n) => ({ n, 'a,b"': [{}, 'x'.repeat(20_000)] }))
  const [list, long] = [JSON.stringify(items), JSON.stringify({ a: 'x'.repeat(2 ** 22) })]
  t.same(parse(` ${JSON.stringify(items, null, 1)}\n`), items)
  for (const value of [{ status: 'a, b', '': items, n: null, deep: { a: [1] } }])
    t.same(parse(` ${JSON.stringify(value, null, 1)} `), value)
  for (const wrong of [`{"a": ${list},}`, `{"a" ${list}}`, `{"a": ${list.slice(0, -1)}}`])
    t.throws(() => parse(wrong), { code: 'BODY_INVALID', message: /is not JSON/ })
  const bound = 'at most 2097152 characters of JSON'
  const cases: readonly (readonly [text: string, message: string])[] = [
    [`[{}, ${long}]`, ` must have items of ${bound}; one from [0] on has more`],
    [`${list.slice(0, -1)}, ${long}]`, ` must have items of ${bound}; one from [196] on has more`],
    [long, `.a must have ${bound}, or be an array of items`],
    [`{"a": {"b": ${list}}}`, `.a must have ${bound}, or be an array of items`],
    [`{"a": ${list}, "b": [1], "a": 0}`, ' has the key "a" twice; name it once'],
    [`{"a": ${list}]`, ' is not JSON; the place is found only in up to 100000 characters'],
    [
      `{${Array.from({ length: 1001 }, (_, n) => `"${n}": 0,`).join('')}"a": ${list}}`,
      ' must have at most 1000 keys',
    ],
    [list.slice(0, -1), ' is not JSON; the place is found only in up to 100000 characters'],
    [
      list.replace('"n":150', '"n":1e999'),
      '[150].n must be a number that a double can hold, below 1.8e308',
    ],
    [
      list.replace('"n":150', '"n":1,"n":2'),
      ' has a key twice; the place is found only in up to 100000 characters',
    ],
  ]
  for (const [text, message] of cases) t.throws(() => parse(text), { message: `body${message}` })
})

t.test('an object has a limited number of keys', async (t) => {
  const rules = { ...RULES, maxKeys: 2 }
  t.same(parseStrictJson('[{"a": {"b": 1, "c": 1}}]', PATH, rules), [{ a: { b: 1, c: 1 } }])
  t.throws(() => parseStrictJson('[{"a": {"b": 1, "c": 1, "d": 1}}]', PATH, rules), {
    code: 'BOUND_EXCEEDED',
    message: 'body[0].a must have at most 2 keys',
  })
})
