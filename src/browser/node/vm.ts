/**
 * `node:vm` for a browser. A browser can't abort a script after a time: a costly pattern runs to its end, in
 * the worker that the mock runs in.
 */
export class Script {
  runInContext({ work }: { work: () => void }): void {
    work()
  }
}

export const createContext = <Context extends object>(context: Context): Context => context

export const runInThisContext = (): typeof globalThis => globalThis
