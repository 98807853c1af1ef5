import type { VNode } from 'preact'

import { countItems, listItems } from '../api/items.js'
import type { ListParameters } from '../api/items.js'
import { MissingItem } from '../search/missing-item.js'
import { SearchBar } from '../search/search-bar.js'
import { composeList, pageNumber, pageSize } from '../search/compose-list.js'
import type { ComposedList } from '../search/compose-list.js'
import { session } from '../session/session-state.js'
import { dataVersion } from '../state/data-version.js'
import { pageState } from '../state/navigation.js'
import { useLoad } from '../state/use-load.js'
import { chooseColumns } from '../table/choose-columns.js'
import { ItemTable } from '../table/item-table.js'
import { DropArea } from '../write/drop-area.js'
import { NewItemButton } from '../write/new-item-button.js'
import { Link } from '../widgets/link.js'
import { Notice } from '../widgets/notice.js'
import { closeOnEscape } from '../widgets/pane.js'
import { Pager } from './pager.js'
import { useSortableColumns } from './use-sortable-columns.js'

/** The properties of the list of a resource. */
export interface ListPaneProps {
  readonly resource: string
  /** Whether the server takes no writes. */
  readonly isReadOnly: boolean
}

/** The list of a resource: what is searched, the table of a page, and the pages. */
export function ListPane({ resource, isReadOnly }: ListPaneProps): VNode {
  const { fields, page, size, order, item } = pageState.value
  const isReversed = order === 'reversed'
  const { query, projection } = toParameters(compose(undefined))
  const loaded = useLoad(
    async (signal) => {
      const end = isReversed ? await countItems(resource, query, signal) : undefined
      const items = await listItems(resource, toParameters(compose(end)), signal)
      return { items: isReversed ? items.toReversed() : items, end }
    },
    [resource, query, projection, isReversed, dataVersion.value],
  )
  const list = compose(isReversed ? loaded.data?.end : undefined)
  const items = loaded.data?.items ?? []
  // Only a list that succeeds is counted.
  const { data: count } = useLoad(
    async (signal) => loaded.data && (loaded.data.end ?? countItems(resource, query, signal)),
    [resource, loaded.data],
  )
  const columns = useSortableColumns(resource, chooseColumns(items, fields))
  return (
    <DropArea resource={resource} isReadOnly={isReadOnly}>
      <SearchBar key={resource} resource={resource} list={list} error={loaded.error}>
        {isReadOnly ? (
          <span class="read-only muted">Read-only server</span>
        ) : (
          !resource.startsWith('bank-') && <NewItemButton resource={resource} />
        )}
      </SearchBar>
      <div
        class="table-scroll"
        aria-busy={loaded.isLoading}
        tabIndex={0}
        role="region"
        onKeyDown={closeOnEscape}
        aria-label={`Table of ${resource}`}
      >
        {items.length === 0 ? (
          loaded.data !== undefined && (
            <EmptyList resource={resource} isFiltered={query !== undefined} />
          )
        ) : (
          <ItemTable items={items} columns={columns} openId={item} />
        )}
      </div>
      <Pager page={pageNumber(page)} size={pageSize(size)} shown={items.length} count={count} />
    </DropArea>
  )
}

interface EmptyListProps {
  readonly resource: string
  readonly isFiltered: boolean
}

function EmptyList({ resource, isFiltered }: EmptyListProps): VNode {
  const { panel } = pageState.value
  if (!isFiltered) {
    const account = session.value?.username
    return <Notice kind="info">{`${resource} has no items that ${account} sees.`}</Notice>
  }
  return (
    <div class="empty-list">
      <Notice kind="info">No item matches.</Notice>
      <Link class="button" to={{ search: '', query: '', page: '' }}>
        Show all
      </Link>
      {panel === '' && <MissingItem />}
    </div>
  )
}

/** @param end the number of items on all pages, if the list is read from its end */
const compose = (end: number | undefined): ComposedList => composeList({ ...pageState.value, end })

const toParameters = ({ query, projection }: ComposedList): ListParameters => ({
  query: query?.text,
  projection: projection.text,
})
