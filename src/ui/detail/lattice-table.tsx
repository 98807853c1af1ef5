import type { VNode } from 'preact'

import type { Item, Json, JsonObject } from '../api/item.js'
import { isObject } from '../api/item.js'
import { formatValue } from '../table/format-value.js'

const VECTORS = ['a', 'b', 'c'] as const

/** The lengths (Å) and angles (degrees) of a lattice, and its vectors (Å). */
export function LatticeTable({ item }: { readonly item: Item }): VNode {
  const lattice = (item.lattice ?? {}) as JsonObject
  const vectors = isObject(lattice.vectors ?? null) ? (lattice.vectors as JsonObject) : {}
  return (
    <section>
      <h3>Lattice {typeof lattice.type === 'string' && <small>{lattice.type}</small>}</h3>
      <table class="numbers-table">
        <thead>
          <tr>
            <td />
            <th scope="col">
              Length <small>Å</small>
            </th>
            <th scope="col">
              Angle <small>°</small>
            </th>
            <th scope="col" colSpan={3}>
              Vector <small>Å</small>
            </th>
          </tr>
        </thead>
        <tbody>
          {VECTORS.map((name, index) => (
            <tr key={name}>
              <th scope="row">
                {name}, {['α', 'β', 'γ'][index]}
              </th>
              <td>{formatFixed(lattice[name], 4)}</td>
              <td>{formatFixed(lattice[['alpha', 'beta', 'gamma'][index] as string], 3)}</td>
              {[0, 1, 2].map((axis) => (
                <td key={axis}>{formatFixed((vectors[name] as Json[] | undefined)?.[axis], 4)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** Formats a number with fixed digits, and anything else as it is. */
export const formatFixed = (value: Json | undefined, digits: number): string =>
  typeof value === 'number' ? value.toFixed(digits) : formatValue(value)
