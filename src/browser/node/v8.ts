/** `node:v8` for a browser. */

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
