import type { JsonObject } from '../../json/json.js'
import type { DerivedProperty } from '../../schemas/material.js'
import { describeStructure } from './describe-structure.js'
import type { StructureInput } from './structure.js'

/**
 * Returns a material with the fields that the platform computes from its structure, or the same item
 * if it has no structure or the structure is unchanged. The space group is not computed: it is taken
 * from `derivedProperties`, unless that still describes a previous structure.
 * @param previous the material before the change; undefined if it is new
 * @throws BodyInvalid for an impossible structure, or if only one of basis and lattice is given
 */
export function computeFields(item: JsonObject, previous?: JsonObject): JsonObject {
  const hasStructure = item.basis !== undefined || item.lattice !== undefined
  const isUnchanged = item.basis === previous?.basis && item.lattice === previous?.lattice
  if (!hasStructure || isUnchanged) return item
  const structure = item as StructureInput
  const { hash } = describeStructure(structure)
  const isOutdated =
    hash !== previous?.hash && item.derivedProperties === previous?.derivedProperties
  const symbol = isOutdated ? undefined : findSpaceGroup(item)
  return { ...item, ...(describeStructure(structure, symbol) as unknown as JsonObject) }
}

function findSpaceGroup({ derivedProperties = [] }: JsonObject): string | undefined {
  const properties = derivedProperties as unknown as readonly DerivedProperty[]
  return properties.find(({ name }) => name === 'symmetry')?.spaceGroupSymbol
}
