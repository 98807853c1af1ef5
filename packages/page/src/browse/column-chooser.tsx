import type { VNode } from 'preact'

import { adjust, dataState } from '../state/navigation.js'

interface ColumnChooserProps {
  /** The titles of the usual columns, and the paths of the fields. */
  readonly all: readonly string[]
  readonly shown: readonly string[]
  readonly onOpen: (isOpen: boolean) => void
}

/** Chooses the columns of the table: the usual columns, and any field. The choice is in the address. */
export function ColumnChooser({ all, shown, onOpen }: ColumnChooserProps): VNode {
  // A comma would end a name in the address.
  const names = [...new Set([...all, ...shown])].filter((name) => !name.includes(','))
  return (
    <>
      <button type="button" popovertarget="columns">
        Columns
      </button>
      <fieldset
        id="columns"
        class="popover"
        popover="auto"
        onToggle={({ newState }) => onOpen(newState === 'open')}
      >
        <legend class="visually-hidden">Columns</legend>
        {names.map((name) => (
          <label key={name}>
            <input
              type="checkbox"
              checked={shown.includes(name)}
              onChange={({ currentTarget }) =>
                choose(
                  currentTarget.checked ? [...shown, name] : shown.filter((each) => each !== name),
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
    </>
  )
}

const choose = (names: readonly string[]): void => adjust({ columns: names.join() })
