/** `node:v8` and `node:vm` for a browser. */

/** The memory of a page in Chromium; other browsers do not say it, and end the tab when it is full. */
interface PageMemory {
  readonly usedJSHeapSize: number
  readonly jsHeapSizeLimit: number
}

function getHeapStatistics(): Record<'used_heap_size' | 'heap_size_limit', number> {
  const { memory } = performance as typeof performance & { readonly memory?: PageMemory }
  return {
    used_heap_size: memory?.usedJSHeapSize ?? 0,
    heap_size_limit: memory?.jsHeapSizeLimit ?? Infinity,
  }
}

export default { getHeapStatistics }

/** A browser can't abort it: a costly pattern runs to its end, in the worker of the mock. */
export class Script {
  runInContext({ work }: { work: () => void }): void {
    work()
  }
}

export const createContext = <Context extends object>(context: Context): Context => context

export const runInThisContext = (): typeof globalThis => globalThis
