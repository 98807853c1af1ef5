export { ImportBody, importMaterial } from './import-material.js'
export { parseCif } from './cif/cif.js'
export { parsePoscar } from './poscar.js'
export { parseStructure } from './structure.js'
export type { Structure, StructureInput } from './structure.js'
export {
  completeSymmetry,
  computeFields,
  describeStructure,
  isComputed,
} from './computed-fields.js'
export type { ComputedFields } from './computed-fields.js'
export { formatReducedFormula, formatUnitCellFormula, parseFormula } from './formula.js'
export type { ElementCount } from './formula.js'
export { ELEMENTS, findAtomicNumber, findCovalentRadius } from './elements.js'
export type { Element } from './elements.js'

export { analyzeSymmetry } from './symmetry.js'
export { findSymmetry, searchHere } from './find-symmetry.js'
export { MOYO_FILE, findMoyo, loadMoyo } from './load-moyo.js'

export {
  ORIGIN,
  UNIT_VECTORS,
  add,
  computeLength,
  dot,
  mapVector,
  round,
  scale,
  subtract,
} from './vector.js'
export type { Vector } from './vector.js'
export {
  computeDeterminant,
  computePlaneSpacings,
  findBorderTolerance,
  listCells,
  toCartesian,
  toCellParameters,
  toCellVectors,
} from './cell.js'
export type { CellParameters, CellVectors } from './cell.js'
export { isDrawable, readCrystal } from './geometry/crystal.js'
export type { Crystal, DrawableMaterial, Site } from './geometry/crystal.js'
export { findBondKinds, findBonds } from './geometry/bonds.js'
export type { Bond, BondKind } from './geometry/bonds.js'

export {
  computeKppra,
  createStructureModel,
  listShortBonds,
  makeKGrid,
} from './results/structure-model.js'
export type { Electrons, PropertyInput, StructureModel } from './results/structure-model.js'
export { computeElectrons, loadEigenvalues } from './results/electrons.js'
export { choosePath, listPathPoints, nameCorners } from './results/k-path.js'
export type { PathPoint } from './results/k-path.js'
export { makeBandGaps, makePropertyData } from './results/property-data.js'
export { makeRelaxedMaterial } from './results/relaxed-material.js'

export { generateMaterials } from './generate/generate-materials.js'
export { buildStructureOfFormula, drawComposition } from './generate/composition.js'
export type { FormulaStructure } from './generate/composition.js'
export {
  createNumbers,
  createRandom,
  deriveIdentifier,
  shuffle,
  toIdentifier,
} from './deterministic.js'
export type { Random } from './deterministic.js'
