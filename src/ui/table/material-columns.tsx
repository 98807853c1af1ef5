import type { VNode } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

import { isObject } from '../api/item.js'
import type { Item, Json, JsonObject } from '../api/item.js'
import { drawThumbnail } from '../structure/thumbnail.js'
import { chooseFieldColumns, readPath } from './field-columns.js'
import type { Column } from './field-columns.js'
import { formatValue } from './format-value.js'

/** Whether an item is a material: it has a lattice and a basis. */
export const isMaterial = (item: Item): boolean =>
  isObject(item.lattice ?? null) && Array.isArray(readPath(item, ['basis', 'elements']))

/** Returns the value of a derived property, such as `density`. */
export function findDerived(item: Item, name: string): JsonObject | undefined {
  const list = Array.isArray(item.derivedProperties) ? (item.derivedProperties as Json[]) : []
  return list.find((each): each is JsonObject => isObject(each) && each.name === name)
}

/** Returns the number of atoms in the cell. */
export const countAtoms = (item: Item): number | undefined => {
  const elements = readPath(item, ['basis', 'elements'])
  return Array.isArray(elements) ? elements.length : undefined
}

/** Returns the lengths of a lattice that differ, in Å. */
function formatLengths(item: Item): string {
  const { a, b, c } = (item.lattice ?? {}) as JsonObject
  const lengths = [a, b, c].filter((each) => typeof each === 'number')
  const distinct = lengths.filter(
    (each, index) => index === 0 || Math.abs(each - (lengths[index - 1] ?? 0)) > 1e-3,
  )
  return distinct.map((each) => each.toFixed(3)).join(' × ')
}

/**
 * Returns the columns of materials.
 * @param items those that are shown; the place of the density among their derived properties is where
 *   all materials should have it
 */
export const createMaterialColumns = (items: readonly Item[]): readonly Column[] => [
  { title: 'Structure', cell: (item) => <Thumbnail item={item} /> },
  {
    title: 'Formula',
    sortPath: 'formula',
    isMain: true,
    cell: (item) => <Formula text={formatValue(item.formula)} />,
  },
  {
    title: 'Name',
    sortPath: 'name',
    isFlexible: true,
    cell: (item) => formatValue(item.name),
  },
  {
    title: 'Lattice',
    unit: 'Å',
    sortPath: 'lattice.type',
    shownIn: 'wide',
    cell: (item) => (
      <>
        {readPath(item, ['lattice', 'type'])} <span class="roomy-only">{formatLengths(item)}</span>
      </>
    ),
  },
  {
    title: 'Atoms',
    // The ids of atoms count up from 0, and a descending sort compares the largest one.
    sortPath: 'basis.elements.id',
    isDownward: true,
    misfits: { $expr: { $ne: [{ $size: ATOMS }, { $add: [{ $ifNull: [LARGEST_ID, -1] }, 1] }] } },
    isNumeric: true,
    shownIn: 'wide',
    cell: (item) => formatValue(countAtoms(item)),
  },
  {
    title: 'Density',
    unit: 'g/cm³',
    ...sortByDerived(items, 'density'),
    isNumeric: true,
    cell: (item) => {
      const density = findDerived(item, 'density')?.value
      return typeof density === 'number' ? density.toFixed(2) : '–'
    },
  },
]

/** The atoms of a material and the largest of their ids, as expressions. */
const ATOMS = { $ifNull: ['$basis.elements', []] }
const LARGEST_ID = { $max: '$basis.elements.id' }

/** Sorts by the value of a derived property, whose place in the list must be the same everywhere. */
function sortByDerived(
  items: readonly Item[],
  name: string,
): Pick<Column, 'sortPath' | 'misfits'> | undefined {
  const lists = items.map(({ derivedProperties }) => derivedProperties).filter(Array.isArray)
  const place = lists
    .map((list) => list.findIndex((each) => isObject(each) && each.name === name))
    .find((index) => index !== -1)
  if (place === undefined) return undefined
  const path = `derivedProperties.${place}`
  const misfits = { 'derivedProperties.name': name, [`${path}.name`]: { $ne: name } }
  return { sortPath: `${path}.value`, misfits }
}

/** Chooses the columns of a table. If `fields` are named, the items have only those. */
export function chooseColumns(items: readonly Item[], fields: string): readonly Column[] {
  const areMaterials = fields === '' && items.some(isMaterial)
  return areMaterials ? createMaterialColumns(items) : chooseFieldColumns(items)
}

/** A small picture of a material's structure. It tells nothing that the row does not say in words. */
export function Thumbnail({ item }: { readonly item: Item }): VNode {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    if (canvas.current !== null) drawThumbnail(canvas.current, item)
  }, [item])
  return <canvas class="thumbnail" width={96} height={72} aria-hidden="true" ref={canvas} />
}

/** A chemical formula with its numbers below the line. */
export const Formula = ({ text }: { readonly text: string }): VNode => (
  <span class="formula">
    {text.split(/(\d+)/).map((part, index) => (index % 2 === 1 ? <sub>{part}</sub> : part))}
  </span>
)
