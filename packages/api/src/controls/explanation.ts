import { Type } from '@sinclair/typebox'
import type { Static, TInteger, TNull, TUnion } from '@sinclair/typebox'

import { Text } from '@materials-mock/json'
import type { ClauseExplanation } from '@materials-mock/query'

export const Count = Type.Integer({ minimum: 0, examples: [74] })

const Verdict = Type.Union([Type.Boolean(), Type.Null()], {
  description: 'Null if an $expr cannot be evaluated for the item.',
})

const createNullableCount = (description: string): TUnion<[TInteger, TNull]> =>
  Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], { description, examples: [null] })

const Clauses = Type.Array(Type.Object({}, { additionalProperties: true }), {
  description: 'Each clause is explained in the same way.',
})

export const ExplainedClause = Type.Unsafe<ClauseExplanation>(
  Type.Object(
    {
      path: Type.Optional(Type.String()),
      operator: Type.String(),
      operand: Type.Optional(Type.Unknown()),
      matches: Verdict,
      found: Type.Optional(
        Type.String({ description: 'The values at the path, in words: 14, 8, or missing.' }),
      ),
      values: Type.Optional(Type.Array(Type.Unknown())),
      error: Type.Optional(Type.String()),
      clauses: Type.Optional(Clauses),
      elements: Type.Optional(
        Type.Array(
          Type.Object({
            array: Type.Optional(Type.Integer({ minimum: 0 })),
            position: Type.Integer({ minimum: 0 }),
            matches: Verdict,
            clauses: Clauses,
          }),
        ),
      ),
    },
    {
      $id: 'ExplainedClause',
      examples: [
        {
          path: 'formula',
          operator: '$eq',
          operand: 'SiO2',
          matches: false,
          found: '"Si"',
          values: ['Si'],
        },
      ],
    },
  ),
)

/** Why an item is in a list, or why not. */
export const ItemExplanation = Type.Object(
  {
    resource: Text('materials'),
    _id: Text('QbA7yYP5XSiZheuS5'),
    listed: Type.Boolean({ description: 'Whether the item is on the page.', examples: [false] }),
    /** Whether the item matches the query; null if the account does not see it. */
    matches: Type.Union([Type.Boolean(), Type.Null()], {
      description: 'Null if the account does not see the item: the query is not evaluated then.',
      examples: [false],
    }),
    visible: Type.Boolean({ description: 'Whether the account sees the item.', examples: [true] }),
    /** The item's `owner._id`; null if it has no owner. */
    owner: Type.Union([Type.String(), Type.Null()], { examples: [null] }),
    place: createNullableCount('The place of the item in the list, from 1.'),
    total: createNullableCount('The length of the list.'),
    skip: Type.Integer({ minimum: 0, examples: [0] }),
    limit: Type.Integer({ minimum: 1, examples: [50] }),
    /** The conditions of the query, all of which an item must match; empty if the account does not see the item. */
    clauses: Type.Array(ExplainedClause),
    text: Text(
      'QbA7yYP5XSiZheuS5 does not match\n└─ formula $eq "SiO2": no (formula is "Si")',
      'The whole explanation as a tree.',
    ),
  },
  { $id: 'ItemExplanation' },
)
export type ItemExplanation = Readonly<Static<typeof ItemExplanation>>

/** How a list is evaluated. Items that the account does not see are not counted. */
export const ListExplanation = Type.Object(
  {
    plan: Text('index on formula'),
    conditions: Type.Array(Text('formula $eq')),
    /** The largest number of items that the plan has to examine. */
    candidates: Count,
    /** The number of items examined until the page was full. */
    examined: Count,
    matched: Count,
    returned: Count,
    ms: Type.Number({ examples: [0.46] }),
  },
  { $id: 'Explanation' },
)
export type ListExplanation = Static<typeof ListExplanation>
