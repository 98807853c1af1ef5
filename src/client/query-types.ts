/** A value of JSON. An object with a `$` operator is none: it is a condition. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [field: string]: JsonValue; readonly [operator: `$${string}`]: never }

/** An element of an array; never for another value. */
type ElementOf<Value> = Value extends readonly (infer Element)[] ? Element : never

/** What a field can be compared with: a value, or an element of an array; null for a missing one. */
type Operand<Value> = Value | ElementOf<Value> | null

/** The name or the number of a BSON type. */
type BsonType = string | number

/** The bits of a number: a mask, or positions. */
type Bits = number | readonly number[]

/** The condition of `$elemMatch`: a query for an object, or operators. */
type ElementCondition<Element> =
  | FieldOperators<Element>
  | (Element extends readonly unknown[] ? never : Element extends object ? Query<Element> : never)

/** The operators on a field, with the types of their operands. */
export interface FieldOperators<Value = JsonValue> {
  readonly $eq?: Operand<Value>
  readonly $ne?: Operand<Value>
  readonly $gt?: Operand<Value>
  readonly $gte?: Operand<Value>
  readonly $lt?: Operand<Value>
  readonly $lte?: Operand<Value>
  readonly $in?: readonly Operand<Value>[]
  readonly $nin?: readonly Operand<Value>[]
  readonly $not?: FieldOperators<Value>
  readonly $exists?: boolean
  readonly $type?: BsonType | readonly BsonType[]
  readonly $all?: readonly (Operand<Value> | { readonly $elemMatch: object })[]
  readonly $elemMatch?: [JsonValue] extends [Value]
    ? FieldOperators | OpenQuery
    : ElementCondition<ElementOf<Value>>
  readonly $size?: number
  readonly $mod?: readonly [divisor: number, remainder: number]
  readonly $regex?: string
  readonly $options?: string
  readonly $bitsAllSet?: Bits
  readonly $bitsAllClear?: Bits
  readonly $bitsAnySet?: Bits
  readonly $bitsAnyClear?: Bits
}

/** A condition on a field: a value that is equal to it or one of its elements, or operators. */
export type Condition<Value = JsonValue> = Operand<Value> | FieldOperators<Value>

/** The operators in the place of a field. */
export interface QueryOperators<Self> {
  readonly $and?: readonly Self[]
  readonly $or?: readonly Self[]
  readonly $nor?: readonly Self[]
  /** An expression of the whole item. */
  readonly $expr?: unknown
  /** A JSON Schema of the item. */
  readonly $jsonSchema?: object
  readonly $alwaysTrue?: 1
  readonly $alwaysFalse?: 1
  readonly $comment?: unknown
}

/** A query for objects with any fields. */
export type OpenQuery = QueryOperators<OpenQuery> & {
  readonly [path: `${string}.${string}`]: Condition
}

/** A type of JSON for what has no type of its own: any value, and objects of any fields. */
type Known<Value> = unknown extends Value
  ? JsonValue
  : Value extends unknown
    ? string extends keyof Value
      ? JsonValue
      : Value
    : never

/** The conditions on the fields of an item. */
type FieldConditions<Item> = {
  readonly [Field in keyof Item]?: Condition<Known<Exclude<Item[Field], undefined>>>
}

/** The conditions on dotted paths, whose values have any type. */
interface PathConditions {
  readonly [path: `${string}.${string}`]: Condition
}

/** A query for items, all of whose conditions must hold: `{ formula: 'Si' }`. */
export type Query<Item> = QueryOperators<Query<Item>> & FieldConditions<Item> & PathConditions

/** A path of a field: the name of one that the items have, or any dotted path. */
export type FieldPath<Item> = (keyof Item & string) | `${string}.${string}`

/** The page, the order and the fields of a list. */
export interface Projection<Item> {
  /** The paths to sort by, the most significant one first: 1 ascending, -1 descending. */
  readonly sort?: { readonly [path in FieldPath<Item>]?: 1 | -1 }
  /** The number of matching items to skip. */
  readonly skip?: number
  /** The maximum number of items, from 1 to 500 (default: 50). */
  readonly limit?: number
  /** The paths of the fields to return, or not: 1 or 0, or an expression for a computed field. */
  readonly fields?: { readonly [path: string]: unknown }
}
