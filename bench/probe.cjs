/**
 * Required by every server before its own code: tells what it has used when it is asked, keeps it on
 * loopback where it names no host, and ends it with the benchmark. Not imported: after `--import`,
 * Node scans a CommonJS server for the names that it exports, which no user waits for.
 */
const { Server } = require('node:net')

process.on('message', () => {
  globalThis.gc?.()
  process.send?.({ cpu: process.cpuUsage(), memory: process.memoryUsage() })
})
process.on('disconnect', () => process.exit())

const { listen } = Server.prototype

Server.prototype.listen = /** @type {typeof listen} */ (
  function listenOnLoopback(...words) {
    const [port, host] = words
    const namesHost = typeof port === 'object' || typeof host === 'string'
    return Reflect.apply(
      listen,
      this,
      namesHost ? words : [Number(port), '127.0.0.1', ...words.slice(1)],
    )
  }
)
