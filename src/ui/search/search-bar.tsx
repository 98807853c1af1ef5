import type { VNode } from 'preact'

import type { Item } from '../api/item.js'
import { adjust, pageState } from '../state/navigation.js'
import { Notice } from '../widgets/notice.js'
import type { ComposedList } from './compose-list.js'

/** The properties of the search. */
export interface SearchBarProps {
  readonly resource: string
  /** The items of the page, whose fields are offered. */
  readonly items: readonly Item[]
  /** The parameters that the inputs make. */
  readonly list: ComposedList
  /** Why the list failed. */
  readonly error: Error | undefined
}

/** The field for a word or a formula. */
export function SearchBar({ resource, error }: SearchBarProps): VNode {
  return (
    <search class="search">
      <input
        type="search"
        placeholder="A word, or a formula such as SiO2"
        aria-label={`Search ${resource}`}
        value={pageState.value.search}
        onInput={(event) => adjust({ search: event.currentTarget.value, page: '' })}
      />
      {error !== undefined && <Notice kind="error">{error.message}</Notice>}
    </search>
  )
}
