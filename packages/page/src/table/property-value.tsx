import type { VNode } from 'preact'

import { findObjects } from '@materials-mock/json'
import type { JsonObject } from '@materials-mock/json'
import { toResource } from '../state/page-state.js'
import { Link } from '../widgets/link.js'
import { formatUnits, formatValue } from './format-value.js'

/** The largest number of values with names that are shown in one line. */
const MAX_VALUES = 3

/** The `fields` of a list of properties for their values. One more value than is shown tells that there are more. */
export const VALUE_FIELDS = {
  'data.value': 1,
  'data.units': 1,
  'data.materialId': 1,
  'data.values': { $slice: MAX_VALUES + 1 },
}

/** The value of a property with its unit, in one line, or the kind of its value. */
export function PropertyValue({ data }: { readonly data: JsonObject }): VNode {
  const { value, units, materialId } = data
  const isScalar = value !== undefined && typeof value !== 'object'
  if (!isScalar && typeof materialId === 'string')
    return <Link to={toResource('materials', materialId)}>the material</Link>
  const list = isScalar ? [] : findObjects(data, 'values')
  const areNamed = list.every((each) => typeof each.value === 'number')
  const named = list.map(
    (each) => `${formatValue(each.type ?? each.id)} ${formatValue(each.value)}`,
  )
  const isShort = areNamed && named.length > 0 && named.length <= MAX_VALUES
  return (
    <>
      {isScalar ? formatValue(value) : isShort ? named.join(', ') : 'several values'}{' '}
      <small>{formatUnits((areNamed ? list[0]?.units : undefined) ?? units)}</small>
    </>
  )
}
