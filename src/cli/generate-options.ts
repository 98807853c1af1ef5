import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'

/** The options of `materials-mock generate`. Each is a flag. */
export const GenerateOptions = Type.Object(
  {
    count: Type.Integer({
      minimum: 1,
      maximum: 100_000_000, // 170 GB
      title: 'N',
      description: 'number of materials',
    }),
    seed: Type.Integer({
      minimum: 0,
      maximum: 2 ** 32 - 1,
      default: 1,
      title: 'S',
      description: 'seed of the random numbers; the same seed gives the same materials',
    }),
    format: Type.Union([Type.Literal('json'), Type.Literal('jsonl')], {
      default: 'json',
      title: 'json|jsonl',
      description: 'a JSON array, or JSON Lines, which may be longer than 512 MB',
    }),
    out: Type.Optional(
      Type.String({
        minLength: 1,
        title: 'FILE',
        description: 'file to write (default: standard output)',
      }),
    ),
  },
  { additionalProperties: false },
)
export type GenerateOptions = Static<typeof GenerateOptions>
