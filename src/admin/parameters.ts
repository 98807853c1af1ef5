import { Type } from '@sinclair/typebox'

import { ListQuerystring } from '../query/list-querystring.js'

/** The path parameters of a control of one resource. */
export const ResourceParameters = Type.Object({
  resource: Type.String({ description: 'The name of a resource.', examples: ['projects'] }),
})

/** The path parameters of an explanation of one item. */
export const ExplainItemParameters = Type.Object({
  resource: Type.String({ description: 'The name of a resource.', examples: ['materials'] }),
  id: Type.String({ description: 'The _id of the item.', examples: ['QbA7yYP5XSiZheuS5'] }),
})

/** The parameters of a count: those of a list without the projection. */
export const CountQuerystring = Type.Pick(ListQuerystring, ['query'])

/** The same, and the expected number. */
export const VerifyQuerystring = Type.Object({
  ...CountQuerystring.properties,
  count: Type.Optional(
    Type.String({
      description:
        'A number, or {"min": 1, "max": 3}, of which one is enough (default: at least 1).',
      examples: ['2'],
    }),
  ),
})

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
