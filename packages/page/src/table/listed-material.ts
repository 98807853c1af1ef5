import { findObjects, isJsonObject, toObject, valueAt } from '@materials-mock/json'
import type { Item } from '../api/item.js'
import type { Column } from './columns.js'

/** A material of a list, with the fields that the list computes. */
interface ListedMaterial extends Item {
  readonly _atoms?: number
  readonly _density?: number
  /** The place of the density among the derived properties. */
  readonly _densityAt?: number
}

/** Whether an item is a material: it has a lattice and a basis. */
export const isMaterial = (item: Item): boolean =>
  isJsonObject(item.lattice) && Array.isArray(valueAt(item, ['basis', 'elements']))

/** Returns the lengths of a lattice that differ, in Å. */
export function formatLengths(item: Item): string {
  const { a, b, c } = toObject(item.lattice)
  const lengths = [a, b, c].filter((each) => typeof each === 'number')
  const distinct = lengths.filter(
    (each, index) => index === 0 || Math.abs(each - (lengths[index - 1] ?? 0)) > 1e-3,
  )
  return distinct.map((each) => each.toFixed(3)).join(' × ')
}

const DERIVED = { $cond: [{ $isArray: '$derivedProperties' }, '$derivedProperties', []] }
const ATOMS = { $cond: [{ $isArray: '$basis.elements' }, '$basis.elements', []] }
const DENSITY = { $filter: { input: DERIVED, cond: { $eq: ['$$this.name', 'density'] } } }

/** The `fields` of a list of materials for what its columns show. */
export const MATERIAL_FIELDS = {
  lattice: Object.fromEntries(['a', 'b', 'c', 'type'].map((key) => [`lattice.${key}`, 1])),
  atoms: { _atoms: { $size: ATOMS } },
  density: {
    _density: { $first: { $map: { input: DENSITY, in: '$$this.value' } } },
    _densityAt: {
      $indexOfArray: [{ $map: { input: DERIVED, in: '$$this.name' } }, 'density'],
    },
  },
}

/** Returns a listed material with what a migrated list, which ignores `fields`, does not compute. */
export function toListed(item: Item): ListedMaterial {
  const { basis, derivedProperties } = item
  const derived = Array.isArray(derivedProperties) ? derivedProperties.map(toObject) : []
  const densityAt = derived.findIndex(({ name }) => name === 'density')
  const density = derived[densityAt]?.value
  return {
    _atoms: findObjects(basis, 'elements').length,
    ...(typeof density === 'number' && { _density: density }),
    _densityAt: densityAt,
    ...item,
  }
}

const LARGEST_ID = { $max: '$basis.elements.id' }

/** The ids of atoms count up from 0, and a descending sort compares the largest id. */
export const SORT_BY_ATOMS = {
  sortPath: 'basis.elements.id',
  isDownward: true,
  misfits: { $expr: { $ne: [{ $size: ATOMS }, { $add: [{ $ifNull: [LARGEST_ID, -1] }, 1] }] } },
}

/** The density sorts by the place that items have for it among their derived properties. */
export function completeColumns(
  columns: readonly Column[],
  items: readonly Item[],
): readonly Column[] {
  const place = items.map((item) => toListed(item)._densityAt ?? -1).find((index) => index !== -1)
  if (place === undefined) return columns
  const path = `derivedProperties.${place}`
  // The place must be the same everywhere.
  const misfits = { 'derivedProperties.name': 'density', [`${path}.name`]: { $ne: 'density' } }
  return columns.map((column) =>
    column.fields === MATERIAL_FIELDS.density
      ? { ...column, sortPath: `${path}.value`, misfits }
      : column,
  )
}
