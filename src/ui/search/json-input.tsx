import type { VNode } from 'preact'
import { useId, useRef, useState } from 'preact/hooks'

import { useTyped } from '../state/hooks.js'
import { applyCompletion, completeJson } from './complete-json.js'
import type { Completion, OperatorNames } from './complete-json.js'
import type { JsonInput as InputName } from './compose-list.js'
import type { LocatedError } from './locate-error.js'

/** The operators that the server has. The bundle of the page defines them. */
declare const QUERY_OPERATORS: OperatorNames

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
  // The place that names are offered for. They are found anew when the fields arrive later.
  const [cursor, setCursor] = useState<number>()
  const [chosen, setActive] = useState<number>()
  const completion =
    cursor === undefined
      ? undefined
      : completeJson(name, text, cursor, { fields, operators: QUERY_OPERATORS })
  const active = chosen ?? (completion !== undefined && hasTyped(completion) ? 0 : -1)
  const offer = (place: number | undefined): void => {
    setCursor(place)
    setActive(undefined)
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
    offer(undefined)
  }
  const press = (event: KeyboardEvent): void => {
    const options = completion?.options ?? []
    if (event.key === ' ' && event.ctrlKey) offer(area.current?.selectionStart ?? 0)
    else if (completion === undefined) return
    else if (event.key === 'Escape') offer(undefined)
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
            offer(currentTarget.selectionStart)
          }}
          onKeyDown={press}
          onBlur={() => {
            commit()
            offer(undefined)
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

/** Whether a part of the name has been typed, so that Enter takes the first option. */
const hasTyped = ({ start, end }: Completion): boolean => end > start + 1

/** The properties of the offered names. */
export interface CompletionListProps {
  readonly id: string
  readonly options: readonly string[]
  /** The index of the chosen option, or -1. */
  readonly active: number
  readonly onAccept: (option: string) => void
}

/** The names that can be typed at the cursor. */
export const CompletionList = ({ id, options, active, onAccept }: CompletionListProps): VNode => (
  <ul
    id={`${id}-options`}
    class="completions"
    role="listbox"
    aria-label="Names"
    hidden={options.length === 0}
  >
    {options.map((option, index) => (
      <li
        key={option}
        id={`${id}-option-${index}`}
        role="option"
        aria-selected={index === active}
        onPointerDown={(event) => {
          event.preventDefault()
          onAccept(option)
        }}
      >
        {option}
      </li>
    ))}
  </ul>
)

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
