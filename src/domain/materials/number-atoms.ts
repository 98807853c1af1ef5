import type { Basis } from '../items/structure.js'

/**
 * Numbers the atoms of a basis from 0, in the order of `elements`, and sorts the other arrays alike.
 * The platform does so with every material that is written.
 * @param basis every `id` of its arrays is that of one of its elements
 */
export function numberAtoms(basis: Basis): Basis {
  const numbers = new Map(basis.elements?.map(({ id }, index) => [id, index]))
  const numbered = ARRAYS.flatMap((name) => {
    const entries = basis[name]
    return entries === undefined ? [] : [[name, numberEntries(entries, numbers)]]
  })
  return { ...basis, ...Object.fromEntries(numbered) }
}

/** The arrays of a basis whose entries have the number of an atom. */
const ARRAYS = ['elements', 'coordinates', 'constraints', 'labels'] as const

interface NumberedEntry {
  readonly id: number
}

function numberEntries(
  entries: readonly NumberedEntry[],
  numbers: ReadonlyMap<number, number>,
): readonly NumberedEntry[] {
  if (entries.every(({ id }, index) => id === index && numbers.get(id) === id)) return entries
  return entries
    .map((entry) => ({ ...entry, id: numbers.get(entry.id) ?? entry.id }))
    .toSorted((a, b) => a.id - b.id)
}
