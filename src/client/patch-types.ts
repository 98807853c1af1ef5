import type { JsonValue, OpenQuery } from './query-types.js'

/** Values by the names and the dotted paths of fields. */
type FieldValues<Item> = { readonly [Field in keyof Item]?: Item[Field] } & {
  readonly [path: `${string}.${string}`]: unknown
}

/** Operands by the paths of fields. */
type ByPath<Operand> = Readonly<Record<string, Operand>>

/** MongoDB's update operators. */
export interface UpdateOperators<Item> {
  readonly $set?: FieldValues<Item>
  readonly $unset?: ByPath<unknown>
  readonly $inc?: ByPath<number>
  readonly $mul?: ByPath<number>
  readonly $min?: ByPath<unknown>
  readonly $max?: ByPath<unknown>
  readonly $bit?: ByPath<Readonly<Partial<Record<'and' | 'or' | 'xor', number>>>>
  readonly $rename?: ByPath<string>
  readonly $currentDate?: ByPath<true | { readonly $type: 'date' }>
  readonly $push?: ByPath<unknown>
  readonly $addToSet?: ByPath<unknown>
  readonly $pop?: ByPath<1 | -1>
  readonly $pull?: ByPath<unknown>
  readonly $pullAll?: ByPath<readonly JsonValue[]>
  /** The conditions of the elements that `$[name]` in a path stands for. */
  readonly arrayFilters?: readonly OpenQuery[]
}

/** The changes of an item: values by path, or MongoDB's update operators. */
export type Patch<Item> = FieldValues<Item> | UpdateOperators<Item>
