import type { VNode } from 'preact'

import { isObject } from '../api/item.js'
import type { Item, Json } from '../api/item.js'
import { formatValue } from './format-value.js'

const MAX_DEPTH = 3

/** The fields of an item that have a plain value, by path. */
export const FieldTable = ({ item }: { readonly item: Item }): VNode => (
  <table class="facts">
    <tbody>
      {listFields(item, '', 1).map(([path, value]) => (
        <tr key={path}>
          <th scope="row">{path}</th>
          <td>{formatValue(value)}</td>
        </tr>
      ))}
    </tbody>
  </table>
)

function listFields(item: Item, prefix: string, depth: number): [string, Json][] {
  return Object.entries(item).flatMap(([key, value]): [string, Json][] => {
    if (value === undefined) return []
    if (isObject(value))
      return depth < MAX_DEPTH ? listFields(value, `${prefix}${key}.`, depth + 1) : []
    const isPlain = !Array.isArray(value) || value.every((each) => typeof each !== 'object')
    const isEmpty = Array.isArray(value) && value.length === 0
    return isPlain && !isEmpty ? [[prefix + key, value]] : []
  })
}
