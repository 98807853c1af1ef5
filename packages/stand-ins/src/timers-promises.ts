import { setImmediate as later, setTimeout as wait } from './timers.js'

/** `node:timers/promises` for a browser. */

export const setImmediate = (): Promise<void> => new Promise((resolve) => later(() => resolve()))

export const setTimeout = (ms: number): Promise<void> =>
  new Promise((resolve) => wait(() => resolve(), ms))
