import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'

import { Options } from '../options.js'

/** The options of the command without the name of another: those of a server, and its own. */
export const ServeOptions = Type.Object(
  {
    ...Options.properties,
    open: Type.Boolean({ default: false, description: 'open the page in the browser' }),
  },
  { additionalProperties: false },
)
export type ServeOptions = Static<typeof ServeOptions>
