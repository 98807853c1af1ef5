import type { Item, JsonObject } from '../api/item.js'
import { listItems } from '../api/items.js'
import { useLoad } from '../state/hooks.js'
import { chooseFieldColumns, createColumn, listFieldPaths, readPath } from './field-columns.js'
import type { Column } from './field-columns.js'
import { formatValue } from './format-value.js'
import { createMaterialColumns } from './material-columns.js'

const MAIN = { isMain: true }
const WIDE = { shownIn: 'wide' } as const
const ROOMY = { shownIn: 'roomy' } as const

const WORKFLOW: readonly Column[] = [
  { ...createColumn('name', 'Name'), ...MAIN },
  createColumn('properties', 'Computes'),
  {
    ...createColumn('subworkflows.application.name', 'Application'),
    fields: { 'subworkflows.application.name': 1 },
    cell: (item) =>
      formatValue([
        ...new Set(
          listObjects(item.subworkflows).map((each) =>
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

const listObjects = (value: Item[string]): JsonObject[] =>
  Array.isArray(value) ? (value as JsonObject[]) : []

/** The number of items whose fields become columns, if the items have no schema. */
const SAMPLE = { query: undefined, projection: JSON.stringify({ limit: 20 }) }

/** The columns of a table, and all possible columns. */
export interface ColumnChoice {
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
    [resource, known === undefined || isOpen],
  )
  const usual = known ?? (sample && chooseFieldColumns(sample))
  if (usual === undefined) return { columns: undefined, all: [] }
  const titles = usual.map(({ title }) => title)
  const paths = isOpen && sample !== undefined ? listFieldPaths(sample) : []
  return {
    columns: chosen === '' ? usual : pickColumns(usual, chosen.split(',')),
    all: [...titles, ...paths.filter((path) => !titles.includes(path))],
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

export const isMaterials = (resource: string): boolean => /^(?:bank-)?materials$/.test(resource)

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
