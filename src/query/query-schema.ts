import { Type } from '@sinclair/typebox'
import type { TSchema } from '@sinclair/typebox'

/** A reference by name, for a schema that contains itself. The document resolves it. */
const QueryReference = Type.Unsafe<object>({ $ref: '#/components/schemas/Query' })

const Any = Type.Unknown()
const Integer = Type.Integer()
const Bits = Type.Union([
  Type.Integer({ minimum: 0 }),
  Type.Array(Type.Integer({ minimum: 0 }), { description: 'The positions of the bits.' }),
])
const BsonType = Type.Union([Type.String(), Type.Number()], { examples: ['string', 'number'] })

/** The operators of MongoDB on a field, with the types of their operands. */
export const FIELD_CONDITIONS = {
  $eq: Any,
  $ne: Any,
  $gt: Any,
  $gte: Any,
  $lt: Any,
  $lte: Any,
  $in: Type.Array(Any),
  $nin: Type.Array(Any),
  $not: Type.Object({}, { additionalProperties: true, description: 'Operators on the field.' }),
  $exists: Type.Unsafe<unknown>({ description: 'true, or false for a missing field.' }),
  $type: Type.Union([BsonType, Type.Array(BsonType)]),
  $all: Type.Array(Any),
  $elemMatch: Type.Object(
    {},
    { additionalProperties: true, description: 'A query for an element, or operators on it.' },
  ),
  $size: Integer,
  $mod: Type.Array(Type.Number(), { minItems: 2, maxItems: 2 }),
  $regex: Type.String({ description: 'A PCRE2 pattern.' }),
  $options: Type.String({ description: 'Of $regex: i, m, s, x.' }),
  $bitsAllSet: Bits,
  $bitsAllClear: Bits,
  $bitsAnySet: Bits,
  $bitsAnyClear: Bits,
} satisfies Readonly<Record<string, TSchema>>

/** The operators of MongoDB in the place of a field. */
export const QUERY_OPERATORS = {
  $and: Type.Array(QueryReference, { minItems: 1 }),
  $or: Type.Array(QueryReference, { minItems: 1 }),
  $nor: Type.Array(QueryReference, { minItems: 1 }),
  $expr: Type.Unsafe<unknown>({ description: 'An expression of the whole item.' }),
  $jsonSchema: Type.Object({}, { additionalProperties: true, description: 'A JSON Schema.' }),
  $alwaysTrue: Type.Literal(1),
  $alwaysFalse: Type.Literal(1),
  $comment: Any,
} satisfies Readonly<Record<string, TSchema>>

/**
 * A query as the OpenAPI document shows it. It is not for validation: `query/selector/` says what is
 * valid, and names what is wrong.
 */
export const DocumentedQuery = Type.Object(
  Object.fromEntries(
    Object.entries(QUERY_OPERATORS).map(([name, schema]) => [name, Type.Optional(schema)]),
  ),
  {
    $id: 'Query',
    additionalProperties: Type.Union([
      Type.String(),
      Type.Number(),
      Type.Boolean(),
      Type.Null(),
      Type.Array(Any),
      Type.Object(
        Object.fromEntries(
          Object.entries(FIELD_CONDITIONS).map(([name, schema]) => [name, Type.Optional(schema)]),
        ),
        {
          $id: 'Condition',
          additionalProperties: true,
          description: 'Operators on the field, or an object that is equal to it.',
        },
      ),
    ]),
    description:
      "A query in MongoDB's language: conditions by dotted path, all of which must hold, and operators.",
    examples: [{ formula: 'Si' }],
  },
)
