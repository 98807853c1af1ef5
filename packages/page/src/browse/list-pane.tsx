import type { VNode } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'

import type { Item } from '../api/item.js'
import { countItems, listItems, listPage } from '../api/items.js'
import type { ListParameters } from '../api/items.js'
import { API, basePath } from '../http/send.js'
import {
  composeList,
  formatPage,
  formatSize,
  PAGE_SIZES,
  pageNumber,
  pageSize,
  skipOf,
} from '../search/compose-list.js'
import type { ComposedList } from '../search/compose-list.js'
import { formatCurl } from '../search/request-snippets.js'
import { MissingItem, SearchBar } from '../search/search-bar.js'
import { isReadOnly, isStrict, isWritable, session } from '../session/session.js'
import { useLoad } from '../state/hooks.js'
import { dataState, navigate } from '../state/navigation.js'
import { versionOf } from '../state/versions.js'
import { chooseFieldColumns, composeFields } from '../table/columns.js'
import type { Column } from '../table/columns.js'
import { ItemTable } from '../table/item-table.js'
import { loadNames } from '../table/reference-names.js'
import { completeColumns } from '../table/listed-material.js'
import { kindOf, useColumns } from '../table/resource-columns.js'
import { CodeBlock } from '../widgets/code-block.js'
import { Link } from '../widgets/link.js'
import { closeOnEscape } from '../widgets/pane.js'
import { Notice } from '../widgets/toasts.js'
import { SelectionBar, useSelection } from '../write/item-actions.js'
import { madeIds, DropArea, nameItem, NewItemButton } from '../write/new-items.js'
import { ColumnChooser } from './column-chooser.js'
import { findShown, firstMaterial } from './preview.js'

/** The sorts of lists that nobody has sorted: the newest jobs first. */
const USUAL_SORTS: Readonly<Record<string, string>> = { jobs: '{"createdAt":-1}' }

const NO_ITEMS: readonly Item[] = []

export function ListPane({ resource }: { readonly resource: string }): VNode {
  const { fields, columns: chosen, page, size, order } = dataState.value
  const [isChoosing, setChoosing] = useState(false)
  const selection = useSelection()
  const usual = useColumns(resource, chosen, isChoosing)
  const isReversed = order === 'reversed'
  const shownFields = usual.columns && JSON.stringify(composeFields(usual.columns))
  const isReady = fields.trim() !== '' || shownFields !== undefined
  const { query, projection } = toParameters(compose(resource, undefined, shownFields))
  const loaded = useLoad(
    async (signal) => {
      if (!isReady) return undefined
      const end = isReversed ? await countItems(resource, query, signal) : undefined
      const { items, total } = await listPage(
        resource,
        toParameters(compose(resource, end, shownFields)),
        signal,
      )
      const columns = usual.columns ?? []
      await loadNames(
        items.flatMap((each) => columns.flatMap(({ reference }) => reference?.(each) ?? [])),
        signal,
      )
      return { items: isReversed ? items.toReversed() : items, end, total: end ?? total }
    },
    [resource, isReady, query, projection, isReversed],
    versionOf(resource),
  )
  const items = loaded.data?.items ?? NO_ITEMS
  useEffect(() => {
    if (resource === 'materials' && (loaded.data ?? loaded.error) !== undefined)
      firstMaterial.value = items[0]?._id ?? ''
  }, [resource, loaded.data, loaded.error])
  const made = useMadeItems(resource, query, shownFields, items)
  const isUsual = fields.trim() === ''
  const columns = useSortableColumns(
    resource,
    useMemo(
      () => (isUsual ? completeColumns(usual.columns ?? [], items) : chooseFieldColumns(items)),
      [isUsual, usual.columns, items],
    ),
  )
  // The fields for the table are not part of the typed list.
  const list = compose(resource, isReversed ? loaded.data?.end : undefined, undefined)
  return (
    <DropArea resource={resource}>
      <SearchBar resource={resource} list={list} error={loaded.error ?? usual.error}>
        {isUsual && (
          <ColumnChooser
            all={usual.all}
            shown={(usual.columns ?? []).map(({ title }) => title)}
            onOpen={setChoosing}
          />
        )}
        {isStrict.value && (
          <span
            class="kind-of-server muted"
            title="--strict: the server accepts only what the platform documents, and items must be whole"
          >
            Strict server
          </span>
        )}
        {isReadOnly.value && <span class="kind-of-server muted">Read-only server</span>}
        {isWritable(resource) && <NewItemButton resource={resource} />}
      </SearchBar>
      <div
        class={loaded.error === undefined ? 'table-scroll' : 'table-scroll stale'}
        aria-busy={loaded.isLoading}
        tabIndex={0}
        role="region"
        onKeyDown={closeOnEscape}
        aria-label={`Table of ${resource}`}
      >
        {loaded.data === undefined && loaded.error === undefined ? (
          <p class="notice starting">Loading…</p>
        ) : items.length === 0 && made.length === 0 ? (
          loaded.data !== undefined && (
            <EmptyList
              resource={resource}
              isFiltered={query !== undefined}
              lastPage={Math.ceil((loaded.data.total ?? 0) / pageSize(size))}
            />
          )
        ) : (
          <ItemTable
            items={[...made, ...items]}
            columns={columns}
            openId={findShown(resource) ?? ''}
            selection={selection}
          />
        )}
      </div>
      {selection.ids.size > 0 && <SelectionBar resource={resource} selection={selection} />}
      <Pager
        page={pageNumber(page)}
        size={pageSize(size)}
        shown={items.length}
        count={loaded.data?.total}
        isStale={loaded.error !== undefined}
      />
    </DropArea>
  )
}

/** Returns the items that this page has made and that match, but are on another page. They are shown first. */
function useMadeItems(
  resource: string,
  listQuery: string | undefined,
  shownFields: string | undefined,
  items: readonly Item[],
): readonly Item[] {
  const ids = [...madeIds.value].filter((id) => items.every(({ _id }) => _id !== id))
  const isMade = JSON.stringify({ _id: { $in: ids } })
  const query = listQuery === undefined ? isMade : `{"$and":[${isMade},${listQuery}]}`
  const { data: made = [] } = useLoad(
    async (signal) => {
      const fields = shownFields === undefined ? {} : { fields: JSON.parse(shownFields) as object }
      const projection = JSON.stringify({ limit: 500, ...fields })
      return ids.length === 0 ? [] : listItems(resource, { query, projection }, signal)
    },
    [resource, shownFields, query],
    versionOf(resource),
  )
  return made.filter(({ _id = '' }) => ids.includes(_id))
}

interface EmptyListProps {
  readonly resource: string
  readonly isFiltered: boolean
  /** The number of the last page that has items; 0 if there are none. */
  readonly lastPage: number
}

function EmptyList({ resource, isFiltered, lastPage }: EmptyListProps): VNode {
  const { panel, page } = dataState.value
  if (lastPage > 0) {
    return (
      <div class="empty-list button-line">
        <Notice kind="info">{`There is no page ${page}. The last one is ${lastPage}.`}</Notice>
        <Link class="button" to={{ page: formatPage(lastPage) }}>
          Show page {lastPage}
        </Link>
      </div>
    )
  }
  if (!isFiltered) {
    const { username, headers } = { ...session.value }
    const code = formatCurl({
      origin: location.origin + basePath(),
      path: `${API}/${resource}/create`,
      method: 'PUT',
      headers: { ...headers, 'Content-Type': 'application/json' },
      parameters: {},
      body: '{"name": "New"}',
    })
    return (
      <div class="empty-list stack">
        <Notice kind="info">
          {`${resource} has no items that ${username} sees.`}
          {isWritable(resource) && ` Create one with New ${nameItem(resource)}, or from a shell:`}
        </Notice>
        {isWritable(resource) && <CodeBlock code={code} label="a request that creates an item" />}
      </div>
    )
  }
  return (
    <div class="empty-list button-line">
      <Notice kind="info">No item matches.</Notice>
      <Link class="button" to={{ search: '', query: '', page: '' }}>
        Show all
      </Link>
      {panel === '' && <MissingItem />}
    </div>
  )
}

/**
 * @param end the number of items on all pages, if the list is read from its end
 * @param shownFields the requested fields if no `fields` are typed
 */
const compose = (
  resource: string,
  end: number | undefined,
  shownFields: string | undefined,
): ComposedList =>
  composeList({
    ...dataState.value,
    sort: dataState.value.sort || (USUAL_SORTS[kindOf(resource)] ?? ''),
    end,
    shownFields,
  })

const toParameters = ({ query, projection }: ComposedList): ListParameters => ({
  query: query?.text,
  projection: projection.text,
})

interface PagerProps {
  readonly page: number
  readonly size: number
  readonly shown: number
  readonly count: number | undefined
  readonly isStale: boolean
}

function Pager({ page, size, shown, count, isStale }: PagerProps): VNode {
  const first = skipOf(page, size) + 1
  const last = first + shown - 1
  const hasNext = count === undefined ? shown === size : last < count
  return (
    <nav class="pager button-line" aria-label="Pages">
      <span class="numbers" role="status">
        {isStale && shown > 0 && 'The list has failed. These items are from the previous list: '}
        {shown > 0 ? `${first}–${last}` : count !== undefined && '0'}
        {count !== undefined && ` of ${count}`}
      </span>
      {page > 1 && (
        <Link class="button small" to={{ page: formatPage(page - 1) }}>
          Previous
        </Link>
      )}
      {hasNext && (
        <Link class="button small" to={{ page: formatPage(page + 1) }}>
          Next
        </Link>
      )}
      <select
        class="small"
        aria-label="Items a page"
        value={String(size)}
        onChange={({ currentTarget }) =>
          navigate({ size: formatSize(Number(currentTarget.value)), page: '' })
        }
      >
        {[...new Set([...PAGE_SIZES, size])]
          .toSorted((a, b) => a - b)
          .map((each) => (
            <option key={each} value={String(each)}>
              {each} a page
            </option>
          ))}
      </select>
    </nav>
  )
}

/** Returns the columns. A column whose path would sort an item wrongly can't be sorted. */
function useSortableColumns(resource: string, columns: readonly Column[]): readonly Column[] {
  const queries = columns.map(({ misfits }) => misfits && JSON.stringify(misfits))
  const { data: areRight } = useLoad(
    (signal) =>
      Promise.all(
        queries.map(
          async (query) =>
            query === undefined ||
            (await countItems(resource, query, signal).catch(() => undefined)) === 0,
        ),
      ),
    [resource, JSON.stringify(queries)],
    versionOf(resource),
  )
  return useMemo(
    () =>
      columns.map((column, index) => {
        if (column.misfits === undefined || areRight?.[index] === true) return column
        const { sortPath: _sortPath, ...rest } = column
        return rest
      }),
    [columns, areRight],
  )
}
