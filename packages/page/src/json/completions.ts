import { getLocation } from 'jsonc-parser'
import type { JSONPath } from 'jsonc-parser'

import { listParts } from './json-text.js'

interface Completion {
  readonly options: readonly CompletionOption[]
  /** The part of the text that an option replaces. */
  readonly start: number
  readonly end: number
}

interface CompletionOption {
  readonly label: string
  readonly detail?: string | undefined
  /** The inserted text. */
  readonly insert: string
}

/** Completes the text at the cursor; undefined if there is no completion. */
export type Completer = (text: string, cursor: number) => Completion | undefined

interface Place {
  readonly kind: 'key' | 'value'
  /** The path of the object that has the key, or of the value. */
  readonly path: JSONPath
  readonly typed: string
  readonly start: number
  readonly end: number
  /** The text that must follow a key. */
  readonly suffix: string
}

function findPlace(text: string, cursor: number): Place | undefined {
  const { path, previousNode: node, isAtPropertyKey } = getLocation(text, cursor)
  let [start, end] = [cursor, cursor]
  while (start > 0 && !/[\s"{}[\]:,]/.test(text.charAt(start - 1))) start -= 1 // a word that has no quotes yet
  if (node !== undefined && node.offset < cursor && cursor <= node.offset + node.length)
    [start, end] = [node.offset, node.offset + node.length]
  else if (!/[{[,:]\s*$/.test(text.slice(0, start))) return undefined
  const isKey = isAtPropertyKey && typeof path.at(-1) === 'string'
  return {
    kind: isKey ? 'key' : 'value',
    path: isKey ? path.slice(0, -1) : path,
    typed: text.slice(start, cursor).replaceAll('"', ''),
    start,
    end,
    suffix: /^\s*:/.test(text.slice(end)) ? '' : ': ',
  }
}

/** The most options that are offered: the list does not scroll, as the keys can't go to it. */
const MAX_OPTIONS = 12

/** Offers the options that contain the typed text. Options that start with it come first. */
function offer(
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
  parent: JSONPath,
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

/** The parts of a JSON Schema that a completion reads. */
export interface JsonSchema {
  readonly $ref?: string
  readonly type?: string
  readonly description?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly examples?: readonly unknown[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly items?: JsonSchema
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly allOf?: readonly JsonSchema[]
}

/** The schemas of a document, by the `$ref`s that name them. */
export type NamedSchemas = Readonly<Record<string, JsonSchema>>

/** Completes the keys of objects, and the values that a schema names. A list can have several items. */
export const completeSchema =
  (schema: JsonSchema, named: NamedSchemas): Completer =>
  (text, cursor) => {
    const place = findPlace(text, cursor)
    if (place === undefined) return undefined
    const isList = /^\s*\[/.test(text)
    const path = isList ? place.path.slice(1) : place.path
    if (isList && place.path.length === 0) return undefined
    const schemas = path.reduce(
      (found: readonly JsonSchema[], step) => found.flatMap((each) => descend(each, step, named)),
      resolve(schema, named),
    )
    if (place.kind === 'value') {
      // An alternative, and the example of all of them, can be the same value.
      const values = schemas.flatMap(listValues).map((each) => [each.insert, each] as const)
      return offer(place, [...new Map(values).values()])
    }
    const parent = JSON.stringify(place.path)
    const present = new Set(
      listParts(text)
        .filter(({ isKey, start }) => isKey && start !== place.start)
        .filter(({ path: each }) => JSON.stringify(each.slice(0, -1)) === parent)
        .map(({ path: each }) => each.at(-1)),
    )
    const keys = new Map(
      schemas
        .flatMap((each) => Object.entries(each.properties ?? {}))
        .filter(([label]) => !present.has(label))
        .map(([label, property]): [string, CompletionOption] => [
          label,
          {
            label,
            detail: describe(property, named),
            insert: JSON.stringify(label) + place.suffix,
          },
        ]),
    )
    return offer(place, [...keys.values()])
  }

/** Returns a schema, or its alternatives, without references. */
function resolve(schema: JsonSchema, named: NamedSchemas): readonly JsonSchema[] {
  const target = schema.$ref === undefined ? schema : named[schema.$ref.split('/').at(-1) ?? '']
  if (target === undefined) return []
  const parts = [...(target.anyOf ?? []), ...(target.oneOf ?? []), ...(target.allOf ?? [])]
  return [target, ...parts.flatMap((each) => resolve(each, named))]
}

function descend(
  { properties, items }: JsonSchema,
  step: string | number,
  named: NamedSchemas,
): readonly JsonSchema[] {
  const next = typeof step === 'number' ? items : properties?.[step]
  return next === undefined ? [] : resolve(next, named)
}

function listValues(schema: JsonSchema): CompletionOption[] {
  const values =
    'const' in schema
      ? [schema.const]
      : (schema.enum ?? (schema.type === 'boolean' ? [true, false] : []))
  const { examples = [] } = schema
  return [...values, ...(values.length === 0 ? examples : [])]
    .filter((value) => typeof value !== 'object' || value === null)
    .map((value) => ({ label: String(value), insert: JSON.stringify(value) }))
}

/** Names the types of a value. */
function describe(schema: JsonSchema, named: NamedSchemas): string {
  const types = resolve(schema, named).flatMap(({ type }) => type ?? [])
  return [...new Set(types)].join(' | ')
}
