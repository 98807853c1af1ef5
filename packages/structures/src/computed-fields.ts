import { isDeepStrictEqual } from 'node:util'

import type { Basis, DerivedProperty, Lattice } from '@materials-mock/api'
import type { JsonObject } from '@materials-mock/json'
import { deriveIdentifier } from './deterministic.js'
import { computeVolume, toCellVectors } from './cell.js'
import { ELEMENTS } from './elements.js'
import { findSymmetry } from './find-symmetry.js'
import { countElements, formatReducedFormula, formatUnitCellFormula } from './formula.js'
import type { ElementCount } from './formula.js'
import { computeStructureHashes } from './structure-hash.js'
import type { StructureHashes } from './structure-hash.js'
import { parseStructure } from './structure.js'
import type { Structure, StructureInput } from './structure.js'
import { SYMMETRY_TOLERANCE } from './symmetry.js'
import { round } from './vector.js'

/**
 * The same item without a structure or with an unchanged one. A given symmetry and other derived
 * properties are kept, unless they describe the previous structure.
 * @param previous undefined for a new one
 * @throws BodyInvalid for an impossible structure, and a basis or lattice alone
 */
export function computeFields(item: JsonObject, previous?: JsonObject): JsonObject {
  const hasStructure = item.basis !== undefined || item.lattice !== undefined
  const isUnchanged = item.basis === previous?.basis && item.lattice === previous?.lattice
  if (isUnchanged) return item
  if (!hasStructure) return item
  const isOutdated =
    previous !== undefined &&
    isDeepStrictEqual(item.derivedProperties, previous.derivedProperties) &&
    computeStructureHashes(parseStructure(item as StructureInput)).hash !== previous.hash
  const fields = describeStructure(
    item as StructureInput,
    isOutdated ? [] : findKnownProperties(item),
  )
  return { ...item, ...(fields as unknown as JsonObject) }
}

/** The names of the derived properties that are always computed. */
const COMPUTED_PROPERTIES: ReadonlySet<string> = new Set([
  'volume',
  'density',
  'elemental_ratio',
  'p-norm',
])

/** Whether a derived property is computed only from the structure. */
export const isComputed = ({ name }: DerivedProperty): boolean => COMPUTED_PROPERTIES.has(name)

function findKnownProperties({ derivedProperties = [] }: JsonObject): DerivedProperty[] {
  const properties = derivedProperties as readonly DerivedProperty[]
  return properties
    .filter((property) => !isComputed(property))
    .map((property) => (isSymmetry(property) ? completeSymmetry(property) : property))
}

/** The fields of a material that the platform computes from its structure. */
export interface ComputedFields extends StructureHashes {
  readonly formula: string
  readonly unitCellFormula: string
  /** The given lattice with its units and `vectors` (in Å, rounded to 9 decimals). */
  readonly lattice: Lattice
  /** The given basis with its units and its atoms numbered from 0, and `cell`, the vectors of the lattice. */
  readonly basis: Basis
  /** Volume, density, the known properties, elemental ratios and p-norms, to 6 decimals. */
  readonly derivedProperties: DerivedProperty[]
  /** Identifies the structure: equal structures have equal ids. */
  readonly exabyteId: string
}

/**
 * Computes the fields that describe a structure, with its symmetry, unless it is known, the structure is
 * too large (see `analyzeSymmetry`), or it is a molecule. A lattice without a type is triclinic (`TRI`).
 * @param knownProperties the properties that are not computed
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
  const basis = numberAtoms(input.basis ?? {})
  return {
    formula: formatReducedFormula(counts),
    unitCellFormula: formatUnitCellFormula(counts),
    lattice: completeLattice(input.lattice ?? {}, vectors),
    basis: { ...basis, units: basis.units ?? 'crystal', cell: vectors },
    derivedProperties: [
      ...computeBulkProperties(counts, computeVolume(structure.cell)),
      ...(input.isNonPeriodic === true || knownProperties.some(isSymmetry)
        ? []
        : computeSymmetry(structure)),
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

function computeBulkProperties(counts: readonly ElementCount[], volume: number): DerivedProperty[] {
  const mass = sum(counts.map(([symbol, count]) => findMass(symbol) * count))
  const density = (mass / volume) * DALTON_PER_ANGSTROM_CUBED
  return [
    { name: 'volume', value: round(volume, 6), units: 'angstrom^3' },
    { name: 'density', value: round(density, 6), units: 'g/cm^3' },
  ]
}

/**
 * Returns the share of each element among the atoms, and p-norms of these shares: degree 0 counts the
 * elements, any other degree is (Σ share^p)^(1/p) (Ward et al., npj Comput. Mater. 2 (2016) 16028).
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

const isSymmetry = ({ name }: DerivedProperty): boolean => name === 'symmetry'

function computeSymmetry(structure: Structure): DerivedProperty[] {
  const symmetry = findSymmetry(structure)
  if (symmetry === undefined) return []
  const { spaceGroupSymbol, pointGroupSymbol } = symmetry
  return [completeSymmetry({ spaceGroupSymbol, pointGroupSymbol })]
}

/** Completes a `symmetry` property. The default tolerance is that of the platform's own search. */
export const completeSymmetry = (property: Partial<DerivedProperty>): DerivedProperty => ({
  name: 'symmetry',
  ...property,
  tolerance: property.tolerance ?? { value: SYMMETRY_TOLERANCE, units: 'angstrom' },
})

/**
 * From 0, in the order of `elements`, as the platform does with every written material.
 * @param basis each `id` of an array is the `id` of an element
 */
function numberAtoms(basis: Basis): Basis {
  const numbers = new Map(basis.elements?.map(({ id }, index) => [id, index]))
  const numbered = ARRAYS.flatMap((name) => {
    const entries = basis[name]
    return entries === undefined ? [] : [[name, numberEntries(entries, numbers)]]
  })
  return { ...basis, ...Object.fromEntries(numbered) }
}

/** The arrays of a basis whose entries have the number of an atom. */
const ARRAYS = ['elements', 'coordinates', 'constraints', 'labels'] as const

interface NumberedEntry {
  readonly id: number
}

function numberEntries(
  entries: readonly NumberedEntry[],
  numbers: ReadonlyMap<number, number>,
): readonly NumberedEntry[] {
  if (entries.every(({ id }, index) => id === index && numbers.get(id) === id)) return entries
  return entries
    .map((entry) => ({ ...entry, id: numbers.get(entry.id) ?? entry.id }))
    .toSorted((a, b) => a.id - b.id)
}
