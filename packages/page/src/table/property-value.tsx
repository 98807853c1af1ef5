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

interface PropertyValueProps {
  readonly data: JsonObject
}

/** The value of a property with its unit, in one line, or the kind of its value. */
export function PropertyValue({ data }: PropertyValueProps): VNode {
  const { value, units, materialId, values } = data
  const isScalar = value !== undefined && typeof value !== 'object'
  if (!isScalar && typeof materialId === 'string')
    return <Link to={toResource('materials', materialId)}>the material</Link>
  const list = findObjects(data, 'values')
  const isNamed =
    list.length > 0 &&
    list.length <= MAX_VALUES &&
    list.every((each) => typeof each.value === 'number')
  const named = list.map(
    (each) => `${formatValue(each.type ?? each.id)} ${formatValue(each.value)}`,
  )
  const isCurve = value === undefined && values === undefined
  return (
    <>
      {isScalar
        ? formatValue(value)
        : isNamed
          ? named.join(', ')
          : isCurve
            ? '–'
            : 'several values'}{' '}
      <small>{formatUnits((isNamed && !isScalar ? list[0]?.units : undefined) ?? units)}</small>
    </>
  )
}
