import t from 'tap'

import { Cache } from '../../src/query/cache.js'

t.test('what comes a second time is kept', async (t) => {
  const cache = new Cache<string>(4, () => 1)
  cache.set('a', 'first')
  t.equal(cache.get('a'), undefined)
  cache.set('a', 'second')
  t.equal(cache.get('a'), 'second')
  for (const key of ['b', 'c', 'd', 'e', 'b']) cache.set(key, key)
  t.equal(cache.get('b'), undefined, 'it came back too late')
  t.equal(cache.get('a'), 'second', 'and pushed out nothing')
})

t.test('what is not there is made, and kept unless the making throws', async (t) => {
  const cache = new Cache<string>(20, () => 1)
  t.throws(() => cache.getOrMake('a', fail), { message: 'no' })
  for (const made of ['first', 'second', 'second'])
    t.equal(
      cache.getOrMake('a', () => made),
      made,
    )
  t.equal(cache.getOrMake('a', fail), 'second')
})

function fail(): never {
  throw new Error('no')
}
