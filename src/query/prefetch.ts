import type { JsonObject } from '../schemas/json.js'
import type { Term } from './terms.js'

/** How many items are read ahead. */
export const BLOCK = 64

/** Where what is read goes: V8 leaves out to read what nobody uses. */
const units = new Uint16Array(BLOCK)

/**
 * Reads one field of a block of items, and the beginning of a text that it holds, before anything
 * is asked of them. Items lie all over the memory: the processor fetches those of several at once
 * where nothing waits for a value, as here, but one after the other where a predicate does.
 */
export function prefetch(
  entries: readonly { readonly item: JsonObject }[],
  { from, to }: { readonly from: number; readonly to: number },
  field: string,
): void {
  for (let at = from; at < to; at += 1) {
    const value = entries[at]?.item[field]
    if (typeof value === 'string') units[at - from] = value.charCodeAt(0)
  }
}

/** The field that a predicate of these terms looks at first; none where there are no terms. */
export function firstField(terms: readonly Term[]): string | undefined {
  const [first] = terms
  if (first === undefined) return undefined
  return 'combine' in first ? firstField(first.branches[0] ?? []) : first.path.split('.', 1)[0]
}
