import type { VNode } from 'preact'
import { useMemo } from 'preact/hooks'

import { isBlank, nameOf } from '../api/item.js'
import type { Item } from '../api/item.js'
import { nextSort, readDirection } from '../search/compose-list.js'
import { navigate, dataState } from '../state/navigation.js'
import { Link } from '../widgets/link.js'
import type { Selection } from '../write/item-actions.js'
import { madeIds } from '../write/new-items.js'
import type { Column } from './columns.js'

interface ItemTableProps {
  readonly items: readonly Item[]
  readonly columns: readonly Column[]
  readonly openId: string
  readonly selection: Selection
}

/** A table of items. A row opens its item. */
export function ItemTable({ items, columns, openId, selection }: ItemTableProps): VNode {
  const ids = items.flatMap(({ _id }) => _id ?? [])
  const areAll = ids.length > 0 && ids.every((id) => selection.ids.has(id))
  return (
    <table class="items">
      <thead>
        <tr>
          <th scope="col" class="select">
            <input
              type="checkbox"
              aria-label="Select all items of this page"
              checked={areAll}
              onChange={() => selection.select(areAll ? [] : [...selection.ids, ...ids])}
            />
          </th>
          {columns.map((column) => (
            <SortButton key={column.title} column={column} />
          ))}
        </tr>
      </thead>
      <tbody>
        {items.map((item, index) => (
          <ItemRow
            key={item._id ?? index}
            item={item}
            columns={columns}
            isOpen={item._id !== undefined && item._id === openId}
            isSelected={item._id !== undefined && selection.ids.has(item._id)}
            onSelect={selection.toggle}
          />
        ))}
      </tbody>
    </table>
  )
}

interface ItemRowProps {
  readonly item: Item
  readonly columns: readonly Column[]
  readonly isOpen: boolean
  readonly isSelected: boolean
  readonly onSelect: (id: string) => void
}

/** A row of a table of items. Its main cell is a link to the item. It is drawn again only if it changes. */
function ItemRow({ item, columns, isOpen, isSelected, onSelect }: ItemRowProps): VNode {
  const { _id: id } = item
  const isMade = id !== undefined && madeIds.value.has(id)
  return useMemo(
    () => (
      <tr
        class={isOpen ? 'open' : undefined}
        onClick={(event) => {
          const isControl = (event.target as Element).closest('a, button, .select') !== null
          if (!isControl && id !== undefined) navigate({ item: id })
        }}
      >
        <td class="select">
          {id !== undefined && (
            <input
              type="checkbox"
              aria-label={`Select ${String(nameOf(item))}`}
              checked={isSelected}
              onChange={() => onSelect(id)}
            />
          )}
        </td>
        {columns.map((column) => (
          <ItemCell
            key={column.title}
            item={item}
            column={column}
            isOpen={isOpen}
            isMade={isMade}
          />
        ))}
      </tr>
    ),
    [item, columns, isOpen, isSelected, isMade, onSelect],
  )
}

interface ItemCellProps {
  readonly item: Item
  readonly column: Column
  readonly isOpen: boolean
  readonly isMade: boolean
}

function ItemCell({ item, column, isOpen, isMade }: ItemCellProps): VNode {
  const { _id: id } = item
  const content = column.cell(item)
  if (column.isMain === true) {
    return (
      <th scope="row">
        {id === undefined ? (
          content
        ) : (
          <Link to={{ item: id }} current={isOpen}>
            {isBlank(content) ? id : content}
          </Link>
        )}
        {isMade && <span class="badge made">new</span>}
      </th>
    )
  }
  return <td class={classOf(column)}>{content}</td>
}

const classOf = ({ isNumeric, shownIn, isFlexible }: Column): string | undefined =>
  [isNumeric && 'numeric', shownIn && `${shownIn}-only`, isFlexible && 'flexible']
    .filter(Boolean)
    .join(' ') || undefined

/** The head of a column; a click sorts upward, then downward, then not at all. */
function SortButton({ column }: { readonly column: Column }): VNode {
  const { title, unit, sortPath, isDownward = false } = column
  const label = (
    <span>
      {title}
      {unit !== undefined && <small> {unit}</small>}
    </span>
  )
  if (sortPath === undefined) {
    return (
      <th scope="col" class={`unsorted ${classOf(column) ?? ''}`}>
        {label}
      </th>
    )
  }
  const direction = readDirection(dataState.value, sortPath)
  return (
    <th
      scope="col"
      class={classOf(column)}
      aria-sort={direction === 1 ? 'ascending' : direction === -1 ? 'descending' : 'none'}
    >
      <button
        type="button"
        class="sort"
        onClick={() => navigate({ ...nextSort(dataState.value, sortPath, isDownward), page: '' })}
      >
        {label}
        <span class="arrow" aria-hidden="true">
          {direction === 1 ? '↑' : direction === -1 ? '↓' : '↕'}
        </span>
      </button>
    </th>
  )
}
