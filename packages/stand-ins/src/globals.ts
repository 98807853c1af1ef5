/** The globals of Node that the bundle for a browser uses. */
export { Buffer } from './buffer.js'
export { process } from './process.js'
export {
  clearImmediate,
  clearInterval,
  clearTimeout,
  setImmediate,
  setInterval,
  setTimeout,
} from './timers.js'

export const global = globalThis
