import type { Item } from '../api/item.js'
import type { Column } from './column.js'
import { chooseFieldColumns } from './field-columns.js'
import { createMaterialColumns, isMaterial } from './material-columns.js'

/** Chooses the columns of a table. If `fields` are named, the items have only those. */
export function chooseColumns(items: readonly Item[], fields: string): readonly Column[] {
  const areMaterials = fields === '' && items.some(isMaterial)
  return areMaterials ? createMaterialColumns(items) : chooseFieldColumns(items)
}
