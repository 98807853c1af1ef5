import type { FieldPath, Head, IsPattern, Tail, ValueAt } from './paths.js'

/** A value of JSON. An object with a `$` operator is not a value, but a condition. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [field: string]: JsonValue; readonly [operator: `$${string}`]: never }

/** An element of an array; never for another value. */
type ElementOf<Value> = Value extends readonly (infer Element)[] ? Element : never

/** The operand of a comparison with a field: a value, or an element of an array; null for a missing value. */
type Operand<Value> = (Value extends boolean ? boolean : Value) | ElementOf<Value> | null

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

/** A condition on a field: a value that equals the field or one of its elements, or operators. */
export type Condition<Value = JsonValue> = Operand<Value> | FieldOperators<Value>

/** The top-level operators. */
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

/** A JSON type for values without a type of their own: any value, and objects with any fields. */
type Known<Value> = unknown extends Value
  ? JsonValue
  : Value extends unknown
    ? string extends keyof Value
      ? JsonValue
      : Value
    : never

/** The condition on a path of an item. */
type PathCondition<Item, Path extends string> = string extends Path
  ? Condition | readonly Query<Item>[]
  : IsPattern<Path> extends true
    ? Condition
    : Condition<Known<ValueAt<Item, Path>>>

/** A query for items, all of whose conditions must hold: `{ formula: 'Si', 'lattice.a': { $gt: 3 } }`. */
export type Query<Item> = {
  readonly [
    Path in FieldPath<Item> | keyof QueryOperators<Item>
  ]?: Path extends keyof QueryOperators<Item>
    ? QueryOperators<Query<Item>>[Path]
    : PathCondition<Item, Path>
}

/** A query for objects with any fields. */
export type OpenQuery = Query<Record<string, unknown>>

/** The paths to sort by, the most significant one first: 1 ascending, -1 descending. */
export type Sort<Item> = { readonly [Path in FieldPath<Item>]?: 1 | -1 }

/** The paths to sort by, also with unknown keys, which `Strangers` refuses with a message. */
export type AnySort<Item> = Sort<Item> & { readonly [path: string]: 1 | -1 | undefined }

/** The choice for a field: 1 or 0 to return it or not, an operator, or an expression. */
type FieldChoice = 0 | 1 | boolean | string | object

/** The choices for fields by their paths. */
export type Fields<Item> = { readonly [Path in FieldPath<Item>]?: FieldChoice }

/** The choices for fields, also with unknown keys, which `Strangers` refuses with a message. */
export type AnyFields<Item> = Fields<Item> & { readonly [path: string]: FieldChoice | undefined }

/** An empty choice of fields: whole items. */
export type NoFields = Record<never, never>

/** The page, the order and the fields of a list. */
export interface Projection<
  Item,
  Chosen extends AnyFields<Item> = Fields<Item>,
  Order extends AnySort<Item> = Sort<Item>,
> {
  /** The paths to sort by, the most significant one first: 1 ascending, -1 descending. */
  readonly sort?: Order & Sort<Item> & Strangers<Order, FieldPath<Item>>
  /** The number of matching items to skip. */
  readonly skip?: number
  /** The maximum number of items, from 1 to 500 (default: 50). */
  readonly limit?: number
  /** The choices for fields by their paths: 1 or 0, an operator, or an expression. */
  readonly fields?: Chosen & Fields<Item> & Strangers<Chosen, FieldPath<Item>>
}

/** The keys that are not paths. They accept no value. The name of a computed key, `[field]`, is not known. */
type Strangers<Chosen, Path> = {
  readonly [Key in Exclude<keyof Chosen & string, Path> as string extends Key ? never : Key]: {
    readonly problem: `the items have no field ${Key}`
  }
}

/** The chosen paths that are returned. */
type Included<Chosen, Path = keyof Chosen> = Path extends keyof Chosen
  ? Chosen[Path] extends 0 | false | { readonly $slice: unknown }
    ? never
    : Path
  : never

/** The chosen paths that are excluded. */
type Excluded<Chosen, Path = keyof Chosen> = Path extends keyof Chosen
  ? Chosen[Path] extends 0 | false
    ? Path
    : never
  : never

/** What a list returns: whole items, items with the chosen fields, or items without the excluded fields. */
export type Listed<Item, Chosen, Sets = never> = [keyof Chosen] extends [never]
  ? Item | Sets
  : string extends keyof Chosen | FieldPath<Item>
    ? Part<Item | Sets>
    : Fields<Item> extends Chosen
      ? Part<Item | Sets>
      : IsInclusion<Chosen> extends true
        ? Exclude<Included<Chosen> | '_id', Excluded<Chosen>> extends infer Path
          ? // Those of sets are picked at their first name alone, which costs the compiler less.
            Picked<Item, Path> | (Sets extends object ? Pick<Sets, Head<Path> & keyof Sets> : never)
          : never
        : Without<Item | Sets, Excluded<Chosen>>

/** Whether only the chosen fields are returned: one of them is included. `_id` counts only if it is the only one. */
type IsInclusion<Chosen> = [Exclude<Included<Chosen>, '_id'>] extends [never]
  ? [Excluded<Chosen>] extends [never]
    ? '_id' extends Included<Chosen>
      ? true
      : false
    : false
  : true

/** An item with only the fields at some paths. */
export type Picked<Item, Path> = {
  [Field in keyof Item as Field extends Head<Path> ? Field : never]: Field extends Path
    ? Item[Field]
    : PickedValue<Item[Field], Tail<Path, Field>>
}

type PickedValue<Value, Path> = Value extends readonly (infer Element)[]
  ? PickedValue<Element, Path>[]
  : Value extends object
    ? Picked<Value, Path>
    : Value

/** An item without the fields at some paths. */
export type Without<Item, Path> = {
  [Field in keyof Item as Field extends Path ? never : Field]: Field extends Head<Path>
    ? WithoutInValue<Item[Field], Tail<Path, Field>>
    : Item[Field]
}

type WithoutInValue<Value, Path> = Value extends readonly (infer Element)[]
  ? WithoutInValue<Element, Path>[]
  : Value extends object
    ? Without<Value, Path>
    : Value

/** An item with only some of its fields, at all levels. */
export type Part<Item> = { [Field in keyof Item]?: PartOfValue<Item[Field]> }

/** A value with only some of its fields, at all levels. */
export type PartOfValue<Value> = Value extends readonly (infer Element)[]
  ? PartOfValue<Element>[]
  : Value extends object
    ? Part<Value>
    : Value
