import type { JsonObject } from '../../json/json.js'
import type { DerivedProperty } from '../items/material.js'
import { describeStructure } from './describe-structure.js'
import type { StructureInput } from './structure.js'
import { completeSymmetry } from './symmetry.js'

/**
 * Returns a material with the fields that the platform computes from its structure, or the same item
 * if it has no structure or the structure is unchanged. Derived properties that are not computed,
 * such as the symmetry, are kept, unless they still describe a previous structure.
 * @param previous the material before the change; undefined if it is new
 * @throws BodyInvalid for an impossible structure, or if only one of basis and lattice is given
 */
export function computeFields(item: JsonObject, previous?: JsonObject): JsonObject {
  const hasStructure = item.basis !== undefined || item.lattice !== undefined
  const isUnchanged = item.basis === previous?.basis && item.lattice === previous?.lattice
  if (!hasStructure || isUnchanged) return item
  const fields = describeStructure(item as StructureInput, findKnownProperties(item))
  const isOutdated =
    previous !== undefined &&
    fields.hash !== previous.hash &&
    item.derivedProperties === previous.derivedProperties
  const derivedProperties = fields.derivedProperties.filter(
    (property) => !isOutdated || isComputed(property),
  )
  return { ...item, ...({ ...fields, derivedProperties } as unknown as JsonObject) }
}

/** The names of the derived properties that are computed. */
const COMPUTED_PROPERTIES: ReadonlySet<string> = new Set([
  'volume',
  'density',
  'elemental_ratio',
  'p-norm',
])

const isComputed = ({ name }: DerivedProperty): boolean => COMPUTED_PROPERTIES.has(name)

function findKnownProperties({ derivedProperties = [] }: JsonObject): DerivedProperty[] {
  const properties = derivedProperties as unknown as readonly DerivedProperty[]
  return properties
    .filter((property) => !isComputed(property))
    .map((property) => (property.name === 'symmetry' ? completeSymmetry(property) : property))
}
