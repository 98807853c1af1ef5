import { findPlace, offer } from './complete-json.js'
import type { Completer, CompletionOption } from './complete-json.js'
import { scanJson } from './json-text.js'

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
    if (place.kind === 'value') return offer(place, schemas.flatMap(listValues))
    const present = new Set(
      scanJson(text)
        .filter(
          ({ kind, path: each, start }) =>
            kind === 'key' &&
            start !== place.start &&
            each.length === place.path.length + 1 &&
            place.path.every((step, index) => step === each[index]),
        )
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
