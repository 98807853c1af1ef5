import type { ComponentChildren, VNode } from 'preact'

import { ApiError } from '../http/send.js'
import { useTyped } from '../state/hooks.js'
import { adjust, navigate, dataState } from '../state/navigation.js'
import { Notice } from '../widgets/toasts.js'
import type { ComposedList } from './compose-list.js'
import { locateErrors } from './locate-error.js'
import { QueryPanel } from './query-panel.js'

/** The properties of the search. */
export interface SearchBarProps {
  readonly resource: string
  /** The parameters that the inputs make. */
  readonly list: ComposedList
  /** The failure of the list. */
  readonly error: Error | undefined
  /** The elements beside the search. */
  readonly children: ComponentChildren
}

/** The field for a word or a formula, and behind a button the inputs for JSON. */
export function SearchBar({ resource, list, error, children }: SearchBarProps): VNode {
  const { search, panel } = dataState.value
  const { text, type, commit } = useTyped(search, (next) => adjust({ search: next, page: '' }))
  const isOpen = panel === 'query'
  const errors =
    error === undefined
      ? []
      : locateErrors(error.message, error instanceof ApiError ? error.details : [], list)
  const elsewhere = errors.filter(({ input }) => input === undefined || !isOpen)
  return (
    <search class="search">
      <div class="search-line">
        <input
          type="search"
          aria-keyshortcuts="/"
          placeholder={resource.endsWith('materials') ? 'A word or formula: SiO2' : 'A word'}
          aria-label={`Search ${resource}`}
          value={text}
          onInput={(event) => type(event.currentTarget.value)}
          onBlur={commit}
          onKeyDown={(event) => event.key === 'Enter' && commit()}
        />
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => navigate({ panel: isOpen ? '' : 'query' })}
        >
          Query
        </button>
        {children}
      </div>
      {isOpen && <QueryPanel resource={resource} list={list} errors={errors} />}
      {elsewhere.map(({ message }) => (
        <Notice key={message} kind="error">
          {message}
        </Notice>
      ))}
    </search>
  )
}
