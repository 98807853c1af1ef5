import fc from 'fast-check'
import t from 'tap'

import { Doorkeeper } from '../../src/query/doorkeeper.js'

t.test('what came is known, and what did not come is hardly ever', async (t) => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const seen = new Doorkeeper()
      const first = seen.add(text)
      const second = seen.add(text)
      seen.clear()
      return !first && second && !seen.add(text)
    }),
  )
  const seen = new Doorkeeper()
  const urls = Array.from({ length: 1000 }, (_, index) => `/materials?query={"a":${index}}`)
  const mistaken = urls.filter((url) => seen.add(url)).length
  const known = urls.filter((url) => seen.add(url)).length
  t.equal(mistaken, 0)
  t.ok(known > 900, `${known} of 1,000 are known`)
})
