/** The named schemas of a document: each that has an `$id` once, under it. */
export type Components = Record<string, object>

/** What tells how a parameter is written, and what names a schema: neither is part of one. */
const NOT_SHOWN: ReadonlySet<string> = new Set(['$id', 'x-consume'])

/**
 * A schema as the document shows it: every part that has an `$id` goes to the components and leaves
 * a `$ref` behind. OpenAPI 3.1 takes JSON Schema as it is (section 4.8.24, Schema Object).
 */
export function extractComponents(schema: unknown, components: Components): object {
  return hoistValue(schema, components) as object
}

function hoistValue(value: unknown, components: Components): unknown {
  if (Array.isArray(value)) return value.map((each) => hoistValue(each, components))
  if (typeof value !== 'object' || value === null) return value
  const shown = Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !NOT_SHOWN.has(key))
      .map(([key, each]) => [key, hoistValue(each, components)]),
  )
  const { $id } = value as { $id?: unknown }
  if (typeof $id !== 'string') return shown
  components[$id] = shown
  return { $ref: `#/components/schemas/${$id}` }
}
