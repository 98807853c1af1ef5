import { useEffect, useRef, useState } from 'preact/hooks'

/** The loaded data. While they load again, the last data stay. */
interface Loaded<Data> {
  readonly data: Data | undefined
  readonly error: Error | undefined
  readonly isLoading: boolean
}

const NOTHING = { data: undefined, error: undefined, isLoading: true }

/**
 * Loads data when one of the dependencies changes. The answer to an earlier request is dropped.
 * @param subject what the data are about, such as an `_id`: data about something else do not stay
 */
export function useLoad<Data>(
  load: (signal: AbortSignal) => Promise<Data>,
  dependencies: readonly unknown[],
  subject = '',
): Loaded<Data> {
  const [loaded, setLoaded] = useState<Loaded<Data> & { readonly subject: string }>({
    ...NOTHING,
    subject,
  })
  useEffect(() => {
    const controller = new AbortController()
    setLoaded((last) => ({
      ...(last.subject === subject ? last : NOTHING),
      subject,
      isLoading: true,
    }))
    const run = async (): Promise<void> => {
      try {
        const data = await load(controller.signal)
        if (!controller.signal.aborted)
          setLoaded({ data, error: undefined, isLoading: false, subject })
      } catch (error) {
        if (controller.signal.aborted) return
        setLoaded(({ data }) => ({ data, error: error as Error, isLoading: false, subject }))
      }
    }
    void run()
    return () => controller.abort()
  }, [subject, ...dependencies])
  return loaded.subject === subject ? loaded : NOTHING
}

/** The time after the last key until a text takes effect, in ms. */
const PAUSE = 250

/** A text that is being typed, with functions that change it. */
export interface Typed {
  readonly text: string
  /** Changes the text; it takes effect after a pause. */
  readonly type: (text: string) => void
  /** Lets the text take effect at once. */
  readonly commit: () => void
}

/** Holds a text while it is typed, and passes it on after a pause. */
export function useTyped(value: string, onChange: (text: string) => void): Typed {
  const [text, setText] = useState(value)
  const pending = useRef<{ readonly text: string; readonly timer: number } | undefined>(undefined)
  useEffect(() => {
    if (pending.current === undefined) setText(value)
  }, [value])
  const commit = (): void => {
    if (pending.current === undefined) return
    clearTimeout(pending.current.timer)
    const typed = pending.current.text
    pending.current = undefined
    onChange(typed)
  }
  const type = (next: string): void => {
    clearTimeout(pending.current?.timer)
    pending.current = { text: next, timer: setTimeout(commit, PAUSE) }
    setText(next)
  }
  useEffect(() => () => clearTimeout(pending.current?.timer), [])
  return { text, type, commit }
}
