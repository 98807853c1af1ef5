/**
 * Loaded into every server before its own code. It sends the usage of the process on each message,
 * listens on loopback if the server names no host, and ends the process with the benchmark. It is
 * loaded with `--require`: with `--import`, Node would scan a CommonJS server for its exports, which
 * takes time that no user waits for.
 */
const { Server } = require('node:net')

process.on('message', () => {
  globalThis.gc?.()
  const longestTurn = globalThis.takeLongestTurn?.()
  process.send?.({ cpu: process.cpuUsage(), memory: process.memoryUsage(), longestTurn })
})
process.on('disconnect', () => process.exit())

const { listen } = Server.prototype

Server.prototype.listen = /** @type {typeof listen} */ (
  function listenOnLoopback(...args) {
    const [port, host] = args
    const namesHost = typeof port === 'object' || typeof host === 'string'
    return Reflect.apply(
      listen,
      this,
      namesHost ? args : [Number(port), '127.0.0.1', ...args.slice(1)],
    )
  }
)
