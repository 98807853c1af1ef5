/** `node:timers` for a browser, whose timers are numbers and which has no `setImmediate`. */

/** A timer of Node that a program can let go: a tab never ends for want of timers. */
class Timer {
  constructor(readonly clear: () => void) {}

  ref(): this {
    return this
  }

  unref(): this {
    return this
  }
}

type Callback = (...args: unknown[]) => void

export function setTimeout(run: Callback, ms?: number, ...args: unknown[]): Timer {
  const id = globalThis.setTimeout(run, ms, ...args)
  return new Timer(() => globalThis.clearTimeout(id))
}

export function setInterval(run: Callback, ms?: number, ...args: unknown[]): Timer {
  const id = globalThis.setInterval(run, ms, ...args)
  return new Timer(() => globalThis.clearInterval(id))
}

const { port1, port2 } = new MessageChannel()
/** What runs in turns of its own, one for each message: a browser delays nested timers by 4 ms, but no messages. */
const waiting: (() => void)[] = []
port2.addEventListener('message', () => waiting.shift()?.())
port2.start()

export function setImmediate(run: Callback, ...args: unknown[]): Timer {
  let isCleared = false
  waiting.push(() => {
    if (!isCleared) run(...args)
  })
  port1.postMessage(undefined)
  return new Timer(() => (isCleared = true))
}

const clear = (timer: Timer | undefined): void => timer?.clear()

export { clear as clearImmediate, clear as clearInterval, clear as clearTimeout }
