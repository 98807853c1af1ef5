import type { VNode } from 'preact'

import type { Item } from '../api/item.js'
import { Link } from '../widgets/link.js'
import type { Column } from './column.js'

/** The properties of a row. */
export interface ItemRowProps {
  readonly item: Item
  readonly columns: readonly Column[]
  readonly isOpen: boolean
  readonly onOpen: () => void
}

/** A row of a table of items. Its main cell is a link to the item. */
export const ItemRow = ({ item, columns, isOpen, onOpen }: ItemRowProps): VNode => (
  <tr
    class={isOpen ? 'open' : undefined}
    onClick={(event) => {
      if ((event.target as Element).closest('a, button') === null) onOpen()
    }}
  >
    {columns.map((column) => {
      const classes = [
        column.isNumeric && 'numeric',
        column.shownIn && `${column.shownIn}-only`,
        column.isFlexible && 'flexible',
      ].filter(Boolean)
      const content = column.cell(item)
      const id = item._id
      return column.isMain ? (
        <th scope="row" key={column.title}>
          {id === undefined ? (
            content
          ) : (
            <Link to={{ item: id }} current={isOpen}>
              {content}
            </Link>
          )}
        </th>
      ) : (
        <td key={column.title} class={classes.join(' ') || undefined}>
          {content}
        </td>
      )
    })}
  </tr>
)
