import type { VNode } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

import { adjust, dataState } from '../state/navigation.js'

/** The properties of the choice of columns. */
interface ColumnChooserProps {
  /** The titles of the usual columns, and the paths of the fields. */
  readonly all: readonly string[]
  readonly shown: readonly string[]
  readonly isOpen: boolean
  readonly onOpen: (isOpen: boolean) => void
}

/** Chooses the columns of the table: the usual columns, and any field. The choice is in the address. */
export function ColumnChooser({ all, shown, isOpen, onOpen }: ColumnChooserProps): VNode {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!isOpen) return undefined
    const closeOutside = ({ target }: Event): void => {
      if (!place.current?.contains(target as Node)) onOpen(false)
    }
    addEventListener('pointerdown', closeOutside)
    return () => removeEventListener('pointerdown', closeOutside)
  }, [isOpen])
  // A comma would end a name in the address.
  const names = [...new Set([...all, ...shown])].filter((name) => !name.includes(','))
  return (
    <div
      class="column-chooser"
      ref={place}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !isOpen) return
        event.stopPropagation()
        onOpen(false)
        place.current?.querySelector('button')?.focus()
      }}
    >
      <button type="button" aria-expanded={isOpen} onClick={() => onOpen(!isOpen)}>
        Columns
      </button>
      {isOpen && (
        <fieldset class="popover">
          <legend class="visually-hidden">Columns</legend>
          {names.map((name) => (
            <label key={name}>
              <input
                type="checkbox"
                checked={shown.includes(name)}
                onChange={({ currentTarget }) =>
                  choose(
                    currentTarget.checked
                      ? [...shown, name]
                      : shown.filter((each) => each !== name),
                  )
                }
              />{' '}
              {name}
            </label>
          ))}
          {dataState.value.columns !== '' && (
            <button type="button" class="small" onClick={() => choose([])}>
              The usual columns
            </button>
          )}
        </fieldset>
      )}
    </div>
  )
}

const choose = (names: readonly string[]): void => adjust({ columns: names.join() })
