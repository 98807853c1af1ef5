/** Returns the path of a list below the versioned root, with its two parameters as JSON. */
export function listPath(resource: string, query?: unknown, projection?: unknown): string {
  const parameters = new URLSearchParams()
  if (query !== undefined) parameters.set('query', JSON.stringify(query))
  if (projection !== undefined) parameters.set('projection', JSON.stringify(projection))
  return parameters.size === 0 ? `/${resource}` : `/${resource}?${parameters}`
}
