/** Runs work that ends in order when the process is asked to end. */
export async function untilSignal<Result>(
  run: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController()
  const abort = (): void => controller.abort()
  process.once('SIGINT', abort).once('SIGTERM', abort)
  try {
    return await run(controller.signal)
  } finally {
    process.off('SIGINT', abort).off('SIGTERM', abort)
  }
}
