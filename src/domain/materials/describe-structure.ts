import { cellVectors, cellVolume } from './cell.js'
import { elements } from './elements.js'
import { countElements, reducedFormula, unitCellFormula } from './formula.js'
import { structureHash } from './structure-hash.js'
import { round } from './round.js'
import { readStructure } from './structure.js'
import type { CellParameters, Vector } from './cell.js'
import type { ElementCount } from './formula.js'
import type { StructureInput } from './structure.js'
import type { DerivedProperty } from '../../schemas/material.js'
import type { Lattice } from '../../schemas/structure.js'

/** What the platform computes of a structure; it takes the place of the fields of these names. */
export interface ComputedFields {
  readonly formula: string
  readonly unitCellFormula: string
  /** The lattice as given, with its units and `vectors` (Å, rounded to 9 decimals). */
  readonly lattice: Lattice
  /** Volume, density, symmetry if it is known, elemental ratios and p-norms, to 6 decimals. */
  readonly derivedProperties: DerivedProperty[]
  readonly hash: string
}

/**
 * Describes a structure. Its space group is not computed: where `spaceGroupSymbol` is not given,
 * there is no `symmetry` among the properties. A lattice without a type is triclinic (`TRI`).
 *
 * @throws BodyInvalid where the structure makes no sense (see `readStructure`).
 */
export const describeStructure = (
  input: StructureInput,
  spaceGroupSymbol?: string,
): ComputedFields => {
  const structure = readStructure(input)
  const counts = countElements(structure.atoms.map(({ symbol }) => symbol))
  return {
    formula: reducedFormula(counts),
    unitCellFormula: unitCellFormula(counts),
    lattice: completeLattice(input.lattice ?? {}, structure.cell),
    derivedProperties: [
      ...bulkProperties(counts, cellVolume(structure.cell)),
      ...(spaceGroupSymbol === undefined ? [] : [{ name: 'symmetry', spaceGroupSymbol }]),
      ...ratioProperties(counts),
    ],
    hash: structureHash(structure),
  }
}

const completeLattice = (lattice: Lattice, cell: CellParameters): Lattice => {
  const [a, b, c] = cellVectors(cell)
  return {
    ...lattice,
    type: lattice.type ?? 'TRI',
    units: { length: 'angstrom', angle: 'degree' },
    vectors: {
      a: roundVector(a),
      b: roundVector(b),
      c: roundVector(c),
      alat: 1,
      units: 'angstrom',
    },
  }
}

/** One dalton per Å^3 in g/cm^3 (atomic mass constant, CODATA 2022). */
const DALTON_PER_ANGSTROM_CUBED = 1.66053906892

const bulkProperties = (counts: readonly ElementCount[], volume: number): DerivedProperty[] => {
  const mass = sum(counts.map(([symbol, count]) => massOf(symbol) * count))
  const density = (mass / volume) * DALTON_PER_ANGSTROM_CUBED
  return [
    { name: 'volume', value: round(volume, 6), units: 'angstrom^3' },
    { name: 'density', value: round(density, 6), units: 'g/cm^3' },
  ]
}

/**
 * The share of each element among the atoms, and p-norms of these shares: degree 0 counts the
 * elements, any other is (Σ share^p)^(1/p) (Ward et al., npj Comput. Mater. 2 (2016) 16028).
 */
const ratioProperties = (counts: readonly ElementCount[]): DerivedProperty[] => {
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
      value: degree === 0 ? counts.length : round(norm(ratios, degree), 6),
    })),
  ]
}

const norm = (ratios: readonly number[], degree: number): number =>
  sum(ratios.map((ratio) => ratio ** degree)) ** (1 / degree)

const massOf = (symbol: string): number => elements.get(symbol)?.mass ?? NaN

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

const roundVector = (vector: Vector): number[] => vector.map((value) => round(value, 9))
