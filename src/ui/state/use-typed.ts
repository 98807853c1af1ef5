import { useEffect, useRef, useState } from 'preact/hooks'

/** The time after the last key until a text takes effect, in ms. */
const PAUSE = 250

/** A text that is being typed, and how to change it. */
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
