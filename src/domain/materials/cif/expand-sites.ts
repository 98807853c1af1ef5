import { BodyInvalid, BoundExceeded } from '../../../errors.js'
import type { CellVectors } from '../cell.js'
import { checkAtomCount } from '../structure.js'
import type { Vector } from '../vector.js'
import type { CifSite } from './cif-sites.js'
import { PlaceIndex } from './place-index.js'
import { applyOperation } from './symmetry-operation.js'
import type { SymmetryOperation } from './symmetry-operation.js'

/** The number of images of all sites under all operations: more would hold up other requests. */
const MAX_IMAGES = 20_000

/**
 * Returns all atoms of the cell: the images of the sites under the symmetry operations, within the
 * cell. Images at one place are one atom.
 * @throws BodyInvalid for atoms of two elements at one place
 * @throws BoundExceeded for more than 20,000 images or 10,000 atoms
 */
export function expandSites(
  sites: readonly CifSite[],
  operations: readonly SymmetryOperation[],
  edges: CellVectors,
): CifSite[] {
  const count = sites.length * operations.length
  if (count > MAX_IMAGES) {
    const bound = `at most ${MAX_IMAGES} images of atom sites under its symmetry operations`
    throw new BoundExceeded(`the CIF file must have ${bound}, not ${count}`)
  }
  const places = new PlaceIndex(edges)
  const atoms: CifSite[] = []
  for (const { symbol, point, line } of sites) {
    for (const operation of operations) {
      const image = { symbol, point: wrap(applyOperation(operation, point)), line }
      const other = places.findNear(image.point)
      if (other === undefined) {
        places.add(image)
        atoms.push(image)
      } else if (other.symbol !== symbol) {
        const place = `a place where ${other.symbol} of line ${other.line} is not`
        throw new BodyInvalid(`line ${line} of the CIF file must be ${symbol} at ${place}`)
      }
    }
  }
  checkAtomCount('the CIF file', atoms.length)
  return atoms
}

const wrap = ([x, y, z]: Vector): Vector => [
  x - Math.floor(x),
  y - Math.floor(y),
  z - Math.floor(z),
]
