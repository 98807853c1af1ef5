import type { VNode } from 'preact'

import type { Item, Json, JsonObject } from '../api/item.js'
import { adjust, pageState } from '../state/navigation.js'
import { formatValue } from '../table/format-value.js'
import { formatFixed } from './lattice-table.js'

/** The number of atoms that are shown at first. */
const FIRST_ATOMS = 24

interface Atom {
  readonly id: Json | undefined
  readonly element: Json | undefined
  readonly coordinate: readonly Json[]
}

/** The atoms of a basis with their coordinates. */
export function BasisTable({ item }: { readonly item: Item }): VNode {
  const basis = (item.basis ?? {}) as JsonObject
  const atoms = listAtoms(basis)
  const shown = pageState.value.atoms === 'all' ? atoms : atoms.slice(0, FIRST_ATOMS)
  return (
    <section>
      <h3>Basis {typeof basis.units === 'string' && <small>{basis.units} coordinates</small>}</h3>
      <table class="numbers-table">
        <thead>
          <tr>
            <th scope="col">Atom</th>
            {['x', 'y', 'z'].map((axis) => (
              <th key={axis} scope="col">
                {axis}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map(({ id, element, coordinate }) => (
            <tr key={String(id)}>
              <th scope="row">
                {formatValue(element)} <small>{formatValue(id)}</small>
              </th>
              {[0, 1, 2].map((axis) => (
                <td key={axis}>{formatFixed(coordinate[axis], 5)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {shown.length < atoms.length && (
        <button type="button" class="small" onClick={() => adjust({ atoms: 'all' })}>
          Show all {atoms.length} atoms
        </button>
      )}
    </section>
  )
}

function listAtoms({ elements, coordinates }: JsonObject): Atom[] {
  if (!Array.isArray(elements)) return []
  const places = new Map(
    (Array.isArray(coordinates) ? (coordinates as JsonObject[]) : []).map(({ id, value }) => [
      id,
      value,
    ]),
  )
  return (elements as JsonObject[]).map(({ id, value }) => {
    const place = places.get(id)
    return { id, element: value, coordinate: Array.isArray(place) ? (place as Json[]) : [] }
  })
}
