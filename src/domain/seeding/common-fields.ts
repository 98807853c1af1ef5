import type { JsonObject } from '../../json/json.js'
import { deriveIdentifier } from '../identifier.js'
import type { Random } from '../random.js'

/** What the fields of a seeded item follow from, beside the item itself. */
export interface SeedContext {
  readonly resource: string
  /** The position of the item among those of its resource. */
  readonly index: number
  readonly seed: number
  /** Random numbers that follow from the seed, the resource and the index. */
  readonly random: Random
  /** The account that owns the items: its `_id` and its name in URLs. */
  readonly account: { readonly _id: string; readonly slug: string }
}

/** The fields of the items of every resource, which the platform assigns. */
export function completeCommonFields(item: JsonObject, context: SeedContext): JsonObject {
  const { resource, index, seed, account } = context
  const { owner, creator } = item
  const created = completeTimes(item, context)
  return {
    _id: deriveIdentifier(`seed ${seed} ${resource} ${index}`),
    tags: [],
    metadata: {},
    isDefault: false,
    inSet: [],
    isEntitySet: false,
    schemaVersion: '2022.8.16',
    createdBy: account._id,
    updatedBy: account._id,
    ...item,
    ...created,
    owner: { ...account, cls: 'Account', ...(owner as JsonObject | undefined) },
    creator: { ...account, cls: 'User', ...(creator as JsonObject | undefined) },
  }
}

/** In ms. */
const YEAR = 365 * 24 * 60 * 60 * 1000
const START = Date.UTC(2024, 0, 1)

/** Returns times of which `updatedAt` is not before `createdAt`. */
function completeTimes({ createdAt, updatedAt }: JsonObject, { random }: SeedContext): JsonObject {
  const first = START + Math.floor((random() * YEAR) / 1000) * 1000
  const second = first + Math.floor((random() * YEAR) / 1000) * 1000
  if (createdAt === undefined && updatedAt === undefined)
    return { createdAt: toTime(first), updatedAt: toTime(second) }
  return {
    createdAt: createdAt ?? (updatedAt as string),
    updatedAt: updatedAt ?? (createdAt as string),
  }
}

const toTime = (ms: number): string => new Date(ms).toISOString()
