import type { DerivedProperty } from '../items/material.js'
import type { Basis, Lattice } from '../items/structure.js'
import { deriveIdentifier } from '../identifier.js'
import { computeVolume, toCellVectors } from './cell.js'
import { ELEMENTS } from './elements.js'
import { countElements, formatReducedFormula, formatUnitCellFormula } from './formula.js'
import type { ElementCount } from './formula.js'
import { numberAtoms } from './number-atoms.js'
import { round } from './round.js'
import { computeStructureHashes } from './structure-hash.js'
import type { StructureHashes } from './structure-hash.js'
import { parseStructure } from './structure.js'
import type { StructureInput } from './structure.js'

/** The fields of a material that the platform computes from its structure. */
export interface ComputedFields extends StructureHashes {
  readonly formula: string
  readonly unitCellFormula: string
  /** The given lattice with its units and `vectors` (in Å, rounded to 9 decimals). */
  readonly lattice: Lattice
  /** The given basis with its atoms numbered from 0, and `cell`, the vectors of the lattice. */
  readonly basis: Basis
  /** Volume, density, the known properties, elemental ratios and p-norms, to 6 decimals. */
  readonly derivedProperties: DerivedProperty[]
  /** Identifies the structure: equal structures have equal ones. */
  readonly exabyteId: string
}

/**
 * Computes the fields that describe a structure. The space group is not computed. A lattice without
 * a type is triclinic (`TRI`).
 * @param knownProperties those that are not computed, such as the symmetry
 * @throws BodyInvalid for an impossible structure (see `parseStructure`)
 */
export function describeStructure(
  input: StructureInput,
  knownProperties: readonly DerivedProperty[] = [],
): ComputedFields {
  const structure = parseStructure(input)
  const counts = countElements(structure.atoms.map(({ symbol }) => symbol))
  const [a, b, c] = toCellVectors(structure.cell)
  const vectors = [a, b, c].map((vector) => vector.map((value) => round(value, 9)))
  const hashes = computeStructureHashes(structure)
  return {
    formula: formatReducedFormula(counts),
    unitCellFormula: formatUnitCellFormula(counts),
    lattice: completeLattice(input.lattice ?? {}, vectors),
    basis: { ...numberAtoms(input.basis ?? {}), cell: vectors },
    derivedProperties: [
      ...computeBulkProperties(counts, computeVolume(structure.cell)),
      ...knownProperties,
      ...computeRatioProperties(counts),
    ],
    ...hashes,
    exabyteId: deriveIdentifier(`structure ${hashes.hash}`),
  }
}

function completeLattice(lattice: Lattice, [a = [], b = [], c = []]: number[][]): Lattice {
  return {
    ...lattice,
    type: lattice.type ?? 'TRI',
    units: { length: 'angstrom', angle: 'degree' },
    vectors: { a, b, c, alat: 1, units: 'angstrom' },
  }
}

/** One dalton per Å^3 in g/cm^3 (atomic mass constant, CODATA 2022). */
const DALTON_PER_ANGSTROM_CUBED = 1.66053906892

/** @param volume in Å^3 */
function computeBulkProperties(counts: readonly ElementCount[], volume: number): DerivedProperty[] {
  const mass = sum(counts.map(([symbol, count]) => findMass(symbol) * count))
  const density = (mass / volume) * DALTON_PER_ANGSTROM_CUBED
  return [
    { name: 'volume', value: round(volume, 6), units: 'angstrom^3' },
    { name: 'density', value: round(density, 6), units: 'g/cm^3' },
  ]
}

/**
 * Returns the share of each element among the atoms, and p-norms of these shares: degree 0 counts
 * the elements, any other is (Σ share^p)^(1/p) (Ward et al., npj Comput. Mater. 2 (2016) 16028).
 */
function computeRatioProperties(counts: readonly ElementCount[]): DerivedProperty[] {
  const total = sum(counts.map(([, count]) => count))
  const ratios = counts.map(([, count]) => count / total)
  return [
    ...counts.map(([element, count]) => ({
      name: 'elemental_ratio',
      element,
      value: round(count / total, 6),
    })),
    ...[0, 2, 3, 5, 7, 10].map((degree) => ({
      name: 'p-norm',
      degree,
      value: degree === 0 ? counts.length : round(computeNorm(ratios, degree), 6),
    })),
  ]
}

const computeNorm = (ratios: readonly number[], degree: number): number =>
  sum(ratios.map((ratio) => ratio ** degree)) ** (1 / degree)

const findMass = (symbol: string): number => ELEMENTS.get(symbol)?.mass ?? NaN

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
