import t from 'tap'

import { giveBackBuffer, takeBuffer } from '../src/routes/body-buffers.js'

const KB = 1024
const MB = 1024 * KB

t.test('a buffer has room for what it is taken for', async (t) => {
  const sizes = [0, 1, 128 * KB, 128 * KB + 1, 256 * KB, 3 * MB, 8 * MB, 8 * MB + 1, 20 * MB]
  for (const size of sizes) {
    const buffer = takeBuffer(size)
    t.ok(buffer.length >= size && buffer.length <= Math.max(128 * KB, 2 * size), `${size}`)
    giveBackBuffer(buffer)
  }
})

t.test('one that was given back is used again for what fits, by one at a time', async (t) => {
  for (const size of [1, 200 * KB, 8 * MB]) {
    const first = takeBuffer(size)
    t.not(takeBuffer(size), first)
    giveBackBuffer(first)
    t.equal(takeBuffer(size), first)
    t.not(takeBuffer(size), first)
  }
})

t.test('no more wait than 4 MB of each size, and none that is larger than 8 MB', async (t) => {
  const cases: [size: number, waiting: number][] = [
    [100 * KB, 32],
    [1 * MB, 4],
    [8 * MB, 1],
    [9 * MB, 0],
  ]
  for (const [size, waiting] of cases) {
    const taken = Array.from({ length: 40 }, () => takeBuffer(size))
    for (const buffer of taken) giveBackBuffer(buffer)
    const again = Array.from({ length: 40 }, () => takeBuffer(size))
    t.equal(again.filter((buffer) => taken.includes(buffer)).length, waiting, `${size}`)
  }
})
