/**
 * Measures the CPU time that the main thread takes in each turn of the event loop, where the system
 * tells it (Linux): other processes do not change it. The event loop never waits then.
 */
const { existsSync, openSync, readSync } = require('node:fs')

const FILE = `/proc/self/task/${process.pid}/schedstat`

if (existsSync(FILE)) {
  const descriptor = openSync(FILE, 'r')
  const buffer = Buffer.alloc(100)
  /** Returns the CPU time of the thread since its start, in ms. */
  const readTime = () => {
    const length = readSync(descriptor, buffer, 0, buffer.length, 0)
    return Number(buffer.toString('latin1', 0, length).split(' ')[0]) / 1e6
  }
  let start = readTime()
  let longest = 0
  const endTurn = () => {
    const now = readTime()
    longest = Math.max(longest, now - start)
    start = now
    setImmediate(endTurn)
  }
  endTurn()
  globalThis.takeLongestTurn = () => {
    const taken = longest
    longest = 0
    return taken
  }
}
