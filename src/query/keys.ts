/**
 * The first key that stands twice in one object of a valid JSON text, or `undefined`. RFC 8259
 * leaves the meaning of such an object open; JSON.parse keeps the last value without a word.
 */
export function repeatedKey(json: string): string | undefined {
  // Each open object has the set of its keys; a list has none.
  const open: (Set<string> | undefined)[] = []
  for (const [token, key] of json.matchAll(TOKEN)) {
    if (token === '{') open.push(new Set())
    else if (token === '[') open.push(undefined)
    else if (token === '}' || token === ']') open.pop()
    else if (key !== undefined) {
      const name = JSON.parse(key) as string
      const keys = open.at(-1)
      if (keys?.has(name)) return name
      keys?.add(name)
    }
  }
  return undefined
}

/** A key with its colon, any other string, or a bracket. */
const TOKEN = /("(?:[^"\\]|\\.)*")\s*:|"(?:[^"\\]|\\.)*"|[{}[\]]/g
