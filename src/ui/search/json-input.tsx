import { useId, useRef, useState } from 'preact/hooks'
import type { VNode } from 'preact'

import { useTyped } from '../state/use-typed.js'
import { applyCompletion, completeJson } from './complete-json.js'
import type { Completion } from './complete-json.js'
import { CompletionList } from './completion-list.js'
import type { JsonInput as InputName } from './compose-list.js'
import type { LocatedError } from './locate-error.js'
import { MarkedText } from './marked-text.js'

/** The properties of an input for JSON. */
export interface JsonInputProps {
  readonly name: InputName
  /** What the input is called, if not by its name. */
  readonly label?: string
  readonly example: string
  readonly value: string
  /** The paths that are offered. */
  readonly fields: readonly string[]
  readonly error: LocatedError | undefined
  readonly onChange: (text: string) => void
}

/** Takes JSON, completes names of fields and operators, and marks the place of an error. */
export function JsonInput(props: JsonInputProps): VNode {
  const { name, label = name, example, value, fields, error, onChange } = props
  const id = useId()
  const area = useRef<HTMLTextAreaElement>(null)
  const { text, type, commit } = useTyped(value, onChange)
  const [completion, setCompletion] = useState<Completion>()
  const [active, setActive] = useState(-1)
  const offer = (next: string, cursor: number): void => {
    const found = completeJson(name, next, cursor, fields)
    setCompletion(found)
    setActive(found !== undefined && found.end > found.start + 1 ? 0 : -1)
  }
  const accept = (option: string): void => {
    if (completion === undefined) return
    const next = applyCompletion(text, completion, option)
    // At once, so that the next key finds the text and the cursor.
    if (area.current !== null) {
      area.current.value = next.text
      area.current.setSelectionRange(next.cursor, next.cursor)
    }
    type(next.text)
    setCompletion(undefined)
  }
  const press = (event: KeyboardEvent): void => {
    const options = completion?.options ?? []
    if (event.key === ' ' && event.ctrlKey) offer(text, area.current?.selectionStart ?? 0)
    else if (completion === undefined) return
    else if (event.key === 'Escape') setCompletion(undefined)
    else if (event.key === 'ArrowDown') setActive((active + 1) % options.length)
    else if (event.key === 'ArrowUp') setActive((active - 1 + options.length) % options.length)
    else if ((event.key === 'Enter' || event.key === 'Tab') && options[active] !== undefined)
      accept(options[active])
    else return
    event.preventDefault()
  }
  const shownError = text === value ? error : undefined
  return (
    <div class="json-input">
      <label for={id}>{label}</label>
      <div class="json-area">
        <MarkedText text={text} error={shownError} />
        <textarea
          ref={area}
          id={id}
          rows={Math.min(Math.max(text.split('\n').length, Math.ceil(text.length / 60), 1), 12)}
          placeholder={example}
          spellcheck={false}
          autocomplete="off"
          value={text}
          aria-invalid={shownError !== undefined}
          aria-describedby={`${id}-error`}
          aria-autocomplete="list"
          aria-controls={`${id}-options`}
          aria-activedescendant={
            active === -1 || completion === undefined ? undefined : `${id}-option-${active}`
          }
          onInput={({ currentTarget }) => {
            type(currentTarget.value)
            offer(currentTarget.value, currentTarget.selectionStart)
          }}
          onKeyDown={press}
          onBlur={() => {
            commit()
            setCompletion(undefined)
          }}
        />
        <CompletionList
          id={id}
          options={completion?.options ?? []}
          active={active}
          onAccept={accept}
        />
      </div>
      <p id={`${id}-error`} class="json-error" role="status">
        {shownError?.message}
      </p>
    </div>
  )
}
