import { scanJson, unquote } from '../json/scan-json.js'
import type { JsonInput } from './compose-list.js'

/** What can be typed at the cursor. */
export interface Completion {
  readonly options: readonly string[]
  /** The part of the text that an option replaces. */
  readonly start: number
  readonly end: number
}

/** The names that can be completed. */
export interface Names {
  readonly fields: readonly string[]
  /** The operators of a query, by where they stand. */
  readonly operators: OperatorNames
}

/** The operators of a query on a field, and those in the place of one. */
export interface OperatorNames {
  readonly field: readonly string[]
  readonly topLevel: readonly string[]
}

const PROJECTION_OPERATORS = ['$slice', '$elemMatch']
const MAX_OPTIONS = 12

/**
 * Completes the name that the cursor stands in or behind: a field, or an operator.
 * @returns undefined if no name can stand there
 */
export function completeJson(
  input: JsonInput,
  text: string,
  cursor: number,
  names: Names,
): Completion | undefined {
  const parts = scanJson(text)
  const part = parts.find(
    ({ kind, start, end }) => kind === 'key' && start < cursor && cursor <= end,
  )
  const typed = part === undefined ? '' : unquote(text.slice(part.start, cursor))
  const parent = part?.path.slice(0, -1) ?? findObject(text, cursor)
  if (parent === undefined) return undefined
  const candidates = listCandidates(input, parent, names)
  const options = rank(candidates, typed).slice(0, MAX_OPTIONS)
  if (options.length === 0 || (options.length === 1 && options[0] === typed)) return undefined
  return { options, start: part?.start ?? cursor, end: part?.end ?? cursor }
}

/** Returns the path of the object in which a key is to come next, or undefined. */
function findObject(text: string, cursor: number): readonly (string | number)[] | undefined {
  const before = text.slice(0, cursor)
  if (!/[{,]\s*$/.test(before)) return undefined
  const [innermost] = scanJson(before)
    .filter(
      ({ kind, end, start }) =>
        kind === 'value' && end === before.length && /[{[]/.test(before[start] ?? ''),
    )
    .toSorted((a, b) => b.start - a.start)
  return innermost !== undefined && before[innermost.start] === '{' ? innermost.path : undefined
}

function listCandidates(
  input: JsonInput,
  parent: readonly (string | number)[],
  { fields, operators }: Names,
): readonly string[] {
  const names = parent.filter((step) => typeof step === 'string')
  const inField = names.filter((name) => !name.startsWith('$'))
  if (input === 'sort') return names.length === 0 ? fields : []
  if (input === 'fields') return names.length === 0 ? fields : PROJECTION_OPERATORS
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

/** Filters names by what has been typed: first those that start with it, then those that contain it. */
function rank(names: readonly string[], typed: string): string[] {
  const wanted = typed.toLowerCase()
  const matching = names.filter((name) => name.toLowerCase().includes(wanted))
  const starts = matching.filter((name) => name.toLowerCase().startsWith(wanted))
  return [...starts, ...matching.filter((name) => !starts.includes(name))]
}

/** Inserts an option: in quotes, with a colon behind it if there is none. */
export function applyCompletion(
  text: string,
  { start, end }: Completion,
  option: string,
): { readonly text: string; readonly cursor: number } {
  const rest = text.slice(end)
  const insert = JSON.stringify(option) + (/^\s*:/.test(rest) ? '' : ': ')
  return { text: text.slice(0, start) + insert + rest, cursor: start + insert.length }
}
