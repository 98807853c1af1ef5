import type { VNode } from 'preact'

import { PAGE_SIZES } from '../search/compose-list.js'
import { navigate } from '../state/navigation.js'
import { Link } from '../widgets/link.js'

/** The properties of the pages of a list. */
export interface PagerProps {
  /** From 1. */
  readonly page: number
  /** The number of items that a page can have. */
  readonly size: number
  /** The number of items on this page. */
  readonly shown: number
  /** The number of items on all pages; undefined if it is not known. */
  readonly count: number | undefined
}

/** Says which items are shown, and leads to the pages beside. */
export function Pager({ page, size, shown, count }: PagerProps): VNode {
  const first = (page - 1) * size + 1
  const last = first + shown - 1
  const hasNext = count === undefined ? shown === size : last < count
  return (
    <nav class="pager" aria-label="Pages">
      <span class="numbers" role="status">
        {shown > 0 ? `${first}–${last}` : count !== undefined && '0'}
        {count !== undefined && ` of ${count}`}
      </span>
      <select
        class="small"
        aria-label="Items a page"
        value={String(size)}
        onChange={(event) => {
          const chosen = event.currentTarget.value
          navigate({ size: chosen === String(PAGE_SIZES[0]) ? '' : chosen, page: '' })
        }}
      >
        {PAGE_SIZES.map((each) => (
          <option key={each} value={String(each)}>
            {each} a page
          </option>
        ))}
      </select>
      {page > 1 && (
        <Link class="button small" to={{ page: page === 2 ? '' : String(page - 1) }}>
          Previous
        </Link>
      )}
      {hasNext && (
        <Link class="button small" to={{ page: String(page + 1) }}>
          Next
        </Link>
      )}
    </nav>
  )
}
