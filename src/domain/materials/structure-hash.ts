import { createHash } from 'node:crypto'

import type { Atom, Structure } from './structure.js'

/**
 * The MD5 (32 hexadecimal digits) of a structure: the same however its atoms are listed and
 * numbered, and whichever of their images in neighbouring cells are given. Lengths are rounded to
 * 0.001 Å, angles to 0.001 degrees and coordinates to a thousandth of an edge, the tolerance of the
 * platform's `made` library; the text that is hashed is our own.
 *
 * It compares descriptions, not crystals: another cell or origin of the same crystal has another
 * hash.
 */
export const structureHash = ({ cell, atoms }: Structure): string => {
  const { a, b, c, alpha, beta, gamma } = cell
  const lattice = [a, b, c, alpha, beta, gamma].map(thousandths)
  const sites = atoms.map(siteOf).toSorted()
  return createHash('md5')
    .update(`${lattice.join(';')}#${sites.join(';')}`)
    .digest('hex')
}

const siteOf = ({ symbol, label, coordinate }: Atom): string =>
  `${symbol}${label} ${coordinate.map(wrappedThousandths).join()}`

const thousandths = (value: number): number => Math.round(value * 1000)

/** Rounded before it is wrapped, so that 0.9999 is 0. */
const wrappedThousandths = (coordinate: number): number =>
  ((thousandths(coordinate) % 1000) + 1000) % 1000
