import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'

/** What `materials-mock generate` makes, and where to; each is a flag. */
export const GenerateOptions = Type.Object(
  {
    count: Type.Integer({
      minimum: 1,
      title: 'N',
      description: 'how many materials to make',
    }),
    seed: Type.Integer({
      minimum: 0,
      maximum: 2 ** 32 - 1,
      default: 1,
      title: 'S',
      description: 'another one makes other materials; the same one makes the same',
    }),
    format: Type.Union([Type.Literal('json'), Type.Literal('jsonl')], {
      default: 'json',
      title: 'json|jsonl',
      description: 'a JSON list, or JSON Lines, which may be longer than 512 MB',
    }),
    out: Type.Optional(
      Type.String({
        minLength: 1,
        title: 'FILE',
        description: 'file to write (default: the standard output)',
      }),
    ),
  },
  { additionalProperties: false },
)
export type GenerateOptions = Static<typeof GenerateOptions>
