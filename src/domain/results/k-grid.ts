import type { StructureModel } from './structure-model.js'

/** The length of a supercell along each edge, in Å, that the points of the grid stand for. */
const LENGTH = 10

/** Returns the numbers of k-points along the edges of the reciprocal cell. */
export const makeKGrid = (model: StructureModel | undefined): readonly number[] => {
  if (model === undefined) return [1, 1, 1]
  const { a, b, c } = model.cell
  return [a, b, c].map((edge) => Math.max(1, Math.ceil(LENGTH / edge)))
}

/** Returns the number of k-points times atoms (k-points per reciprocal atom). */
export const computeKppra = (model: StructureModel | undefined): number =>
  makeKGrid(model).reduce((product, count) => product * count, model?.atoms.length ?? 1)
