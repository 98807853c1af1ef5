import { describeStructure } from './describe-structure.js'
import type { StructureInput } from './structure.js'
import type { JsonObject } from '../../json/json.js'
import type { DerivedProperty } from '../../schemas/material.js'

/**
 * A material with what the platform computes of its structure in the place of the fields of these
 * names; the same item where there is no structure. The space group is not computed: it is taken from
 * `derivedProperties`, unless the structure is another than it was said of.
 * @param former what the material was before, where it is not new
 * @throws BodyInvalid where the structure makes no sense, or basis or lattice is missing
 */
export function computeFields(item: JsonObject, former?: JsonObject): JsonObject {
  const hasStructure = item.basis !== undefined || item.lattice !== undefined
  const isSame = item.basis === former?.basis && item.lattice === former?.lattice
  if (!hasStructure || isSame) return item
  const structure = item as StructureInput
  const described = describeStructure(structure)
  const isOutdated =
    described.hash !== former?.hash && item.derivedProperties === former?.derivedProperties
  const symbol = isOutdated ? undefined : spaceGroupOf(item)
  return { ...item, ...(describeStructure(structure, symbol) as unknown as JsonObject) }
}

function spaceGroupOf({ derivedProperties = [] }: JsonObject): string | undefined {
  const properties = derivedProperties as unknown as readonly DerivedProperty[]
  return properties.find(({ name }) => name === 'symmetry')?.spaceGroupSymbol
}
