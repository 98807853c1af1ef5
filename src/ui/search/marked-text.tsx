import type { VNode } from 'preact'

import type { LocatedError } from './locate-error.js'

/** The properties of a marked text. */
export interface MarkedTextProps {
  readonly text: string
  readonly error: LocatedError | undefined
}

/** The text of an input again, behind it, with the place of an error underlined. */
export function MarkedText({ text, error }: MarkedTextProps): VNode {
  const { start = 0, end = 0 } = error ?? {}
  return (
    <div class="marked-text" aria-hidden="true">
      {text.slice(0, start)}
      {end > start && <mark>{text.slice(start, end) || ' '}</mark>}
      {text.slice(Math.max(end, start))}
    </div>
  )
}
