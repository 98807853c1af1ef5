import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'

import { RESOURCE_NAMES } from '../record/record-options.js'
import { REMOTE_OPTIONS } from '../remote/remote-options.js'
import type { RemoteOptions } from '../remote/remote-options.js'

/** The options of `materials-mock diff DIR URL`. Each is a flag. */
export const DiffOptions = Type.Object(
  {
    ...REMOTE_OPTIONS,
    resource: Type.Optional(
      Type.String({
        ...RESOURCE_NAMES,
        description: 'resources to compare (default: those of the folder)',
      }),
    ),
  },
  { additionalProperties: false },
)
export type DiffOptions = Static<typeof DiffOptions> &
  RemoteOptions & {
    /** The folder of fixtures. */
    readonly directory: string
  }
