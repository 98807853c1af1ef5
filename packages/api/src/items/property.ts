import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'

import { OptionalText, Text } from '@materials-mock/json'
import { Always, AnyObject, EntitySchema } from './entity-fields.js'

/** A property, which is a result of a job, as it is stored and sent. */
export const Property = EntitySchema(
  'Property',
  {
    slug: OptionalText('total_energy', 'The name of the property.'),
    group: OptionalText('qe:dft:gga:pbe', 'The method that computed the property.'),
    data: Always(
      Type.Object(
        {
          name: Always(Text('total_energy', 'The name of the property.')),
          value: Type.Optional(
            Type.Unknown({ description: 'The value, in `units`.', examples: [-310.12] }),
          ),
          units: Type.Optional(
            Type.Unknown({ description: 'A text; in a workflow, its units.', examples: ['eV'] }),
          ),
        },
        { additionalProperties: true, description: 'The property with its value and units.' },
      ),
    ),
    source: Always(AnyObject('The source: the job and the unit, in info.jobId and info.unitId.')),
    exabyteId: Type.Optional(
      Type.Array(Type.String(), { description: 'The structures that have the property.' }),
    ),
    precision: Type.Optional(AnyObject('The precision of the method.')),
    repetition: Type.Optional(
      Type.Number({ description: 'The number of the repetition of its unit.', examples: [0] }),
    ),
    systemTags: Type.Optional(
      Type.Array(Type.String(), { description: 'The tags that the platform sets.' }),
    ),
  },
  'A property that a job has computed.',
)
export type Property = Static<typeof Property>
