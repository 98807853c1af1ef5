import type { VNode } from 'preact'

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
