import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'

import { BodyInvalid, StringEnum } from '@materials-mock/json'
import type { JsonObject } from '@materials-mock/json'
import { parseCif } from './cif/cif.js'
import { parsePoscar } from './poscar.js'

const SILICON = [
  'Silicon FCC',
  '1.0',
  '3.348899 0.0 1.933488',
  '1.116300 3.157372 1.933488',
  '0.0 0.0 3.866975',
  'Si',
  '2',
  'direct',
  '0.0 0.0 0.0',
  '0.25 0.25 0.25',
].join('\n')

/** The body of an import: a structure file, and fields of the new material. */
export const ImportBody = Type.Object(
  {
    name: Type.Optional(
      Type.Union([Type.String(), Type.Null()], {
        description: 'The name of the material. The default is the name in the file.',
        examples: ['Silicon FCC'],
      }),
    ),
    content: Type.String({
      minLength: 1,
      description: 'The text of the file.',
      examples: [SILICON],
    }),
    format: Type.Optional(
      StringEnum(['poscar', 'cif'], {
        description:
          'A POSCAR or a CIF file (default: a CIF if `data_` is first after comments, else a POSCAR).',
        examples: ['poscar'],
      }),
    ),
    tags: Type.Optional(Type.Array(Type.String())),
    'owner._id': Type.Optional(Type.Union([Type.String({ minLength: 1 }), Type.Null()])),
  },
  { $id: 'Import', additionalProperties: false, description: 'A structure file.' },
)
export type ImportBody = Static<typeof ImportBody>

/**
 * Without a `name`, that in the file: the comment of a POSCAR, or the data block's code of a CIF.
 * In steps.
 * @throws BodyInvalid for an invalid line, with how to name the other format if the content told
 * it; BoundExceeded
 */
export function* importMaterial(body: ImportBody): Generator<void, JsonObject, void> {
  const { name: nameInFile, ...structure } = yield* readStructure(body)
  const name = body.name ?? nameInFile
  const { tags = [], 'owner._id': ownerId = null } = body
  const material = { ...(name && { name }), ...structure, tags, owner: { _id: ownerId } }
  return material as JsonObject
}

function* readStructure({
  content,
  format,
}: ImportBody): Generator<void, object & { name?: string }, void> {
  const isCif = format === undefined ? STARTS_AS_CIF.test(content) : format === 'cif'
  try {
    return yield* (isCif ? parseCif : parsePoscar)(content)
  } catch (error) {
    if (format !== undefined || !(error instanceof BodyInvalid)) throw error
    const [read, other] = isCif ? ['a CIF', 'poscar'] : ['a POSCAR', 'cif']
    throw new BodyInvalid(
      `${error.message}; it was read as ${read}, for another send "format": "${other}"`,
    )
  }
}

/** Finds the start of a data block after blanks and comments. */
const STARTS_AS_CIF = /^\s*(?:#[^\r\n]*[\r\n]\s*)*data_/i
