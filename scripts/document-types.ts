import type { TSchema } from '@sinclair/typebox'

/** The first line of a type that is inferred from the schema of an object. */
const START = /^declare const (\w+): TObject<\{$/

/** A line with a key of an object. */
const KEY = /^(\t+)(\w+): /

/** What only a command has: the names of its flags, and defaults that depend on its terminal. */
const OF_COMMAND = /; --no-[a-z]+ [^;(]+?(?= \(|$)| \(default: [^)]*on a terminal[^)]*\)/g

/**
 * Adds the descriptions of schemas to the types that are inferred from them, as docstrings of their
 * keys, which editors show.
 * @param schemas the schemas of objects, by the names that the types give them
 * @throws Error for a schema that the types do not have
 */
export function documentTypes(types: string, schemas: Readonly<Record<string, TSchema>>): string {
  const documented = new Set<string>()
  const open: (TSchema | undefined)[] = []
  const lines = types.split('\n').flatMap((line) => {
    const name = START.exec(line)?.[1]
    if (name !== undefined && schemas[name] !== undefined) {
      documented.add(name)
      open.push(schemas[name])
      return [line]
    }
    if (open.length === 0) return [line]
    if (/^\t*\}/.test(line)) {
      open.pop()
      return [line]
    }
    const [, indent = '', key = ''] = KEY.exec(line) ?? []
    const schema: TSchema | undefined = open.at(-1)?.properties?.[key]
    if (line.endsWith('{')) open.push(schema?.items ?? schema)
    const description = schema?.description?.replaceAll(OF_COMMAND, '')
    return description === undefined ? [line] : [`${indent}/** ${description} */`, line]
  })
  for (const name of Object.keys(schemas))
    if (!documented.has(name)) throw new Error(`the types have no schema ${name}`)
  return lines.join('\n')
}
