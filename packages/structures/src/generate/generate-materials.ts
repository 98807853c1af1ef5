import type { Material } from '@materials-mock/api'
import { deriveIdentifier, createRandom } from '../deterministic.js'
import { completeSymmetry, describeStructure } from '../computed-fields.js'
import { buildStructure, drawComposition } from './composition.js'
import type { Composition } from './composition.js'

/**
 * Real crystal structures with random elements and sizes. Each formula occurs about ten times. The
 * same count and seed give the same. No account of the fixtures owns them, so all see them.
 * @param options.seed a whole number
 */
export function* generateMaterials(count: number, { seed = 1 } = {}): Generator<Material> {
  const random = createRandom(seed)
  const compositionCount = Math.ceil(count / MATERIALS_PER_FORMULA)
  const usedFormulas = new Set<string>()
  const compositions: Composition[] = []
  for (let index = 0; index < count; index += 1) {
    const composition =
      compositions[index % compositionCount] ?? drawComposition(random, usedFormulas)
    if (index < compositionCount) compositions.push(composition)
    const variant = Math.floor(index / compositionCount)
    yield createMaterial(composition, variant, `${seed}-${index + 1}`, index)
  }
}

const MATERIALS_PER_FORMULA = 10

/** @param variant selects one of the polymorphs, and expands its cell */
function createMaterial(
  composition: Composition,
  variant: number,
  label: string,
  index: number,
): Material {
  const polymorph = composition.polymorphs[variant % composition.polymorphs.length]
  if (polymorph === undefined) throw new RangeError('a composition must have a polymorph')
  const { name, type, spaceGroupSymbol, pointGroupSymbol, sites } = polymorph
  const structure = buildStructure(composition, polymorph, 1 + variant / 200)
  const computed = describeStructure(structure, [
    completeSymmetry({ spaceGroupSymbol, pointGroupSymbol }),
  ])
  return {
    _id: deriveIdentifier(label),
    name: `${computed.formula}, ${name}, ${type} (${spaceGroupSymbol}) 3D (Bulk), gen-${label}`,
    ...computed,
    external: { id: `gen-${label}`, source: 'materials-mock', origin: false },
    tags: sites.length === 1 ? ['generated', 'elemental'] : ['generated'],
    metadata: {},
    isNonPeriodic: false,
    isDefault: false,
    owner: { _id: OWNER_ID, slug: 'generator', cls: 'Account' },
    creator: { _id: OWNER_ID, slug: 'generator', cls: 'User' },
    inSet: [],
    isEntitySet: false,
    schemaVersion: '2022.8.16',
    ...createTimes(index),
  }
}

const OWNER_ID = deriveIdentifier('account generator')

/** Returns times that neither rise nor fall with the index; `createdAt` is in 2022 or 2023. */
function createTimes(
  index: number,
): Pick<Material, 'createdAt' | 'createdBy' | 'updatedAt' | 'updatedBy'> {
  const created = (index * 48_271_127) % TWO_YEARS
  const updated = created + ((index * 16_807_511) % TWO_YEARS)
  return {
    createdAt: formatTime(created),
    createdBy: OWNER_ID,
    updatedAt: formatTime(updated),
    updatedBy: OWNER_ID,
  }
}

/** The range of times in seconds. */
const TWO_YEARS = 2 * 365 * 24 * 60 * 60

const formatTime = (seconds: number): string =>
  new Date(Date.UTC(2022, 0, 1) + seconds * 1000).toISOString()
