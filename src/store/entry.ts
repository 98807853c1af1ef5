import type { JsonObject } from '../json/json.js'
import type { CompiledFields } from '../query/projection/compile-fields.js'

/** A stored item and its caches. An item never changes; a write stores a new entry. */
export interface Entry {
  readonly item: JsonObject
  /** The item's place in natural order. It is larger than the place of every earlier item; there are gaps. */
  readonly ordinal: number
  /** `owner._id`, if it is a string. */
  readonly ownerId: string | undefined
  /** The item's JSON text in UTF-8; undefined until it is first sent. It is a part of `success`. */
  text: Buffer | undefined
  /** The text in the envelope of a success. */
  success: Buffer | undefined
  /** The JSON text of the most recently requested fields. */
  projected: { readonly fields: CompiledFields; readonly text: Buffer } | undefined
  /**
   * The materials of a job as they were when it last ended; undefined if it never ended here. The files of
   * the job are rendered from them, so a later change of a material does not change the files. They go
   * with the entry of the job.
   */
  jobMaterials: readonly JsonObject[] | undefined
  /** The whole job, if the clock was set back and the item is the job as it was then. */
  rewound: RewoundJob | undefined
}

/** A job that is shown as it was. */
export interface RewoundJob {
  readonly whole: Entry
  /** The time of the next change of the whole job, in ms since the epoch. */
  readonly until: number
  /** Its results, which came later. */
  readonly results: readonly { readonly resource: string; readonly entry: Entry }[]
}

/**
 * Creates the entry of an item, with nothing cached.
 * @param former the entry that it replaces
 */
export const createEntry = (item: JsonObject, ordinal: number, former?: Entry): Entry => ({
  item,
  ordinal,
  ownerId: ownerIdOf(item),
  text: undefined,
  success: undefined,
  projected: undefined,
  jobMaterials: former?.jobMaterials,
  rewound: undefined,
})

/** Whether an item is visible to the account of the request. */
export type VisibilityFilter = (entry: { readonly ownerId: string | undefined }) => boolean

/**
 * Returns the filter for the items that an account sees. This rule is our assumption: an item is hidden
 * from an account only if its `owner._id` is another account of the fixtures.
 */
export const createVisibilityFilter =
  (accountId: string, accountIds: ReadonlySet<string>): VisibilityFilter =>
  ({ ownerId }) =>
    ownerId === accountId || isShared(ownerId, accountIds)

/** Whether every account sees the items of an owner, because the owner is not an account of the fixtures. */
const isShared = (ownerId: string | undefined, accountIds: ReadonlySet<string>): boolean =>
  ownerId === undefined || !accountIds.has(ownerId)

/** Whether some account sees the items of both owners. */
export const areSeenTogether = (
  one: string | undefined,
  other: string | undefined,
  accountIds: ReadonlySet<string>,
): boolean => one === other || isShared(one, accountIds) || isShared(other, accountIds)

/** Returns the `owner._id` of an item, if it is a string. */
export function ownerIdOf(item: JsonObject): string | undefined {
  const id = (item.owner as JsonObject | null | undefined)?._id
  return typeof id === 'string' ? id : undefined
}
