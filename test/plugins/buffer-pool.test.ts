import t from 'tap'

import { BufferPool } from '../../src/plugins/buffer-pool.js'

const KB = 1024
const MB = 1024 * KB

t.test('an acquired buffer is large enough, and not much larger', async (t) => {
  const pool = new BufferPool()
  const sizes = [0, 1, 128 * KB, 128 * KB + 1, 256 * KB, 3 * MB, 8 * MB, 8 * MB + 1, 20 * MB]
  for (const size of sizes) {
    const buffer = pool.acquire(size)
    t.ok(buffer.length >= size && buffer.length <= Math.max(128 * KB, 2 * size), `${size}`)
    pool.release(buffer)
  }
})

t.test('a released buffer is acquired again, by one response at a time', async (t) => {
  const pool = new BufferPool()
  for (const size of [1, 200 * KB, 8 * MB]) {
    const first = pool.acquire(size)
    t.not(pool.acquire(size), first)
    pool.release(first)
    t.equal(pool.acquire(size), first)
    t.not(pool.acquire(size), first)
  }
})

t.test('at most 4 MB of each size are free, and no buffer above 8 MB', async (t) => {
  const pool = new BufferPool()
  const cases: [size: number, waiting: number][] = [
    [100 * KB, 32],
    [1 * MB, 4],
    [8 * MB, 1],
    [9 * MB, 0],
  ]
  for (const [size, waiting] of cases) {
    const taken = Array.from({ length: 40 }, () => pool.acquire(size))
    for (const buffer of taken) pool.release(buffer)
    const again = Array.from({ length: 40 }, () => pool.acquire(size))
    t.equal(again.filter((buffer) => taken.includes(buffer)).length, waiting, `${size}`)
  }
})
