import type { Symmetry } from '@materials-mock/api'
import { findResult } from '@materials-mock/work'
import { loadMoyo } from './load-moyo.js'
import type { Structure } from './structure.js'
import { MAX_ATOMS, analyzeSymmetry } from './symmetry.js'

/** The largest number of atoms whose symmetry is found at once: it takes some ms, in a perfect supercell, too. */
const MAX_QUICK_ATOMS = 32

/** Finds the symmetry of a structure. A search that takes long runs elsewhere, if the step that needs it can wait. */
export function findSymmetry(structure: Structure): Symmetry | undefined {
  const { length } = structure.atoms
  if (length > MAX_ATOMS) return undefined
  if (length <= MAX_QUICK_ATOMS) return searchHere(structure)
  return findResult(JSON.stringify(structure), () => searchHere(structure))
}

export function searchHere(structure: Structure): Symmetry | undefined {
  loadMoyo()
  return analyzeSymmetry(structure)
}
