import { createHash } from 'node:crypto'

import type { CellParameters } from './cell.js'
import type { Atom, Structure } from './structure.js'

/** Two MD5 hashes of a structure, of 32 hexadecimal digits each. */
export interface StructureHashes {
  readonly hash: string
  /** The hash of the structure with the lengths of its edges in units of `a`. */
  readonly scaledHash: string
}

/**
 * As the platform's `made` library does: every atom as `Si1 0.25,0.25,0.25;` (symbol, label,
 * crystal coordinates), sorted, then `#a;b;c;alpha;beta;gamma;#`, in thousandths. They depend
 * neither on the order and the numbers of the atoms nor on their images, but another cell of the
 * same crystal has other hashes.
 */
export function computeStructureHashes({ cell, atoms }: Structure): StructureHashes {
  const sites = `${atoms.map(formatAtom).toSorted().join(';')};`
  const { a, b, c } = cell
  return {
    hash: computeMd5(`${sites}#${formatCell(cell)}#`),
    scaledHash: computeMd5(`${sites}#${formatCell({ ...cell, a: 1, b: b / a, c: c / a })}#`),
  }
}

const computeMd5 = (text: string): string => createHash('md5').update(text).digest('hex')

const formatAtom = ({ symbol, label, coordinate: [x, y, z] }: Atom): string =>
  `${symbol}${label} ${formatCoordinate(x)},${formatCoordinate(y)},${formatCoordinate(z)}`

const formatCell = ({ a, b, c, alpha, beta, gamma }: CellParameters): string =>
  [a, b, c, alpha, beta, gamma].map((value) => `${toThousandths(value) / 1000};`).join('')

const formatCoordinate = (coordinate: number): string =>
  String(toThousandths(wrap(coordinate)) / 1000)

/**
 * From 0 up to below 1. Within a thousandth of a face is on the face, as in `made`: 0.9991 is 0.
 */
function wrap(coordinate: number): number {
  const wrapped = coordinate - Math.floor(coordinate)
  return Math.min(wrapped, 1 - wrapped) < MIN_DISTANCE ? 0 : wrapped
}

/** A thousandth, plus a margin for rounding errors: a distance of exactly a thousandth is included. */
const MIN_DISTANCE = 0.001 + 1e-12

/**
 * Halves round up by the decimal number: 1.0005 is 1001, although the double is a little smaller.
 */
function toThousandths(value: number): number {
  const thousandths = value * 1000
  const lower = Math.floor(thousandths)
  if (Math.abs(thousandths - lower - 0.5) > NEAR_HALF) return Math.round(thousandths)
  return value < Number(`${lower}.5e-3`) ? lower : lower + 1
}

/** A bound on the error of a product up to 1e9. Only numbers closer to a half need the decimal text. */
const NEAR_HALF = 1e-6
