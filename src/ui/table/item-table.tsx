import type { VNode } from 'preact'

import type { Item } from '../api/item.js'
import { navigate } from '../state/navigation.js'
import type { Column } from './column.js'
import { ItemRow } from './item-row.js'
import { moveFocus } from './move-focus.js'
import { SortButton } from './sort-button.js'

/** The properties of a table of items. */
export interface ItemTableProps {
  readonly items: readonly Item[]
  readonly columns: readonly Column[]
  /** The `_id` of the item that is open beside the table. */
  readonly openId: string
}

/** A table of items. A row opens its item; the arrow keys go from row to row. */
export const ItemTable = ({ items, columns, openId }: ItemTableProps): VNode => (
  <table class="items">
    <thead>
      <tr>
        {columns.map((column) => (
          <SortButton key={column.title} column={column} />
        ))}
      </tr>
    </thead>
    <tbody onKeyDown={moveFocus}>
      {items.map((item, index) => (
        <ItemRow
          key={item._id ?? index}
          item={item}
          columns={columns}
          isOpen={item._id !== undefined && item._id === openId}
          onOpen={() => item._id !== undefined && navigate({ item: item._id })}
        />
      ))}
    </tbody>
  </table>
)
