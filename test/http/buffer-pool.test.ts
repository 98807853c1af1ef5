import t from 'tap'

import { BufferPool } from '../../src/http/buffer-pool.js'

const KB = 1024
const MB = 1024 * KB

function acquire(pool: BufferPool, size: number): Buffer {
  const buffer = pool.acquire(size)
  if (buffer === undefined) throw new Error(`no buffer of ${size} bytes`)
  return buffer
}

t.test('an acquired buffer has the size, and no two are the same', async (t) => {
  const pool = new BufferPool()
  for (const size of [0, 1, 128 * KB, 3 * MB, 8 * MB]) {
    const buffer = acquire(pool, size)
    t.equal(buffer.length, size)
    pool.release(buffer)
    t.not(acquire(pool, size), buffer)
  }
  t.equal(pool.acquire(8 * MB + 1), undefined)
})

t.test('the buffers in use have at most 256 MB', async (t) => {
  const pool = new BufferPool()
  const used = Array.from({ length: 32 }, () => acquire(pool, 8 * MB))
  t.equal(pool.acquire(1), undefined)
  for (const buffer of used.slice(0, 1)) pool.release(buffer)
  t.ok(pool.acquire(1))
  t.equal(pool.acquire(8 * MB), undefined)
})
