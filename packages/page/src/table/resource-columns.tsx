import type { VNode } from 'preact'
import { useMemo } from 'preact/hooks'

import { findObjects, toObject, valueAt } from '@materials-mock/json'
import { isBlank } from '../api/item.js'
import type { Item } from '../api/item.js'
import { listItems } from '../api/items.js'
import { useLoad } from '../state/hooks.js'
import { versionOf } from '../state/versions.js'
import { chooseFieldColumns, createColumn, listFieldPaths, pickColumns } from './columns.js'
import type { Column, Reference } from './columns.js'
import { formatValue } from './format-value.js'
import { PropertyValue, VALUE_FIELDS } from './property-value.js'
import { ReferenceLink } from './reference-names.js'
import { Status } from './status.js'
import { formatLengths, MATERIAL_FIELDS, SORT_BY_ATOMS, toListed } from './listed-material.js'

const MAIN = { isMain: true }
const WIDE = { shownIn: 'wide' } as const
const ROOMY = { shownIn: 'roomy' } as const

/**
 * Returns the column of a reference to another item, as a link with its name.
 * @param path of the `_id` of the other item
 * @param shown the path of what is shown if it has no name
 */
function createReference(
  title: string,
  resource: string,
  path: string,
  shown: string = path,
): Column {
  const reference = (item: Item): Reference | undefined => {
    const id = valueAt(item, path.split('.'))
    return typeof id === 'string' ? { resource, id } : undefined
  }
  return {
    ...createColumn(shown, title),
    fields: { [path]: 1, [shown]: 1 },
    reference,
    cell: (item) => {
      const to = reference(item)
      const fallback = formatValue(valueAt(item, shown.split('.')))
      return to === undefined ? fallback : <ReferenceLink to={to} fallback={fallback} />
    },
  }
}

const MATERIALS: readonly Column[] = [
  {
    ...createColumn('formula', 'Formula'),
    isMain: true,
    cell: (item) => {
      const text = formatValue(item.formula)
      return isBlank(text) ? text : <Formula text={text} />
    },
  },
  { ...createColumn('name', 'Name'), isFlexible: true },
  {
    title: 'Lattice',
    unit: 'Å',
    fields: MATERIAL_FIELDS.lattice,
    sortPath: 'lattice.type',
    shownIn: 'wide',
    cell: (item) => (
      <>
        {valueAt(item, ['lattice', 'type'])} <span class="roomy-only">{formatLengths(item)}</span>
      </>
    ),
  },
  {
    title: 'Atoms',
    fields: MATERIAL_FIELDS.atoms,
    ...SORT_BY_ATOMS,
    isNumeric: true,
    shownIn: 'wide',
    cell: (item) => formatValue(toListed(item)._atoms),
  },
  {
    title: 'Density',
    unit: 'g/cm³',
    fields: MATERIAL_FIELDS.density,
    isNumeric: true,
    cell: (item) => {
      const { _density } = toListed(item)
      return typeof _density === 'number' ? _density.toFixed(2) : '–'
    },
  },
]

const WORKFLOWS: readonly Column[] = [
  { ...createColumn('name', 'Name'), ...MAIN },
  { ...createColumn('properties', 'Computes'), isFlexible: true },
  {
    ...createColumn('subworkflows.application.name', 'Application'),
    ...WIDE,
    cell: (item) =>
      formatValue([
        ...new Set(
          findObjects(item, 'subworkflows').map((each) =>
            formatValue(valueAt(each, ['application', 'name'])),
          ),
        ),
      ]),
  },
  { ...createColumn('tags', 'Tags'), ...WIDE },
  { ...createColumn('updatedAt', 'Changed'), ...ROOMY },
]

const PROPERTIES: readonly Column[] = [
  { ...createColumn('data.name', 'Property'), ...MAIN },
  {
    ...createColumn('data.value', 'Value'),
    fields: VALUE_FIELDS,
    cell: ({ data }) => <PropertyValue data={toObject(data)} />,
  },
  { ...createReference('Job', 'jobs', 'source.info.jobId'), ...WIDE },
  { ...createColumn('createdAt', 'Created'), ...ROOMY },
]

/** Returns the resource whose items a resource has too: a bank, or raw or refined properties. */
export const kindOf = (resource: string): string => resource.replace(/^(?:bank|raw|refined)-/, '')

/** The columns of the kinds of items that have a schema. */
const COLUMNS: Readonly<Record<string, readonly Column[]>> = {
  materials: MATERIALS,
  jobs: [
    { ...createColumn('name', 'Name'), ...MAIN },
    {
      ...createColumn('status', 'Status'),
      cell: ({ status }) => <Status status={formatValue(status)} />,
    },
    {
      ...createReference('Material', 'materials', '_material._id', '_material.slug'),
      ...WIDE,
      isFlexible: true,
    },
    {
      ...createReference('Workflow', 'workflows', 'workflow._id', 'workflow.name'),
      ...WIDE,
      isFlexible: true,
    },
    { ...createReference('Project', 'projects', '_project._id', '_project.slug'), ...ROOMY },
    { ...createColumn('createdAt', 'Created'), ...ROOMY },
  ],
  workflows: WORKFLOWS,
  properties: PROPERTIES,
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

interface ColumnChoice {
  /** The columns; undefined until the fields of the items are known. */
  readonly columns: readonly Column[] | undefined
  /** The titles of the usual columns, and the paths of all fields; empty unless `isOpen`. */
  readonly all: readonly string[]
  /** Why the columns are unknown. */
  readonly error?: Error | undefined
}

/**
 * Returns the columns of the table of a resource: the chosen columns, or else the usual columns.
 * @param chosen titles of usual columns and paths of fields, with commas between them
 * @param isOpen whether to return the paths of all fields
 */
export function useColumns(resource: string, chosen: string, isOpen: boolean): ColumnChoice {
  const known = COLUMNS[kindOf(resource)]
  const { data: sample, error } = useLoad(
    async (signal) =>
      known === undefined || isOpen ? listItems(resource, SAMPLE, signal) : undefined,
    [resource, known === undefined || isOpen],
    versionOf(resource),
  )
  const usual = useMemo(() => known ?? (sample && chooseFieldColumns(sample)), [known, sample])
  const columns = useMemo(
    () => (chosen === '' ? usual : usual && pickColumns(usual, chosen.split(','))),
    [usual, chosen],
  )
  if (usual === undefined) return { columns: undefined, all: [], error }
  const titles = usual.map(({ title }) => title)
  const shown = new Set(usual.flatMap(({ title, sortPath }) => [title, sortPath]))
  const paths = isOpen && sample !== undefined ? listFieldPaths(sample) : []
  return {
    columns,
    all: [...titles, ...paths.filter((path) => !shown.has(path))],
  }
}

/** A chemical formula with its numbers below the line. */
export const Formula = ({ text }: { readonly text: string }): VNode => (
  <span class="formula">
    {text.split(/(\d+)/).map((part, index) => (index % 2 === 1 ? <sub>{part}</sub> : part))}
  </span>
)
