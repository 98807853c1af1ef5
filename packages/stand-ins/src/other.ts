/**
 * What is used of modules without a stand-in of their own: `async_hooks`, `diagnostics_channel`,
 * `path`, `perf_hooks` and `url`. Of those for a network, such as `dns`, nothing is used.
 */

/** An async context, which nobody follows. */
export class AsyncResource {
  runInAsyncScope<This, Arguments extends unknown[], Result>(
    run: (this: This, ...args: Arguments) => Result,
    self: This,
    ...args: Arguments
  ): Result {
    return run.apply(self, args)
  }

  emitDestroy(): this {
    return this
  }
}

/** A channel that nobody subscribes to. */
export const channel = (): { readonly hasSubscribers: false; publish(): void } => ({
  hasSubscribers: false,
  publish: () => undefined,
})
export { channel as tracingChannel }

export const basename = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
export const extname = (path: string): string => /(?<=[^/])\.[^./]*$/.exec(path)?.[0] ?? ''
export const fileURLToPath = (url: URL): string => url.pathname

const { performance } = globalThis
export { performance }
