import { isJsonArray, isJsonObject, valueAt } from '@materials-mock/json'
import type { Json, JsonObject } from '@materials-mock/json'
import type { Item } from '../api/item.js'
import { parseJson } from '../json/json-text.js'

/** The content of a file or a text: items, or a structure that the server reads. */
type NewItems =
  | { readonly kind: 'items'; readonly items: readonly JsonObject[] }
  | { readonly kind: 'structure'; readonly format: 'cif' | undefined; readonly name: string }

/**
 * JSON of items, or a structure, whose content tells its format.
 * @param fileName empty for a typed text
 * @param isMaterial whether a typed text can be a structure
 * @throws SyntaxError for malformed JSON, Error for other JSON
 */
export function readNewItems(text: string, fileName: string, isMaterial = true): NewItems {
  const isTypedJson = fileName === '' && !isMaterial
  if (isTypedJson || /^\s*[[{]/.test(text) || /\.json$/i.test(fileName)) {
    const parsed = parseJson(text)
    const items = isJsonArray(parsed) ? parsed : [parsed]
    if (items.length === 0) throw new Error('the list has no items')
    if (!items.every(isJsonObject)) throw new Error('the JSON must be an item or a list of items')
    return { kind: 'items', items }
  }
  const format = /\.cif$/i.test(fileName) ? 'cif' : undefined
  return { kind: 'structure', format, name: chooseName(text, fileName) }
}

/** Returns the name of the file without its ending; a POSCAR's comment says more than `POSCAR`. */
function chooseName(text: string, fileName: string): string {
  const base = fileName.replace(/\.(?:cif|vasp|poscar|txt)$/i, '')
  if (base !== '' && !/^(?:poscar|contcar)$/i.test(base)) return base
  return text.trimStart().split('\n')[0]?.trim().slice(0, 100) || 'New material'
}

/** The changes of an edit: the values that it sets by their paths, undefined for fields that it removes. */
export type Edit = ReadonlyMap<string, Json | undefined>

/**
 * Also within objects: an edit of one field leaves those beside it.
 * @throws Error for what is no object, and if no path names what changes
 */
export function diffItem(item: Item, text: string): Edit {
  const edited = parseJson(text)
  if (!isJsonObject(edited)) throw new Error('an item must be a JSON object')
  const edit = new Map<string, Json | undefined>()
  const compare = (former: JsonObject, next: JsonObject, prefix: string): void => {
    for (const [key, value] of Object.entries(next)) {
      const before = former[key]
      if (value === undefined || isSame(before, value)) continue
      const path = prefix + checkName(key)
      if (isJsonObject(before) && isJsonObject(value) && haveNames(before) && haveNames(value))
        compare(before, value, `${path}.`)
      else edit.set(path, value)
    }
    for (const key of Object.keys(former))
      if (!Object.hasOwn(next, key)) edit.set(prefix + checkName(key), undefined)
  }
  compare(item, edited, '')
  return edit
}

/** @throws Error for a key that no path can name */
function checkName(key: string): string {
  if (!isName(key)) throw new Error(`${JSON.stringify(key)} can't be edited: no path names it`)
  return key
}

const isName = (key: string): boolean => key !== '' && !/^\$|\./.test(key)

const haveNames = (value: JsonObject): boolean => Object.keys(value).every(isName)

const isSame = (one: Json | undefined, other: Json | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other)

/** Returns MongoDB's update of an edit; undefined if nothing has changed. */
export function toUpdate(edit: Edit): JsonObject | undefined {
  if (edit.size === 0) return undefined
  const set = [...edit].filter((each): each is [string, Json] => each[1] !== undefined)
  const unset = [...edit].filter(([, value]) => value === undefined)
  return {
    ...(set.length > 0 && { $set: Object.fromEntries(set) }),
    ...(unset.length > 0 && { $unset: Object.fromEntries(unset.map(([path]) => [path, ''])) }),
  }
}

/** A field that was changed by an edit and meanwhile by somebody else. */
export interface Conflict {
  readonly path: string
  /** The value of the other change; undefined if the field was removed. */
  readonly theirs: Json | undefined
}

/**
 * Except those that already have the edit's value.
 * @param item as it was edited
 * @param current as it is
 */
export const findConflicts = (item: Item, current: Item, edit: Edit): Conflict[] =>
  [...edit].flatMap(([path, mine]) => {
    const before = valueAt(item, path.split('.'))
    const theirs = valueAt(current, path.split('.'))
    return isSame(before, theirs) || isSame(mine, theirs) ? [] : [{ path, theirs }]
  })

export function applyEdit(item: Item, edit: Edit): Item {
  const change = (
    value: JsonObject,
    path: readonly string[],
    leaf: Json | undefined,
  ): JsonObject => {
    const [key = '', ...rest] = path
    const { [key]: former, ...others } = value
    const next = rest.length === 0 ? leaf : change(isJsonObject(former) ? former : {}, rest, leaf)
    return next === undefined ? others : { ...value, [key]: next }
  }
  return [...edit].reduce<JsonObject>(
    (edited, [path, leaf]) => change(edited, path.split('.'), leaf),
    item,
  )
}
