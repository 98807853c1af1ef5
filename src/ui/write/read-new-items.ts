import { isObject } from '../api/item.js'
import type { Json, JsonObject } from '../api/item.js'

/** The content of a file or a text: items, or a structure that the server reads. */
export type NewItems =
  | { readonly kind: 'items'; readonly items: readonly JsonObject[] }
  | { readonly kind: 'structure'; readonly format: 'poscar' | 'cif'; readonly name: string }

/**
 * Detects the format of a text: JSON of one or several items, a CIF, or else a POSCAR.
 * @param fileName the name of its file, or an empty text
 * @throws SyntaxError for malformed JSON
 * @throws Error for JSON that is not an item
 */
export function readNewItems(text: string, fileName: string): NewItems {
  if (/^\s*[[{]/.test(text) || /\.json$/i.test(fileName)) {
    const parsed = JSON.parse(text) as Json
    const items = Array.isArray(parsed) ? (parsed as Json[]) : [parsed]
    if (!items.every(isObject)) throw new Error('the JSON must be an item or a list of items')
    return { kind: 'items', items }
  }
  const isCif = /\.cif$/i.test(fileName) || /^\s*(?:#.*\s+)*data_\S*/i.test(text)
  return { kind: 'structure', format: isCif ? 'cif' : 'poscar', name: chooseName(text, fileName) }
}

/** Returns the name of the file without its ending; a POSCAR's comment says more than `POSCAR`. */
function chooseName(text: string, fileName: string): string {
  const base = fileName.replace(/\.(?:cif|vasp|poscar|txt)$/i, '')
  if (base !== '' && !/^(?:poscar|contcar)$/i.test(base)) return base
  return text.trimStart().split('\n')[0]?.trim().slice(0, 100) || 'New material'
}
