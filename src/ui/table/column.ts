import type { ComponentChildren } from 'preact'

import type { Item } from '../api/item.js'

/** A column of a table of items. */
export interface Column {
  readonly title: string
  /** The unit of the numbers, behind the title. */
  readonly unit?: string
  /** The path that a click sorts by. A column without one can't be sorted. */
  readonly sortPath?: string
  /** The only direction of sorting, where the other one makes no sense. */
  readonly onlyDirection?: 1 | -1
  readonly isNumeric?: boolean
  /** Whether a narrow page leaves the column out. */
  readonly isWide?: boolean
  readonly isMain?: boolean
  readonly cell: (item: Item) => ComponentChildren
}
