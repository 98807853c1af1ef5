import type { JsonObject } from '../../json/json.js'
import type { ImportBody } from '../items/import-body.js'
import { parseCif } from './cif/cif.js'
import { parsePoscar } from './poscar/poscar.js'

/**
 * Converts the body of an import to the body of a new material. Without a `name`, the material has
 * the one in the file: the comment of a POSCAR, the data block's code of a CIF.
 * @throws BodyInvalid for an invalid line of the file (see `parsePoscar` and `parseCif`)
 * @throws BoundExceeded for a file that is too large
 */
export function importMaterial(body: ImportBody): JsonObject {
  const parse = body.format === 'cif' ? parseCif : parsePoscar
  const { name: nameInFile, ...structure } = parse(body.content)
  const name = body.name ?? nameInFile
  const { tags = [], 'owner._id': ownerId = null } = body
  const material = { ...(name && { name }), ...structure, tags, owner: { _id: ownerId } }
  return material as unknown as JsonObject
}
