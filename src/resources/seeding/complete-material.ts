import { isDeepStrictEqual } from 'node:util'

import type { DerivedProperty, Lattice, Material } from '@materials-mock/api'
import { BodyInvalid, quote, toObject } from '@materials-mock/json'
import type { JsonObject } from '@materials-mock/json'
import {
  buildStructureOfFormula,
  completeSymmetry,
  describeStructure,
  drawComposition,
  formatReducedFormula,
  formatUnitCellFormula,
  isComputed,
  parseFormula,
  round,
} from '@materials-mock/structures'
import type {
  ComputedFields,
  ElementCount,
  FormulaStructure,
  StructureInput,
} from '@materials-mock/structures'
import { completeCommonFields } from './common-fields.js'
import type { SeedContext } from './common-fields.js'

/**
 * Makes up a structure with its formula if it has none, and computes what follows from it. The
 * symmetry is that of the prototype, or computed for a given structure or another shape.
 * @throws BodyInvalid for an impossible structure, and for fields that contradict it
 */
export function completeMaterial(item: Partial<Material>, context: SeedContext): JsonObject {
  const common = completeCommonFields(toObject(item), context)
  const { structure, ...found } = findStructure(item, context)
  const prototype = item.isNonPeriodic === true ? undefined : found.prototype // no crystal
  const given = item.derivedProperties ?? []
  const known = given.filter(({ name }) => name === 'symmetry').map(completeSymmetry)
  const symmetry = prototype && completeSymmetry(pickSymbols(prototype))
  const computed = describeStructure(
    { ...structure, isNonPeriodic: item.isNonPeriodic === true },
    known.length > 0 || symmetry === undefined ? known : [symmetry],
  )
  checkComputed(item, computed)
  const others = given.filter((property) => !isOfStructure(property))
  return {
    name: toName(computed, prototype),
    isNonPeriodic: false,
    ...common,
    ...toObject(computed),
    ...toObject({ derivedProperties: [...computed.derivedProperties, ...others] }),
  }
}

const pickSymbols = ({
  spaceGroupSymbol,
  pointGroupSymbol,
}: NonNullable<FormulaStructure['prototype']>): Partial<DerivedProperty> => ({
  spaceGroupSymbol,
  pointGroupSymbol,
})

/** Whether a property follows from a structure and its symmetry. */
const isOfStructure = (property: DerivedProperty): boolean =>
  property.name === 'symmetry' || isComputed(property)

const toName = (
  { formula }: ComputedFields,
  prototype: FormulaStructure['prototype'] | undefined,
): string =>
  prototype === undefined
    ? formula
    : `${formula}, ${prototype.name}, ${prototype.type} (${prototype.spaceGroupSymbol}) 3D (Bulk)`

/** A structure and its prototype; the prototype is undefined if the structure was given, or has another shape. */
interface FoundStructure {
  readonly structure: StructureInput
  readonly prototype: FormulaStructure['prototype'] | undefined
}

function findStructure(item: Partial<Material>, context: SeedContext): FoundStructure {
  const { basis, lattice } = item
  if (basis !== undefined) {
    const count = basis.elements?.length ?? 0
    return { structure: { basis, lattice: lattice ?? createCube(count) }, prototype: undefined }
  }
  const counts = findCounts(item, context)
  const expansion = 1 + (context.random() - 0.5) / 10
  const choice = Math.floor(context.random() * 100)
  const isExact = item.unitCellFormula !== undefined
  const { structure, prototype } = buildStructureOfFormula(counts, choice, expansion, isExact)
  const completed = completeLattice(structure.lattice, lattice)
  return {
    structure: { ...structure, lattice: completed },
    prototype: hasShape(completed, structure.lattice) ? prototype : undefined,
  }
}

function findCounts(item: Partial<Material>, { random }: SeedContext): ElementCount[] {
  const { formula, unitCellFormula } = item
  if (unitCellFormula !== undefined) {
    const counts = parse('unitCellFormula', unitCellFormula, formatUnitCellFormula)
    if (formula !== undefined) checkField('formula', formula, formatReducedFormula(counts))
    return counts
  }
  if (formula !== undefined) return parse('formula', formula, formatReducedFormula)
  const { symbols, polymorphs } = drawComposition(random, new Set())
  const drawn = polymorphs[0]?.sites.map(([element]) => symbols[element]!) ?? []
  return parseFormula(drawn.join('')) ?? []
}

function parse(
  field: string,
  formula: string,
  format: (counts: readonly ElementCount[]) => string,
): ElementCount[] {
  const counts = parseFormula(formula)
  if (counts === undefined) {
    throw new BodyInvalid(
      `${field} must be a formula such as "SiO2" of at most 500 atoms, not ${quote(formula)}`,
    )
  }
  if (format(counts) !== formula) {
    throw new BodyInvalid(
      `${field} must be ${quote(format(counts))}, as the platform writes it, not ${quote(formula)}`,
    )
  }
  return counts
}

/** Returns a cube with 15 Å^3 for each atom. */
function createCube(atoms: number): Lattice {
  const a = round(Math.cbrt(15 * Math.max(1, atoms)), 6)
  return { type: 'CUB', a, b: a, c: a, alpha: 90, beta: 90, gamma: 90 }
}

const PARAMETERS = ['a', 'b', 'c', 'alpha', 'beta', 'gamma'] as const

/** Returns a lattice with the given parameters. The other parameters are scaled with the first length. */
function completeLattice(made: Lattice, given: Lattice = {}): Lattice {
  const isWhole = PARAMETERS.every((key) => given[key] !== undefined)
  if (given.type !== undefined && given.type !== made.type && !isWhole) {
    throw new BodyInvalid(
      `lattice.type ${quote(given.type)} must come with a, b, c, alpha, beta and gamma`,
    )
  }
  const length = (['a', 'b', 'c'] as const).find((key) => given[key] !== undefined)
  const scale = length === undefined ? 1 : (given[length] ?? 1) / (made[length] ?? 1)
  const scaled = (['a', 'b', 'c'] as const).map((key) => [key, round((made[key] ?? 1) * scale, 6)])
  const completed: Lattice = { ...made, ...Object.fromEntries(scaled), ...given }
  return given.type === undefined && !hasShape(completed, made)
    ? { ...completed, type: 'TRI' }
    : completed
}

/** Whether two cells differ only in size. */
function hasShape(lattice: Lattice, other: Lattice): boolean {
  const scale = (lattice.a ?? 1) / (other.a ?? 1)
  return PARAMETERS.every((key) => {
    const expected = (other[key] ?? 1) * (key.length === 1 ? scale : 1)
    return Math.abs((lattice[key] ?? 1) / expected - 1) < 1e-5
  })
}

function checkComputed(item: Partial<Material>, computed: ComputedFields): void {
  for (const key of ['formula', 'unitCellFormula', 'hash', 'scaledHash', 'exabyteId'] as const)
    checkField(key, item[key], computed[key])
  for (const property of item.derivedProperties ?? []) {
    const { name, element, degree, value } = property
    if (!isComputed(property)) continue
    const same = computed.derivedProperties.find(
      (each: DerivedProperty) =>
        each.name === name && each.element === element && each.degree === degree,
    )
    checkField(`the ${name} of derivedProperties`, value, same?.value)
  }
  checkField('lattice.vectors', item.lattice?.vectors, computed.lattice.vectors)
  checkField('basis.cell', item.basis?.cell, computed.basis.cell)
}

/** @throws BodyInvalid for a given field that differs from the computed field */
function checkField(field: string, given: unknown, computed: unknown): void {
  if (given === undefined || isDeepStrictEqual(given, computed)) return
  throw new BodyInvalid(
    `${field} must be ${quote(computed)}, as the structure has it, not ${quote(given)}`,
  )
}
