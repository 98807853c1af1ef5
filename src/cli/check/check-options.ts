import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'

import { REMOTE_OPTIONS } from '../remote/remote-options.js'
import type { RemoteOptions } from '../remote/remote-options.js'

/** The options of `materials-mock check URL`. Each is a flag. */
export const CheckOptions = Type.Object(
  {
    ...REMOTE_OPTIONS,
    resource: Type.String({
      pattern: '^[a-z0-9-]+$',
      expected: 'the name of a resource such as materials',
      default: 'materials',
      title: 'NAME',
      description: 'resource whose items are looked at',
    }),
    loginEnvelope: Type.Union([Type.Literal('flat'), Type.Literal('jsend')], {
      default: 'flat',
      title: 'flat|jsend',
      description: 'response of a login: the two fields alone, or in the envelope',
    }),
    write: Type.Boolean({
      default: false,
      description: 'check writes too, on items that the check makes and deletes',
    }),
    format: Type.Union(
      (['text', 'json', 'junit', 'html'] as const).map((format) => Type.Literal(format)),
      {
        default: 'text',
        title: 'text|json|junit|html',
        description: 'format of the report',
      },
    ),
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
export type CheckOptions = Static<typeof CheckOptions> & RemoteOptions
