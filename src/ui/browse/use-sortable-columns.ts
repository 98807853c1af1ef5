import { listItems } from '../api/items.js'
import { dataVersion } from '../state/data-version.js'
import { useLoad } from '../state/use-load.js'
import type { Column } from '../table/column.js'

const ONE_ID = JSON.stringify({ limit: 1, fields: { _id: 1 } })

/** Returns the columns; one whose path would sort an item of the resource wrongly can't be sorted. */
export function useSortableColumns(
  resource: string,
  columns: readonly Column[],
): readonly Column[] {
  const queries = columns.map(({ misfits }) => misfits && JSON.stringify(misfits))
  const { data: areRight } = useLoad(
    (signal) =>
      Promise.all(
        queries.map(async (query) => {
          if (query === undefined) return true
          const parameters = { query, projection: ONE_ID }
          const found = await listItems(resource, parameters, signal).catch(() => [undefined])
          return found.length === 0
        }),
      ),
    [resource, JSON.stringify(queries), dataVersion.value],
  )
  return columns.map((column, index) => {
    if (column.misfits === undefined || areRight?.[index] === true) return column
    const { sortPath: _sortPath, ...rest } = column
    return rest
  })
}
