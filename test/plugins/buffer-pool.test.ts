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

t.test('a released buffer is acquired again, and only once', async (t) => {
  const pool = new BufferPool()
  for (const size of [1, 200 * KB, 8 * MB]) {
    const first = pool.acquire(size)
    t.not(pool.acquire(size), first)
    pool.release(first)
    t.equal(pool.acquire(size), first)
    t.not(pool.acquire(size), first)
  }
})

t.test('the free buffers of one size have at most 4 MB, and none has more than 8 MB', async (t) => {
  const pool = new BufferPool()
  const cases: [size: number, free: number][] = [
    [100 * KB, 32],
    [1 * MB, 4],
    [8 * MB, 1],
    [9 * MB, 0],
  ]
  for (const [size, free] of cases) {
    const acquired = Array.from({ length: 40 }, () => pool.acquire(size))
    for (const buffer of acquired) pool.release(buffer)
    const again = Array.from({ length: 40 }, () => pool.acquire(size))
    t.equal(again.filter((buffer) => acquired.includes(buffer)).length, free, `${size}`)
  }
})
