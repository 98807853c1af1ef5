import type { IsPattern, UpdatePath, ValueAt } from './paths.js'
import type { JsonValue, OpenQuery, PartOfValue } from './query-types.js'

/** Operands by the paths of fields. */
type ByPath<Item, Operand> = { readonly [Path in UpdatePath<Item>]?: Operand }

/** New values by the paths of fields. */
type NewValues<Item> = {
  readonly [Path in UpdatePath<Item>]?:
    (IsPattern<Path> extends true ? unknown : PartOfValue<ValueAt<Item, Path>>) | null
}

/** An element that can be added to an array, or several elements. */
type NewElements<Value> = Value extends readonly (infer Element)[]
  ? | PartOfValue<Element>
    | {
        readonly $each: readonly PartOfValue<Element>[]
        readonly [modifier: `$${string}`]: unknown
      }
  : unknown extends Value
    ? unknown
    : never

/** Elements to add by the paths of arrays. */
type AddedElements<Item> = {
  readonly [Path in UpdatePath<Item>]?: NewElements<ValueAt<Item, Path>>
}

/** MongoDB's update operators. */
export interface UpdateOperators<Item> {
  readonly $set?: NewValues<Item>
  readonly $unset?: ByPath<Item, unknown>
  readonly $inc?: ByPath<Item, number>
  readonly $mul?: ByPath<Item, number>
  readonly $min?: NewValues<Item>
  readonly $max?: NewValues<Item>
  readonly $bit?: ByPath<Item, Readonly<Partial<Record<'and' | 'or' | 'xor', number>>>>
  readonly $rename?: ByPath<Item, string>
  readonly $currentDate?: ByPath<Item, true | { readonly $type: 'date' }>
  readonly $push?: AddedElements<Item>
  readonly $addToSet?: AddedElements<Item>
  readonly $pop?: ByPath<Item, 1 | -1>
  readonly $pull?: ByPath<Item, unknown>
  readonly $pullAll?: ByPath<Item, readonly JsonValue[]>
  /** The conditions of the elements that `$[name]` selects in a path. */
  readonly arrayFilters?: readonly OpenQuery[]
}

/** The changes of an item: values by path, or MongoDB's update operators. */
export type Patch<Item> = NewValues<Item> | UpdateOperators<Item>
