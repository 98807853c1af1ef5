import type { VNode } from 'preact'

import { countItems, listItems } from '../api/items.js'
import { SearchBar } from '../search/search-bar.js'
import { composeList, pageNumber, pageSize } from '../search/compose-list.js'
import { dataVersion } from '../state/data-version.js'
import { pageState } from '../state/navigation.js'
import { useLoad } from '../state/use-load.js'
import { chooseColumns } from '../table/choose-columns.js'
import { ItemTable } from '../table/item-table.js'
import { DropArea } from '../write/drop-area.js'
import { NewItemButton } from '../write/new-item-button.js'
import { Notice } from '../widgets/notice.js'
import { Pager } from './pager.js'

/** The list of a resource: what is searched, the table of a page, and the pages. */
export function ListPane({ resource }: { readonly resource: string }): VNode {
  const { search, query, sort, fields, page, size, item } = pageState.value
  const list = composeList({ search, query, sort, fields, page, size })
  const parameters = { query: list.query?.text, projection: list.projection.text }
  const loaded = useLoad(
    (signal) => listItems(resource, parameters, signal),
    [resource, parameters.query, parameters.projection, dataVersion.value],
  )
  const items = loaded.data ?? []
  // Only a list that succeeds is counted.
  const { data: count } = useLoad(
    async (signal) => loaded.data && countItems(resource, parameters.query, signal),
    [resource, loaded.data],
  )
  return (
    <DropArea resource={resource}>
      <SearchBar key={resource} resource={resource} list={list} error={loaded.error}>
        {!resource.startsWith('bank-') && <NewItemButton resource={resource} />}
      </SearchBar>
      <div
        class="table-scroll"
        aria-busy={loaded.isLoading}
        tabIndex={0}
        role="region"
        aria-label={`Table of ${resource}`}
      >
        {items.length === 0 ? (
          loaded.data !== undefined && <Notice kind="info">No item matches.</Notice>
        ) : (
          <ItemTable items={items} columns={chooseColumns(items, fields)} openId={item} />
        )}
      </div>
      <Pager page={pageNumber(page)} size={pageSize(size)} shown={items.length} count={count} />
    </DropArea>
  )
}
