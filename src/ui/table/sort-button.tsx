import type { VNode } from 'preact'

import { hasControls } from '../session/session-state.js'
import { navigate, pageState } from '../state/navigation.js'
import type { Column } from './column.js'
import { nextSort, readDirection } from './sort-text.js'

/** The head of a column; a click sorts upward, then downward, then not at all. */
export function SortButton({ column }: { readonly column: Column }): VNode {
  const { title, unit, sortPath, isDownward = false, isNumeric, shownIn } = column
  const classes = [isNumeric && 'numeric', shownIn && `${shownIn}-only`].filter(Boolean).join(' ')
  const label = (
    <span>
      {title}
      {unit !== undefined && <small> {unit}</small>}
    </span>
  )
  if (sortPath === undefined) {
    return (
      <th scope="col" class={classes || undefined}>
        {label}
      </th>
    )
  }
  const direction = readDirection(pageState.value, sortPath)
  return (
    <th
      scope="col"
      class={classes || undefined}
      aria-sort={direction === 1 ? 'ascending' : direction === -1 ? 'descending' : 'none'}
    >
      <button
        type="button"
        class="sort"
        onClick={() =>
          navigate({
            ...nextSort(pageState.value, {
              path: sortPath,
              isDownward,
              canReverse: hasControls.value === true,
            }),
            page: '',
          })
        }
      >
        {label}
        <span class="arrow" aria-hidden="true">
          {direction === 1 ? '↑' : direction === -1 ? '↓' : '↕'}
        </span>
      </button>
    </th>
  )
}
