import type { Model, Picture } from '../picture.js'
import type { ViewerSettings } from '../settings.js'

/** Returns the numbers of atoms and bonds in words: `8 atoms, 16 bonds`. */
export function describePicture(
  { crystal, hasAllBonds }: Model,
  { atomCount, bondCount }: Picture,
  { supercell, bonds }: ViewerSettings,
): string {
  const counts = [formatCount(atomCount, 'atom')]
  counts.push(bonds ? formatCount(bondCount, 'bond') : 'bonds not shown')
  if (!hasAllBonds) counts.push('too many neighbours to find all bonds')
  const isRepeated = crystal.isPeriodic && supercell.some((count) => count > 1)
  return counts.join(', ') + (isRepeated ? ` in ${supercell.join(' × ')} cells` : '')
}

/** Returns a number with its noun. */
export const formatCount = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? '' : 's'}`
