import { readPoscar } from './poscar.js'
import type { JsonObject } from '../../../json/json.js'
import type { ImportBody } from '../../../schemas/write-bodies.js'

/**
 * The body of a new material, from a structure file.
 * @throws BodyInvalid naming the line of the file that is wrong
 */
export function materialFromPoscar(file: ImportBody): JsonObject {
  const { name: title, lattice, basis } = readPoscar(file.content)
  const name = file.name ?? title
  const { tags = [], 'owner._id': ownerId = null } = file
  const material = { ...(name && { name }), lattice, basis, tags, owner: { _id: ownerId } }
  return material as unknown as JsonObject
}
