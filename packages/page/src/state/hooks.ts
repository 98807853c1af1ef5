import { useEffect, useRef, useState } from 'preact/hooks'

import { asError } from '@materials-mock/json'
import { serverVersion } from './versions.js'

/** The loaded data. While they load again and after a failure, the last data stay. */
export interface Loaded<Data> {
  readonly data: Data | undefined
  readonly error: Error | undefined
  readonly isLoading: boolean
}

const NOTHING = { data: undefined, error: undefined, isLoading: true }

/**
 * An answer to an earlier question is dropped. If only the version grows, a running load ends and
 * is shown, and one more follows: so a list that loads slower than others write is shown.
 * @param version of the data, beside that of all data of the server
 * @param subject data about something else do not stay: an `_id`
 */
export function useLoad<Data>(
  load: (signal: AbortSignal) => Promise<Data>,
  asked: readonly unknown[],
  version: unknown = '',
  subject = '',
): Loaded<Data> {
  const [loaded, setLoaded] = useState<Loaded<Data> & { readonly subject: string }>({
    ...NOTHING,
    subject,
  })
  const question = useRef({ dropped: AbortSignal.abort(), answered: Promise.resolve() })
  useEffect(() => {
    const controller = new AbortController()
    question.current = { dropped: controller.signal, answered: Promise.resolve() }
    return () => controller.abort()
  }, [subject, serverVersion.value, ...asked])
  useEffect(() => {
    const { dropped, answered } = question.current
    let isNewest = true
    setLoaded((last) => ({
      ...(last.subject === subject ? last : NOTHING),
      subject,
      isLoading: true,
    }))
    const run = async (): Promise<void> => {
      await answered
      if (!isNewest) return
      let outcome: Partial<Loaded<Data>>
      try {
        outcome = { data: await load(dropped), error: undefined }
      } catch (error) {
        outcome = { error: asError(error) }
      }
      if (!dropped.aborted) setLoaded((last) => ({ ...last, ...outcome, isLoading: !isNewest }))
    }
    question.current.answered = run()
    return () => {
      isNewest = false
    }
  }, [subject, ...asked, version, serverVersion.value])
  return loaded.subject === subject ? loaded : NOTHING
}

/** The time after the last key until a text takes effect, in ms. */
const PAUSE = 250

interface Typed {
  readonly text: string
  /** Changes the text; it takes effect after a pause. */
  readonly type: (text: string) => void
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
    pending.current = { text: next, timer: window.setTimeout(commit, PAUSE) }
    setText(next)
  }
  useEffect(() => () => clearTimeout(pending.current?.timer), [])
  return { text, type, commit }
}
