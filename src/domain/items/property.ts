import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'

import { AnyObject, ENTITY_FIELDS, ItemId } from './entity-fields.js'

/**
 * A property, a result of a job, as it is stored and sent. All fields but `_id` are optional, and
 * unknown fields are valid.
 */
export const Property = Type.Object(
  {
    _id: ItemId,
    ...ENTITY_FIELDS,
    slug: Type.Optional(Type.String({ examples: ['total_energy'] })),
    group: Type.Optional(Type.String({ examples: ['qe:dft:gga:pbe'] })),
    data: Type.Optional(
      Type.Object(
        {
          name: Type.Optional(Type.String({ examples: ['total_energy'] })),
          value: Type.Optional(Type.Unknown({ examples: [-310.12] })),
          units: Type.Optional(
            Type.Unknown({ description: 'A text, but the units of a workflow.', examples: ['eV'] }),
          ),
        },
        { additionalProperties: true, description: 'The property with its value and units.' },
      ),
    ),
    source: Type.Optional(
      AnyObject('Where it is from: the job and the unit, in info.jobId and info.unitId.'),
    ),
    exabyteId: Type.Optional(
      Type.Array(Type.String(), { description: 'The structures that it is of.' }),
    ),
    precision: Type.Optional(AnyObject('The precision of the method.')),
    repetition: Type.Optional(Type.Number({ examples: [0] })),
    systemTags: Type.Optional(Type.Array(Type.String())),
  },
  {
    $id: 'Property',
    additionalProperties: true,
    description: 'A property that a job has computed. Unknown fields are valid.',
  },
)
export type Property = Static<typeof Property>
