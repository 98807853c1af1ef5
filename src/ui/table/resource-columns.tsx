import type { VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'

import type { DrawableMaterial } from '../../domain/materials/geometry/crystal.js'
import { isObject, listObjects, readPath, toObject } from '../api/item.js'
import type { Item, JsonObject } from '../api/item.js'
import { listItems, getItem } from '../api/items.js'
import { useLoad } from '../state/hooks.js'
import { dataState } from '../state/navigation.js'
import { versionOf } from '../state/versions.js'
import { drawThumbnail } from '../structure/thumbnail.js'
import { chooseFieldColumns, createColumn, listFieldPaths } from './columns.js'
import type { Column } from './columns.js'
import { formatValue } from './format-value.js'

const MAIN = { isMain: true }
const WIDE = { shownIn: 'wide' } as const
const ROOMY = { shownIn: 'roomy' } as const

const WORKFLOW: readonly Column[] = [
  { ...createColumn('name', 'Name'), ...MAIN },
  { ...createColumn('properties', 'Computes'), isFlexible: true },
  {
    ...createColumn('subworkflows.application.name', 'Application'),
    fields: { 'subworkflows.application.name': 1 },
    ...WIDE,
    cell: (item) =>
      formatValue([
        ...new Set(
          listObjects(item, 'subworkflows').map((each) =>
            formatValue(readPath(each, ['application', 'name'])),
          ),
        ),
      ]),
  },
  { ...createColumn('tags', 'Tags'), ...WIDE },
  { ...createColumn('updatedAt', 'Changed'), ...ROOMY },
]

const PROPERTY: readonly Column[] = [
  { ...createColumn('data.name', 'Property'), ...MAIN },
  { ...createColumn('data.value', 'Value'), isNumeric: true },
  createColumn('data.units', 'Unit'),
  { ...createColumn('source.info.jobId', 'Job'), ...WIDE },
  { ...createColumn('source.info.unitId', 'Unit of the job'), ...ROOMY },
  { ...createColumn('createdAt', 'Created'), ...ROOMY },
]

/** The columns of the resources whose items have a schema. */
const COLUMNS: Readonly<Record<string, readonly Column[]>> = {
  jobs: [
    { ...createColumn('name', 'Name'), ...MAIN },
    createColumn('status', 'Status'),
    { ...createColumn('_material.slug', 'Material'), ...WIDE, isFlexible: true },
    { ...createColumn('workflow.name', 'Workflow'), ...WIDE, isFlexible: true },
    { ...createColumn('_project.slug', 'Project'), ...ROOMY },
    { ...createColumn('updatedAt', 'Changed'), ...ROOMY },
  ],
  workflows: WORKFLOW,
  'bank-workflows': WORKFLOW,
  properties: PROPERTY,
  'raw-properties': PROPERTY,
  'refined-properties': PROPERTY,
  projects: [
    { ...createColumn('name', 'Name'), ...MAIN },
    createColumn('slug', 'Slug'),
    { ...createColumn('description', 'Description'), isFlexible: true },
    { ...createColumn('isDefault', 'Default'), ...WIDE },
    { ...createColumn('updatedAt', 'Changed'), ...ROOMY },
  ],
}

/** The number of items whose fields become columns, if the items have no schema. */
const SAMPLE = { query: undefined, projection: JSON.stringify({ limit: 20 }) }

/** The columns of a table, and all possible columns. */
interface ColumnChoice {
  /** The columns; undefined until the fields of the items are known. */
  readonly columns: readonly Column[] | undefined
  /** The titles of the usual columns, and the paths of all fields; empty unless `isOpen`. */
  readonly all: readonly string[]
}

/**
 * Returns the columns of the table of a resource: the chosen columns, or else the usual columns.
 * @param chosen titles of usual columns and paths of fields, with commas between them
 * @param isOpen whether to return the paths of all fields
 */
export function useColumns(resource: string, chosen: string, isOpen: boolean): ColumnChoice {
  const known = isMaterials(resource) ? createMaterialColumns([]) : COLUMNS[resource]
  const { data: sample } = useLoad(
    async (signal) =>
      known === undefined || isOpen ? listItems(resource, SAMPLE, signal) : undefined,
    [resource, known === undefined || isOpen, versionOf(resource)],
  )
  const usual = known ?? (sample && chooseFieldColumns(sample))
  if (usual === undefined) return { columns: undefined, all: [] }
  const titles = usual.map(({ title }) => title)
  const shown = new Set(usual.flatMap(({ title, sortPath }) => [title, sortPath]))
  const paths = isOpen && sample !== undefined ? listFieldPaths(sample) : []
  return {
    columns: chosen === '' ? usual : pickColumns(usual, chosen.split(',')),
    all: [...titles, ...paths.filter((path) => !shown.has(path))],
  }
}

/** Returns the usual columns of these titles, and columns of fields. One of them opens the item. */
function pickColumns(usual: readonly Column[], names: readonly string[]): Column[] {
  const picked = names.map(
    (name) => usual.find(({ title }) => title === name) ?? createColumn(name),
  )
  const main = picked.findIndex(({ isMain }) => isMain === true)
  const opener = main === -1 ? picked.findIndex(({ title }) => title !== 'Structure') : main
  const columns = picked.map(({ shownIn: _shownIn, ...column }, index) => ({
    ...column,
    isMain: index === opener,
  }))
  return opener === -1 ? [...columns, { ...createColumn('_id'), isMain: true }] : columns
}

const isMaterials = (resource: string): boolean => /^(?:bank-)?materials$/.test(resource)

/** Completes the columns from the items: the path by which the density is sorted. */
export const completeColumns = (
  columns: readonly Column[],
  items: readonly Item[],
): readonly Column[] => {
  const density = createMaterialColumns(items).find(({ title }) => title === 'Density')
  return columns.map((column) =>
    column.title === 'Density' && density !== undefined ? { ...column, ...density } : column,
  )
}

/** Whether an item is a material: it has a lattice and a basis. */
export const isMaterial = (item: Item): boolean =>
  isObject(item.lattice) && Array.isArray(readPath(item, ['basis', 'elements']))

/** Returns the lengths of a lattice that differ, in Å. */
function formatLengths(item: Item): string {
  const { a, b, c } = toObject(item.lattice)
  const lengths = [a, b, c].filter((each) => typeof each === 'number')
  const distinct = lengths.filter(
    (each, index) => index === 0 || Math.abs(each - (lengths[index - 1] ?? 0)) > 1e-3,
  )
  return distinct.map((each) => each.toFixed(3)).join(' × ')
}

/**
 * The largest number of atoms of a material whose structure comes with the list. A larger structure is
 * loaded when its row is visible.
 */
const MAX_LISTED_ATOMS = 200

/** The names of the fields that a list of materials computes. */
interface ListedMaterial extends Item {
  readonly _atoms?: number
  readonly _basis?: JsonObject
  readonly _density?: number
  /** The place of the density among the derived properties. */
  readonly _densityAt?: number
}

const DERIVED = { $cond: [{ $isArray: '$derivedProperties' }, '$derivedProperties', []] }
const ATOMS = { $cond: [{ $isArray: '$basis.elements' }, '$basis.elements', []] }
const DENSITY = { $filter: { input: DERIVED, cond: { $eq: ['$$this.name', 'density'] } } }
const LATTICE = ['a', 'b', 'c', 'alpha', 'beta', 'gamma', 'type']

/**
 * Returns the columns of materials.
 * @param items the shown items. The column of the density sorts by the place that they have for it among
 *   their derived properties
 */
const createMaterialColumns = (items: readonly ListedMaterial[]): readonly Column[] => [
  {
    title: 'Structure',
    fields: {
      ...Object.fromEntries(LATTICE.map((key) => [`lattice.${key}`, 1])),
      _basis: { $cond: [{ $lte: [{ $size: ATOMS }, MAX_LISTED_ATOMS] }, '$basis', null] },
      isNonPeriodic: 1,
    },
    cell: (item) => <Thumbnail item={item} />,
  },
  {
    ...createColumn('formula', 'Formula'),
    isMain: true,
    cell: (item) => <Formula text={formatValue(item.formula)} />,
  },
  { ...createColumn('name', 'Name'), isFlexible: true },
  {
    title: 'Lattice',
    unit: 'Å',
    fields: Object.fromEntries(LATTICE.map((key) => [`lattice.${key}`, 1])),
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
    fields: { _atoms: { $size: ATOMS } },
    // The ids of atoms count up from 0, and a descending sort compares the largest id.
    sortPath: 'basis.elements.id',
    isDownward: true,
    misfits: { $expr: { $ne: [{ $size: ATOMS }, { $add: [{ $ifNull: [LARGEST_ID, -1] }, 1] }] } },
    isNumeric: true,
    shownIn: 'wide',
    cell: ({ _atoms }: ListedMaterial) => formatValue(_atoms),
  },
  {
    title: 'Density',
    unit: 'g/cm³',
    fields: {
      _density: { $first: { $map: { input: DENSITY, in: '$$this.value' } } },
      _densityAt: {
        $indexOfArray: [{ $map: { input: DERIVED, in: '$$this.name' } }, 'density'],
      },
    },
    ...sortByDerived(items, 'density'),
    isNumeric: true,
    cell: ({ _density }: ListedMaterial) =>
      typeof _density === 'number' ? _density.toFixed(2) : '–',
  },
]

const LARGEST_ID = { $max: '$basis.elements.id' }

/** Sorts by the value of a derived property, whose place in the list must be the same everywhere. */
function sortByDerived(
  items: readonly ListedMaterial[],
  name: string,
): Pick<Column, 'sortPath' | 'misfits'> | undefined {
  const place = items.map(({ _densityAt }) => _densityAt ?? -1).find((index) => index !== -1)
  if (place === undefined) return undefined
  const path = `derivedProperties.${place}`
  const misfits = { 'derivedProperties.name': name, [`${path}.name`]: { $ne: name } }
  return { sortPath: `${path}.value`, misfits }
}

/** A small picture of a material's structure. The row has the same information in words. */
function Thumbnail({ item }: { readonly item: ListedMaterial }): VNode {
  const canvas = useRef<HTMLCanvasElement>(null)
  const { _id = '', _atoms = 0, _basis } = item
  const [isSeen, see] = useState(false)
  const isLarge = _basis === null || (_basis === undefined && _atoms > 0)
  useEffect(() => {
    if (!isLarge || canvas.current === null) return undefined
    const observer = new IntersectionObserver((entries) =>
      see((was) => was || entries.some(({ isIntersecting }) => isIntersecting)),
    )
    observer.observe(canvas.current)
    return () => observer.disconnect()
  }, [isLarge])
  const { data: whole } = useLoad(
    async (signal) =>
      isLarge && isSeen ? getItem(dataState.value.resource || 'materials', _id, signal) : undefined,
    [isLarge && isSeen, item],
  )
  useEffect(() => {
    const { current } = canvas
    if (current === null) return
    if (!isLarge) drawThumbnail(current, { ...item, basis: _basis } as DrawableMaterial)
    else if (whole !== undefined) drawThumbnail(current, whole)
  }, [item, whole])
  return <canvas class="thumbnail" width={96} height={72} aria-hidden="true" ref={canvas} />
}

/** A chemical formula with its numbers below the line. */
export const Formula = ({ text }: { readonly text: string }): VNode => (
  <span class="formula">
    {text.split(/(\d+)/).map((part, index) => (index % 2 === 1 ? <sub>{part}</sub> : part))}
  </span>
)
