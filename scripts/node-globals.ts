import { Buffer } from 'node:buffer'
import { runInThisContext } from 'node:vm'

/**
 * The globals of Node that the bundle of the package uses. The bundler puts them in the place of the
 * names, as a test runner replaces the globals of its tests: Jest's jsdom has no `setImmediate` and no
 * `TextDecoder`, and its timers are numbers; fake timers would stop the server.
 */
export { Buffer }
export { performance } from 'node:perf_hooks'
export {
  clearImmediate,
  clearInterval,
  clearTimeout,
  setImmediate,
  setInterval,
  setTimeout,
} from 'node:timers'
export { URL, URLSearchParams } from 'node:url'
export { TextDecoder, TextEncoder } from 'node:util'

/** The globals of the process, whichever context this module runs in. */
const main = runInThisContext('globalThis') as typeof globalThis

export const { AbortController, AbortSignal, queueMicrotask } = main

/** The class that Buffer extends: jsdom has another one. */
export const Uint8Array = Object.getPrototypeOf(Buffer) as typeof globalThis.Uint8Array

export const ArrayBuffer = Buffer.alloc(0).buffer.constructor as typeof globalThis.ArrayBuffer
