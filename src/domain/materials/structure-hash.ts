import { createHash } from 'node:crypto'

import type { Atom, Structure } from './structure.js'

/**
 * Returns the MD5 of a structure (32 hexadecimal digits). It does not depend on the order and the
 * numbers of the atoms, nor on which of their periodic images are given. Lengths are rounded to
 * 0.001 Å, angles to 0.001 degrees and coordinates to a thousandth of an edge, the tolerance of the
 * platform's `made` library. The text that is hashed is our own.
 *
 * The hash compares descriptions, not crystals: another cell or origin of the same crystal has
 * another hash.
 */
export function computeStructureHash({ cell, atoms }: Structure): string {
  const { a, b, c, alpha, beta, gamma } = cell
  const lattice = [a, b, c, alpha, beta, gamma].map(toThousandths)
  const sites = atoms.map(formatSite).toSorted()
  return createHash('md5')
    .update(`${lattice.join(';')}#${sites.join(';')}`)
    .digest('hex')
}

const formatSite = ({ symbol, label, coordinate }: Atom): string =>
  `${symbol}${label} ${coordinate.map(toWrappedThousandths).join()}`

const toThousandths = (value: number): number => Math.round(value * 1000)

/** Rounds before it wraps, so that 0.9999 becomes 0. */
const toWrappedThousandths = (coordinate: number): number =>
  ((toThousandths(coordinate) % 1000) + 1000) % 1000
