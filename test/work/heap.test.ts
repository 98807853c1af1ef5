import v8 from 'node:v8'

import t from 'tap'

import { parseOldSpace, readHeap } from '../../src/work/heap.js'

const MEGABYTE = 2 ** 20

t.test('the limit of the heap is that of old objects', async (t) => {
  for (const [options, expected] of [
    ['', undefined],
    ['--max-semi-space-size=64', undefined],
    ['--max-old-space-size=512', 512],
    ['--max_old_space_size 300 --import tsx', 300],
    ['--max-old-space-size=512 --max-old-space-size=100', 100],
  ] as const)
    t.equal(parseOldSpace(options), expected && expected * MEGABYTE, options)
  let total = 4144 * MEGABYTE
  t.intercept(v8, 'getHeapStatistics', {
    value: () => ({ used_heap_size: 7, heap_size_limit: total }),
  })
  t.same(readHeap(), { used: 7, limit: 3952 * MEGABYTE }, 'an estimate, which is never too large')
  total = 112 * MEGABYTE
  t.same(readHeap(), { used: 7, limit: 56 * MEGABYTE })
})
