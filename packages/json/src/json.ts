export type Json = null | boolean | number | string | readonly Json[] | JsonObject

/** A JSON object, such as an item, a query or a projection. It is never mutated. */
export interface JsonObject {
  readonly [key: string]: Json
}

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns an object as it is, and an empty one in place of any other value. */
export const toObject = (value: unknown): JsonObject => (isJsonObject(value) ? value : {})

/** `Array.isArray` makes elements `any`, and leaves readonly arrays where it is false. */
export const isJsonArray = (value: unknown): value is readonly Json[] => Array.isArray(value)

/** Returns the objects in an array field; an empty list if the value has no such array. */
export function findObjects(value: Json | undefined, field: string): readonly JsonObject[] {
  const array = isJsonObject(value) ? value[field] : undefined
  return Array.isArray(array) ? array.filter(isJsonObject) : []
}

/** Returns the values at a path, whose names lead through arrays and through arrays in them, as `fields` does. */
export function findValues(value: Json | undefined, names: readonly string[]): Json[] {
  if (Array.isArray(value)) return value.flatMap((each: Json) => findValues(each, names))
  const [name, ...rest] = names
  if (name === undefined) return value === undefined ? [] : [value]
  return isJsonObject(value) && Object.hasOwn(value, name) ? findValues(value[name], rest) : []
}

/** Returns the value at a path of own keys, which does not lead through arrays; undefined if there is none. */
export function valueAt(value: Json | undefined, names: readonly string[]): Json | undefined {
  let inner = value
  for (const name of names)
    inner = isJsonObject(inner) && Object.hasOwn(inner, name) ? inner[name] : undefined
  return inner
}

/** Parses a text, or returns it if it is not JSON. */
export function parseIfJson(text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Parses a JSON text; undefined if it is malformed. */
export function tryParseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A decimal number, in the notation that JSON, Extended JSON, CIF, POSCAR and C share. */
const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i

/** Reads a number such as `1`, `-.5`, `5.` or `1.0E-3`; undefined for another text, and for one beyond a double. */
export function parseDecimal(text: string): number | undefined {
  const value = DECIMAL.test(text) ? Number(text) : NaN
  return Number.isFinite(value) ? value : undefined
}

export const withoutUndefined = <Value extends object>(
  object: Value,
): { -readonly [Key in keyof Value]?: Exclude<Value[Key], undefined> } =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as never

/** What was thrown: an error, perhaps of another realm and with the code of a system's error. */
export const asError = (thrown: unknown): Error & { readonly code?: string } =>
  typeof thrown === 'object' && thrown !== null && 'message' in thrown
    ? (thrown as Error)
    : new Error(String(thrown))

/** Decodes a part of a URL. One with a bad `%` stays as it is. */
export function decodePart(text: string): string {
  if (!text.includes('%')) return text // which is most names, and takes a tenth of the time
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Returns values as the texts of URL parameters: a text as it is, any other value as JSON. */
export const toUrlTexts = (values: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  )

/** Returns values in groups of equal keys, as `Map.groupBy` does in newer engines. */
export function groupBy<Key, Value>(
  values: Iterable<Value>,
  keyOf: (value: Value) => Key,
): ReadonlyMap<Key, readonly Value[]> {
  const groups = new Map<Key, Value[]>()
  for (const value of values) {
    const key = keyOf(value)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [value])
    else group.push(value)
  }
  return groups
}
