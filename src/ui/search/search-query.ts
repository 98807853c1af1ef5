import { ELEMENTS } from '../../domain/materials/elements.js'
import { countElements, formatReducedFormula } from '../../domain/materials/formula.js'
import type { JsonObject } from '../api/item.js'

/** The fields that a word is searched in. */
const WORD_FIELDS = ['name', '_id', 'tags', 'formula', 'slug', 'data.name', 'status']

/**
 * Returns the query of a search: the items that contain the word in one of the usual text fields, or
 * that have the formula in any order of its elements. A formula counts as a word too, so that `Si` also
 * finds an item of that name.
 * @returns undefined if there is nothing to search
 */
export function toSearchQuery(search: string): JsonObject | undefined {
  const word = search.trim()
  if (word === '') return undefined
  const formula = normalizeFormula(word)
  if (formula !== undefined)
    return { $or: [{ formula }, { name: { $regex: `\\b${escapePattern(word)}\\b` } }] }
  const pattern = { $regex: escapePattern(word), $options: 'i' }
  return { $or: WORD_FIELDS.map((field) => ({ [field]: pattern })) }
}

const escapePattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')

/** The most atoms of an element that a formula can have; more are a word. */
const MAX_COUNT = 200

/**
 * Returns a formula as materials have it: reduced, with the elements in the platform's order.
 * @returns undefined if the text is no formula
 */
export function normalizeFormula(text: string): string | undefined {
  if (!/^([A-Z][a-z]?(?:[1-9]\d{0,2})?)+$/.test(text)) return undefined
  const symbols: string[] = []
  for (const [, symbol = '', count = '1'] of text.matchAll(/([A-Z][a-z]?)(\d*)/g)) {
    if (!ELEMENTS.has(symbol) || Number(count) > MAX_COUNT) return undefined
    symbols.push(...Array<string>(Number(count) || 1).fill(symbol))
  }
  return formatReducedFormula(countElements(symbols))
}
