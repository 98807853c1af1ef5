import fc from 'fast-check'
import t from 'tap'

import { hasDuplicateKey, locateDuplicateKey } from '../src/duplicate-keys.js'

t.test('random JSON has no duplicate, and one is found wherever it is added', async () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.string(), (value, key) => {
      const name = JSON.stringify(key)
      const [object, array] = [{ a: value }, [{ b: [value, 1] }]]
      for (const each of [value, object, array]) {
        const text = JSON.stringify(each, null, 1)
        if (hasDuplicateKey(JSON.parse(text), text)) return false
      }
      const text = JSON.stringify(array).replace(
        '{',
        () => `{${name}:1,${name}:${JSON.stringify(value)},`,
      )
      return hasDuplicateKey(JSON.parse(text), text) && locateDuplicateKey(text)?.key === key
    }),
    { numRuns: 1000 },
  )
})
