import fc from 'fast-check'
import t from 'tap'

import { Recent } from '../../src/query/recent.js'

t.test('what was used last is held, up to half of its capacity at least', async () => {
  const uses = fc.array(fc.tuple(fc.constantFrom('get', 'set'), fc.constantFrom(...'abcdefgh')))
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5 }), uses, (half, steps) => {
      const cache = new Recent<string>(2 * half, () => 1)
      let recent: string[] = []
      for (const [verb, key] of steps) {
        const isHeld = cache.get(key) !== undefined
        if (recent.includes(key) && !isHeld) return false
        if (verb === 'set') cache.set(key, key.toUpperCase())
        if (verb === 'set' || isHeld)
          recent = [key, ...recent.filter((other) => other !== key)].slice(0, half)
      }
      return recent.every((key) => cache.get(key) === key.toUpperCase())
    }),
    { numRuns: 2000 },
  )
})

t.test('sizes count, and what is too large is not kept', async (t) => {
  const cache = new Recent<string>(20, (value, key) => value.length + key.length)
  cache.set('a', 'x'.repeat(9))
  t.equal(cache.get('a'), 'x'.repeat(9))
  cache.set('a', 'x'.repeat(10))
  t.equal(cache.get('a'), undefined, 'nor is what was there before')
  cache.set('b', '12345678')
  cache.set('c', '12345678')
  t.equal(cache.get('b'), '12345678')
  cache.set('d', '12345678')
  t.strictSame(
    ['b', 'c', 'd'].map((key) => cache.get(key)),
    ['12345678', undefined, '12345678'],
  )
  cache.delete('b')
  t.equal(cache.get('b'), undefined)
})
