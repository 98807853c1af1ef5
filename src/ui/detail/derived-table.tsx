import type { VNode } from 'preact'

import type { Item, JsonObject } from '../api/item.js'
import { isObject } from '../api/item.js'
import { formatValue } from '../table/format-value.js'

/** The derived properties of a material. */
export function DerivedTable({ item }: { readonly item: Item }): VNode | null {
  const list = Array.isArray(item.derivedProperties) ? item.derivedProperties : []
  const properties = list.filter((each): each is JsonObject => isObject(each))
  if (properties.length === 0) return null
  return (
    <section>
      <h3>Derived properties</h3>
      <table class="facts">
        <tbody>
          {properties.map((property, index) => (
            <tr key={index}>
              <th scope="row">{describeName(property)}</th>
              <td>
                {formatValue(property.value ?? property.spaceGroupSymbol)}{' '}
                <small>{typeof property.units === 'string' && formatUnits(property.units)}</small>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function describeName({ name, element, degree }: JsonObject): string {
  const which = element ?? degree
  const words = formatValue(name).replaceAll('_', ' ')
  return which === undefined ? words : `${words} ${formatValue(which)}`
}

const formatUnits = (units: string): string => units.replace('angstrom', 'Å').replace('^3', '³')
