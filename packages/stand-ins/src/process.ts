/** The global `process` of Node for a browser. */
export const process = {
  env: {},
  version: 'v20.0.0', // what the packages may rely on
  versions: {},
  platform: 'browser',
  nextTick: (run: (...args: unknown[]) => void, ...args: unknown[]): void =>
    queueMicrotask(() => run(...args)),
  emitWarning: (warning: unknown): void => console.warn(warning),
  /** The time of this thread, which is the only one. */
  cpuUsage(start = { user: 0, system: 0 }): { readonly user: number; readonly system: number } {
    return { user: performance.now() * 1000 - start.user, system: 0 }
  },
}
