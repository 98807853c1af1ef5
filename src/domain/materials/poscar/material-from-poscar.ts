import type { JsonObject } from '../../../json/json.js'
import type { ImportBody } from '../../../schemas/write-bodies.js'
import { parsePoscar } from './poscar.js'

/**
 * Converts the body of an import to the body of a new material. Without a `name`, the material has
 * the comment of the file as its name.
 * @throws BodyInvalid for an invalid line of the file (see `parsePoscar`)
 */
export function materialFromPoscar(body: ImportBody): JsonObject {
  const { name: comment, lattice, basis } = parsePoscar(body.content)
  const name = body.name ?? comment
  const { tags = [], 'owner._id': ownerId = null } = body
  const material = { ...(name && { name }), lattice, basis, tags, owner: { _id: ownerId } }
  return material as unknown as JsonObject
}
