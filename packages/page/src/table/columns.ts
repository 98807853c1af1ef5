import { valueAt } from '@materials-mock/json'
import type { Json, JsonObject } from '@materials-mock/json'
import { listFields } from '../api/item.js'
import type { Item } from '../api/item.js'
import { formatValue } from './format-value.js'

const MAX_COLUMNS = 7

const MAX_LENGTH = 6

/** Fields that tell little about an item: they come last, or not at all. */
const BORING = /^(?:schemaVersion|metadata|isEntitySet|createdBy|updatedBy|inSet|exabyteId|hash)\b/
const LATE =
  /^(?:_id|createdAt|updatedAt|isDefault|owner\.slug|creator)\b|(?:^|\.)_id$|\.(?:cls|createdAt|updatedAt|isDefault)$/

const FIRST = ['name', 'data.name', 'status', 'data.value', 'data.units', 'slug']

/**
 * Those that most items have and that differ, in their order. One that repeats another is left out.
 */
export function chooseFieldColumns(items: readonly Item[]): Column[] {
  const values = collectValues(items)
  const scored = [...values]
    .filter(([path]) => !BORING.test(path))
    .map(([path, found], index) => ({
      path,
      found,
      text: JSON.stringify(found),
      score: scoreField(path, found, items.length),
      index,
    }))
    .toSorted((a, b) => b.score - a.score || a.index - b.index)
    .filter(
      ({ found, text }, index, all) =>
        found.length < 2 || all.findIndex((each) => each.text === text) === index,
    )
    .slice(0, MAX_COLUMNS)
    .toSorted((a, b) => rank(a.path) - rank(b.path) || a.index - b.index)
  const chosen = scored.length > 0 ? scored : [{ path: '_id', found: [] as Json[] }]
  return chosen.map(({ path, found }, index) => ({
    ...createColumn(path),
    isNumeric: found.length > 0 && found.every((value) => typeof value === 'number'),
    isMain: index === 0,
    ...(index > 2 ? { shownIn: index > 3 ? 'roomy' : 'wide' } : {}),
    isFlexible: index === 2 && found.every((value) => typeof value === 'string'),
  }))
}

/** Returns the column of a field, which a click sorts by. */
export const createColumn = (path: string, title = path): Column => ({
  title,
  fields: { [path]: 1 },
  sortPath: path,
  cell: (item) => formatValue(valueAt(item, path.split('.'))),
})

/** Returns the usual columns of these titles, and columns of fields. One of them opens the item. */
export function pickColumns(usual: readonly Column[], names: readonly string[]): Column[] {
  const picked = names.map(
    (name) => usual.find(({ title }) => title === name) ?? createColumn(name),
  )
  const main = picked.findIndex(({ isMain }) => isMain === true)
  return picked.map(({ shownIn: _shownIn, ...column }, index) => ({
    ...column,
    isMain: index === Math.max(main, 0),
  }))
}

/** Lists the paths of the fields of items that a cell can show. */
export const listFieldPaths = (items: readonly Item[]): string[] => [...collectValues(items).keys()]

/** A field replaces its inner fields, because MongoDB refuses both together. */
export function composeFields(columns: readonly Column[]): JsonObject {
  const all: JsonObject = Object.assign({ _id: 1 }, ...columns.map(({ fields }) => fields))
  const paths = Object.keys(all)
  return Object.fromEntries(
    Object.entries(all).filter(([path]) => !paths.some((each) => path.startsWith(`${each}.`))),
  )
}

const rank = (path: string): number => {
  const index = FIRST.indexOf(path)
  return index === -1 ? (LATE.test(path) ? 100 : 50) : index
}

function scoreField(path: string, found: readonly Json[], count: number): number {
  const first = FIRST.indexOf(path)
  const distinct = new Set(found.map((value) => JSON.stringify(value))).size
  const coverage = found.length / Math.max(count, 1)
  const variety = distinct > 1 ? 1 : 0.3
  const depth = 1 - 0.12 * (path.split('.').length - 1)
  const bonus = first === -1 ? (LATE.test(path) ? -0.5 : 0) : 2 - first / 10
  return coverage * variety * depth + bonus
}

/** Collects the values of all fields that a cell can show: scalars, and short lists of scalars. */
function collectValues(items: readonly Item[]): Map<string, Json[]> {
  const values = new Map<string, Json[]>()
  for (const { keys, value } of items.flatMap((item) => listFields(item))) {
    if (keys.some((key) => key.includes('.'))) continue // no path names it
    if (Array.isArray(value) && value.length > MAX_LENGTH) continue
    const path = keys.join('.')
    const list = values.get(path) ?? []
    list.push(value)
    values.set(path, list)
  }
  return values
}

/** An item that another one refers to. */
export interface Reference {
  readonly resource: string
  readonly id: string
}

export interface Column {
  readonly title: string
  /** The unit of the numbers, behind the title. */
  readonly unit?: string
  /** The part of `fields` that a list needs for it. */
  readonly fields: JsonObject
  /** The path by which a click sorts. A column without a path can't be sorted. */
  readonly sortPath?: string
  /** Matches the items that the path would sort wrongly. If there is such an item, the column can't be sorted. */
  readonly misfits?: JsonObject
  /** Whether only a downward sort by the path is right. For an upward sort, the list is read from its end. */
  readonly isDownward?: boolean
  readonly isNumeric?: boolean
  /** The tables that have the column: wide tables, or only roomy tables (default: all). */
  readonly shownIn?: 'wide' | 'roomy'
  readonly isMain?: boolean
  /** Whether a narrow table shortens the texts of the column, so that the other columns fit. */
  readonly isFlexible?: boolean
  /** Returns the item that the cell leads to. */
  readonly reference?: (item: Item) => Reference | undefined
  /** Returns a text, or elements. */
  readonly cell: (item: Item) => string | object
}
