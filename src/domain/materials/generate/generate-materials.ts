import { createHash } from 'node:crypto'

import { buildStructure, drawCompound } from './composition.js'
import { describeStructure } from '../describe-structure.js'
import { identifier } from '../../identifier.js'
import { randomFrom } from './random.js'
import type { Composition } from './composition.js'
import type { Material } from '../../../schemas/material.js'

/**
 * Made-up materials, as many as one likes: real kinds of crystals with random elements and sizes,
 * described like the shipped ones. A formula comes about ten times, at any number of materials;
 * `_id`s and names are unique. The same count and seed (a whole number, default 1) give the same
 * materials. No account of the fixtures owns them, so that every account sees them all.
 */
export function* generateMaterials(count: number, { seed = 1 } = {}): Generator<Material> {
  const random = randomFrom(seed)
  const formulas = Math.ceil(count / ITEMS_PER_FORMULA)
  const known = new Set<string>()
  const compounds: Composition[] = []
  for (let index = 0; index < count; index += 1) {
    const compound = compounds[index % formulas] ?? drawCompound(random, known)
    if (index < formulas) compounds.push(compound)
    yield makeMaterial(compound, Math.floor(index / formulas), `${seed}-${index + 1}`, index)
  }
}

const ITEMS_PER_FORMULA = 10

/** The version of a compound: which of its polymorphs, and how far its cell is expanded. */
const makeMaterial = (
  compound: Composition,
  version: number,
  label: string,
  index: number,
): Material => {
  const polymorph = compound.polymorphs[version % compound.polymorphs.length]
  if (polymorph === undefined) throw new RangeError('a compound must have a polymorph')
  const { name, type, spaceGroupSymbol, sites } = polymorph
  const structure = buildStructure(compound, polymorph, 1 + version / 200)
  const { formula, unitCellFormula, lattice, ...computed } = describeStructure(
    structure,
    spaceGroupSymbol,
  )
  return {
    _id: identifier(createHash('sha256').update(label).digest()),
    name: `${formula}, ${name}, ${type} (${spaceGroupSymbol}) 3D (Bulk), gen-${label}`,
    formula,
    unitCellFormula,
    lattice,
    basis: structure.basis,
    ...computed,
    external: { id: `gen-${label}`, source: 'materials-mock', origin: false },
    tags: sites.length === 1 ? ['generated', 'elemental'] : ['generated'],
    metadata: {},
    isNonPeriodic: false,
    isDefault: false,
    owner: { _id: MAKER, slug: 'generator', cls: 'Account' },
    creator: { _id: MAKER, slug: 'generator', cls: 'User' },
    inSet: [],
    schemaVersion: '2022.8.16',
    ...timesOf(index),
  }
}

const MAKER = identifier(createHash('sha256').update('account generator').digest())

/** Times within two years that neither rise nor fall with the index. */
const timesOf = (index: number): { createdAt: string; updatedAt: string } => {
  const created = (index * 48_271_127) % TWO_YEARS
  const updated = created + ((index * 16_807_511) % TWO_YEARS)
  return { createdAt: isoTime(created), updatedAt: isoTime(updated) }
}

/** In seconds. */
const TWO_YEARS = 2 * 365 * 24 * 60 * 60

const isoTime = (seconds: number): string =>
  new Date(Date.UTC(2022, 0, 1) + seconds * 1000).toISOString()
