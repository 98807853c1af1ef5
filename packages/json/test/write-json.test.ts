import fc from 'fast-check'
import t from 'tap'

import { runToEnd } from '@materials-mock/work'
import { copyInParts, isShort, writeInParts } from '../src/write-json.js'
import type { Json } from '../src/json.js'

/** A value so large that it is not written at once, around another. */
const enlarge = (value: Json): Json => ({
  list: [value, ...Array.from({ length: 3000 }, (_, n) => [n, `${n}`]), value],
  value,
  empty: {},
})

t.test('a value in parts is its JSON, and its copy equals it', async (t) => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (given) => {
      const value = enlarge(given as Json)
      const text = JSON.stringify(value)
      t.equal([...writeInParts(value)].join(''), text)
      t.equal(JSON.stringify(runToEnd(copyInParts(value))), text)
    }),
    { numRuns: 30 },
  )
  const others = { a: undefined, b: [undefined], ['__proto__']: [1, 'x'.repeat(20_000)] }
  t.equal([...writeInParts(others as unknown as Json)].join(''), JSON.stringify(others))
  const copy = runToEnd(copyInParts(others))
  t.equal(JSON.stringify(copy), JSON.stringify(others))
  t.equal(Object.getPrototypeOf(copy), Object.prototype)
})

t.test('a part has a bounded length, however a value is built', async (t) => {
  const nest = (levels: number): Json => (levels === 0 ? 'x'.repeat(1e5) : [nest(levels - 1), 'y'])
  const values: Json[] = [
    Array.from({ length: 100_000 }, (_, n) => n),
    Object.fromEntries(Array.from({ length: 50_000 }, (_, n) => [`k${n}`, n])),
    Array.from({ length: 5000 }, (_, n) => ({ n, text: 'x'.repeat(100) })),
    nest(1000),
  ]
  for (const value of values) {
    t.notOk(isShort(value))
    const texts = [...writeInParts(value)].filter((text) => !text.startsWith('"x'))
    t.ok(Math.max(...texts.map(({ length }) => length)) <= 2 * 16 * 1024)
    let steps = 0
    for (const copying = copyInParts(value); copying.next().done !== true;) steps += 1
    t.ok(steps > 10)
  }
})
