import { scanJson, unquote } from './json-text.js'

/** The completions at the cursor. */
export interface Completion {
  readonly options: readonly CompletionOption[]
  /** The part of the text that an option replaces. */
  readonly start: number
  readonly end: number
}

/** A key or a value that can be typed. */
export interface CompletionOption {
  readonly label: string
  /** A short description. */
  readonly detail?: string | undefined
  /** The inserted text. */
  readonly insert: string
}

/** Completes the text at the cursor; undefined if there is no completion. */
export type Completer = (text: string, cursor: number) => Completion | undefined

/** The place of a completion. */
export interface Place {
  readonly kind: 'key' | 'value'
  /** The path of the object that has the key, or of the value. */
  readonly path: readonly (string | number)[]
  /** The text before the cursor, without quotes. */
  readonly typed: string
  readonly start: number
  readonly end: number
  /** The text that must follow a key. */
  readonly suffix: string
}

/** Finds the key or value at the cursor. */
export function findPlace(text: string, cursor: number): Place | undefined {
  const parts = scanJson(text)
  const part = parts.find(({ start, end, isLeaf }) => isLeaf && start < cursor && cursor <= end)
  const [start, end] = part === undefined ? [cursor, cursor] : [part.start, part.end]
  const before = text.slice(start, cursor)
  const typed = before.startsWith('"') ? unquote(before) : before
  const suffix = /^\s*:/.test(text.slice(end)) ? '' : ': '
  if (part !== undefined) {
    const path = part.kind === 'key' ? part.path.slice(0, -1) : part.path
    return { kind: part.kind, path, typed, start, end, suffix }
  }
  const all = text.slice(0, cursor).trimEnd()
  const last = all.at(-1)
  if (last !== '{' && last !== '[' && last !== ',' && last !== ':') return undefined
  // Parse as if there were a value here: its path tells the object or array around it.
  const next = scanJson(`${all}0`).findLast((each) => each.start === all.length)
  if (next === undefined) return undefined
  const path = next.kind === 'key' ? next.path.slice(0, -1) : next.path
  return { kind: next.kind, path, typed, start, end, suffix }
}

/** The most options that are offered: the list does not scroll, as the keys can't go to it. */
const MAX_OPTIONS = 12

/** Offers the options that contain the typed text. Options that start with it come first. */
export function offer(
  { typed, start, end }: Place,
  options: readonly CompletionOption[],
): Completion | undefined {
  const wanted = typed.toLowerCase()
  const matching = options.filter(({ label }) => label.toLowerCase().includes(wanted))
  const starts = matching.filter(({ label }) => label.toLowerCase().startsWith(wanted))
  const ranked = [...starts, ...matching.filter((each) => !starts.includes(each))]
  if (ranked.length === 0 || (ranked.length === 1 && ranked[0]?.label === typed)) return undefined
  return { options: ranked.slice(0, MAX_OPTIONS), start, end }
}

/** The operators of a query on a field, and the top-level operators. */
export interface OperatorNames {
  readonly field: readonly string[]
  readonly topLevel: readonly string[]
}

/** The operators that the server has. The bundle of the page defines them. */
declare const QUERY_OPERATORS: OperatorNames

/** The parameters of a list that hold JSON. */
export type JsonParameter = 'query' | 'sort' | 'fields'

const PROJECTION_OPERATORS = ['$slice', '$elemMatch']

/** Completes the names of fields and operators in a parameter of a list. */
export const completeParameter =
  (
    parameter: JsonParameter,
    fields: readonly string[],
    operators: OperatorNames = QUERY_OPERATORS,
  ): Completer =>
  (text, cursor) => {
    const place = findPlace(text, cursor)
    if (place?.kind !== 'key') return undefined
    const names = listNames(parameter, place.path, fields, operators)
    return offer(
      place,
      names.map((label) => ({ label, insert: JSON.stringify(label) + place.suffix })),
    )
  }

function listNames(
  parameter: JsonParameter,
  parent: readonly (string | number)[],
  fields: readonly string[],
  operators: OperatorNames,
): readonly string[] {
  const names = parent.filter((step) => typeof step === 'string')
  const inField = names.filter((name) => !name.startsWith('$'))
  if (parameter === 'sort') return names.length === 0 ? fields : []
  if (parameter === 'fields') return names.length === 0 ? fields : PROJECTION_OPERATORS
  if (inField.length === 0) return [...fields, ...operators.topLevel]
  const prefix = `${inField.join('.')}.`
  if (names.at(-1) !== '$elemMatch') return operators.field
  return [
    ...fields
      .filter((field) => field.startsWith(prefix))
      .map((field) => field.slice(prefix.length)),
    ...operators.field,
  ]
}
