import { executionAsyncResource } from 'node:async_hooks'

/** A tick of Node's queue. */
let kept: object | undefined

/**
 * Keeps one tick of `process.nextTick` alive. V8 forgets the shape of objects of which none is left when it collects
 * garbage. An idle server has no tick, and Node 20 would create all later ones, ten a request, without a known shape.
 */
export function keepTick(): void {
  process.nextTick(() => {
    kept ??= executionAsyncResource()
  })
}
