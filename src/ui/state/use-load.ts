import { useEffect, useState } from 'preact/hooks'

/** What has been loaded so far. While it loads again, the last data stay. */
export interface Loaded<Data> {
  readonly data: Data | undefined
  readonly error: Error | undefined
  readonly isLoading: boolean
}

/** Loads data when one of the dependencies changes; the answer to an earlier request is dropped. */
export function useLoad<Data>(
  load: (signal: AbortSignal) => Promise<Data>,
  dependencies: readonly unknown[],
): Loaded<Data> {
  const [loaded, setLoaded] = useState<Loaded<Data>>({
    data: undefined,
    error: undefined,
    isLoading: true,
  })
  useEffect(() => {
    const controller = new AbortController()
    setLoaded((last) => ({ ...last, isLoading: true }))
    const run = async (): Promise<void> => {
      try {
        const data = await load(controller.signal)
        if (!controller.signal.aborted) setLoaded({ data, error: undefined, isLoading: false })
      } catch (error) {
        if (controller.signal.aborted) return
        setLoaded((last) => ({ data: last.data, error: error as Error, isLoading: false }))
      }
    }
    void run()
    return () => controller.abort()
  }, dependencies)
  return loaded
}
