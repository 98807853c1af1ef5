import t from 'tap'

import { BufferPool } from '../../src/http/buffer-pool.js'

const KB = 1024
const MB = 1024 * KB

function acquire(pool: BufferPool, size: number): Buffer {
  const buffer = pool.acquire(size)
  if (buffer === undefined) throw new Error(`no buffer of ${size} bytes`)
  return buffer
}

t.test('an acquired buffer is large enough, and not much larger', async (t) => {
  const pool = new BufferPool()
  for (const size of [0, 1, 128 * KB, 128 * KB + 1, 256 * KB, 3 * MB, 8 * MB]) {
    const buffer = acquire(pool, size)
    t.ok(buffer.length >= size && buffer.length <= Math.max(128 * KB, 2 * size), `${size}`)
    pool.release(buffer)
  }
  t.equal(pool.acquire(8 * MB + 1), undefined)
})

t.test('a released buffer is acquired again, and only once', async (t) => {
  const pool = new BufferPool()
  for (const size of [1, 200 * KB, 8 * MB]) {
    const first = acquire(pool, size)
    t.not(acquire(pool, size), first)
    pool.release(first)
    t.equal(acquire(pool, size), first)
    t.not(acquire(pool, size), first)
  }
})

t.test(
  'the free buffers of one size have at most 4 MB, and there are no larger ones',
  async (t) => {
    const pool = new BufferPool()
    const cases: [size: number, free: number][] = [
      [100 * KB, 32],
      [1 * MB, 4],
      [8 * MB, 1],
    ]
    for (const [size, free] of cases) {
      const acquired = Array.from({ length: 32 }, () => acquire(pool, size))
      for (const buffer of acquired) pool.release(buffer)
      const again = Array.from({ length: 32 }, () => acquire(pool, size))
      t.equal(again.filter((buffer) => acquired.includes(buffer)).length, free, `${size}`)
      for (const buffer of again) pool.release(buffer)
    }
  },
)

t.test('the buffers in use have at most 256 MB', async (t) => {
  const pool = new BufferPool()
  const used = Array.from({ length: 32 }, () => acquire(pool, 8 * MB))
  t.equal(pool.acquire(1), undefined)
  for (const buffer of used.slice(0, 1)) pool.release(buffer)
  t.ok(pool.acquire(1))
  t.equal(pool.acquire(8 * MB), undefined)
})
