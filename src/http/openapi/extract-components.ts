/** The named schemas of a document, by their `$id`. */
export type Components = Record<string, object>

/** Keywords of our schemas, with texts, that are not JSON Schema's or that the document replaces. */
const OMITTED_KEYS: ReadonlySet<string> = new Set(['$id', 'x-consume', 'expected'])

/**
 * Returns a schema as the document shows it. Each part with an `$id` moves to the components, and a
 * `$ref` replaces it. The rest stays: OpenAPI 3.1 uses JSON Schema (section 4.8.24, Schema Object).
 */
export function extractComponents(schema: unknown, components: Components): object {
  return extractFrom(schema, components) as object
}

function extractFrom(value: unknown, components: Components): unknown {
  if (Array.isArray(value)) return value.map((each) => extractFrom(each, components))
  if (typeof value !== 'object' || value === null) return value
  const shown = Object.fromEntries(
    Object.entries(value)
      .filter(([key, each]) => !(OMITTED_KEYS.has(key) && typeof each === 'string'))
      .map(([key, each]) => [key, extractFrom(each, components)]),
  )
  const { $id } = value as { $id?: unknown }
  if (typeof $id !== 'string') return shown
  components[$id] = shown
  return { $ref: `#/components/schemas/${$id}` }
}
