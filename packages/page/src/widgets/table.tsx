import type { ComponentChildren, VNode } from 'preact'

interface Head {
  /** An empty title stands for a column without a head. */
  readonly title: string
  readonly unit?: string
  /** The class of the head, and of the cells below it. */
  readonly class?: string
  /** The number of columns below it. */
  readonly span?: number
}

interface TableProps {
  readonly class?: string
  readonly heads?: readonly Head[]
  /** The cells of each row. The first cell is the head of the row. */
  readonly rows: readonly (readonly ComponentChildren[])[]
}

/** A table of facts or numbers. Without heads, a row is a fact with its name. */
export const Table = ({ heads, rows, ...rest }: TableProps): VNode => (
  <table class={rest.class ?? 'facts'}>
    {heads !== undefined && <TableHead heads={heads} />}
    <tbody>
      {rows.map(([name, ...cells], row) => (
        <tr key={row}>
          <th scope="row">{name}</th>
          {cells.map((cell, index) => (
            <td key={index} class={heads?.[index + 1]?.class}>
              {cell}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
)

export const TableHead = ({ heads }: { readonly heads: readonly Head[] }): VNode => (
  <thead>
    <tr>
      {heads.map(({ title, unit, span, ...rest }) =>
        title === '' ? (
          <td />
        ) : (
          <th key={title} scope="col" class={rest.class} colSpan={span}>
            {title}
            {unit !== undefined && <small> {unit}</small>}
          </th>
        ),
      )}
    </tr>
  </thead>
)
