import type { ComponentChildren } from 'preact'

import type { Item, JsonObject } from '../api/item.js'

/** A column of a table of items. */
export interface Column {
  readonly title: string
  /** The unit of the numbers, behind the title. */
  readonly unit?: string
  /** The path that a click sorts by. A column without one can't be sorted. */
  readonly sortPath?: string
  /** Matches the items that the path would sort wrongly. If there is one, the column can't be sorted. */
  readonly misfits?: JsonObject
  /** Whether only a downward sort by the path is right; the list is read from its end for the other one. */
  readonly isDownward?: boolean
  readonly isNumeric?: boolean
  /** The tables that have the column: wide ones, or only roomy ones; all, if it is not given. */
  readonly shownIn?: 'wide' | 'roomy'
  readonly isMain?: boolean
  /** Whether a narrow table shortens the texts of the column, so that the others fit. */
  readonly isFlexible?: boolean
  readonly cell: (item: Item) => ComponentChildren
}
