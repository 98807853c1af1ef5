import { Type } from '@sinclair/typebox'

import { ListQuerystring } from '../list-querystring.js'

/** The path parameters of a control of one resource. */
export const ResourceParameters = Type.Object({
  resource: Type.String({ description: 'The name of a resource.', examples: ['projects'] }),
})

/** The parameters of a count: those of a list without the projection. */
export const CountQuerystring = Type.Pick(ListQuerystring, ['query'])

/** The parameters of a list, and the account that requests it. */
export const ExplainQuerystring = Type.Object({
  ...ListQuerystring.properties,
  accountId: Type.Optional(
    Type.String({ description: 'The _id of the account that sees the items (default: all).' }),
  ),
})

/** The format of the items of a resource. */
export const FixturesQuerystring = Type.Object({
  format: Type.Optional(
    Type.Union([Type.Literal('json'), Type.Literal('jsonl')], {
      description: 'jsonl returns one item a line, without the envelope.',
    }),
  ),
})

/** Whether to complete partial items that replace those of a resource, and with which seed. */
export const ReplaceQuerystring = Type.Object({
  complete: Type.Optional(
    Type.Literal('true', { description: 'Completes partial items with plausible fields.' }),
  ),
  seed: Type.Optional(
    Type.String({
      pattern: '^-?\\d{1,9}$',
      expected: 'an integer of at most nine digits',
      description: 'The same seed completes items in the same way (default: 1).',
      examples: ['7'],
    }),
  ),
})
