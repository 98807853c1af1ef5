import { createHash } from 'node:crypto'

import { BodyInvalid, quote } from '@materials-mock/json'
import type { JsonObject } from '@materials-mock/json'
import { createRandom, deriveIdentifier } from '@materials-mock/structures'
import type { Random } from '@materials-mock/structures'

export interface SeedContext {
  readonly resource: string
  /** The position of the item among the items of its resource. */
  readonly index: number
  readonly seed: number
  readonly now: number
  /** The time that a job is active, in ms. */
  readonly jobDuration: number
  /** Random numbers that follow from the seed, the resource and the index, or from the item that is created. */
  readonly random: Random
  readonly account: SeedAccount
  readonly accounts: readonly SeedAccount[]
}

export function createSeedContext(fields: Omit<SeedContext, 'random'>, key: string): SeedContext {
  const hash = createHash('sha256').update(key).digest()
  return { ...fields, random: createRandom(hash.readInt32BE(0)) }
}

export interface SeedAccount {
  readonly _id: string
  readonly slug: string
}

/** An item that is valid against the schema of seeds. */
type SeededItem = JsonObject & {
  readonly owner?: JsonObject
  readonly creator?: JsonObject
  readonly createdAt?: string
  readonly updatedAt?: string
}

/**
 * What the platform assigns.
 * @throws BodyInvalid for an impossible owner, creator or time
 */
export function completeCommonFields(item: SeededItem, context: SeedContext): JsonObject {
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
    ...(item.isEntitySet === true && { entitySetType: 'unordered' }),
    schemaVersion: '2022.8.16',
    createdBy: account._id,
    updatedBy: account._id,
    ...item,
    ...created,
    owner: completeReference('owner', 'Account', owner, context),
    creator: completeReference('creator', 'User', creator, context),
  }
}

/** The account with the given `_id` or `slug`, or else the account that owns the items. */
function completeReference(
  field: string,
  cls: string,
  given: JsonObject = {},
  { account, accounts }: SeedContext,
): JsonObject {
  const { _id, slug } = given
  if (_id === undefined && slug === undefined) return { ...account, cls, ...given }
  const found = accounts.find((each) => (_id === undefined ? each.slug === slug : each._id === _id))
  if (found === undefined && _id === undefined) {
    throw new BodyInvalid(
      `${field}.slug must be the slug of an account (${accounts.map((each) => each.slug).join(', ')}), or come with an _id, not ${quote(slug)}`,
    )
  }
  if (found !== undefined && slug !== undefined && slug !== found.slug) {
    throw new BodyInvalid(
      `${field}.slug must be ${quote(found.slug)}, the slug of ${quote(found._id)}, not ${quote(slug)}`,
    )
  }
  return { ...found, cls, ...given }
}

/** The time in ms. */
const YEAR = 365 * 24 * 60 * 60 * 1000
const START = Date.UTC(2024, 0, 1)

/**
 * `updatedAt` is not before `createdAt`.
 * @throws BodyInvalid, also for no time
 */
function completeTimes({ createdAt, updatedAt }: SeededItem, { random }: SeedContext): JsonObject {
  for (const [field, time] of Object.entries({ createdAt, updatedAt })) {
    if (time !== undefined && Number.isNaN(Date.parse(time))) {
      throw new BodyInvalid(
        `${field} must be a time such as "2024-03-14T09:26:53.000Z", not ${quote(time)}`,
      )
    }
  }
  if (Date.parse(updatedAt ?? '') < Date.parse(createdAt ?? '')) {
    throw new BodyInvalid(
      `updatedAt must not be before createdAt, ${quote(createdAt)}, as ${quote(updatedAt)} is`,
    )
  }
  const first = START + Math.floor((random() * YEAR) / 1000) * 1000
  const second = first + Math.floor((random() * YEAR) / 1000) * 1000
  return {
    createdAt: createdAt ?? updatedAt ?? toTime(first),
    updatedAt: updatedAt ?? createdAt ?? toTime(second),
  }
}

const toTime = (ms: number): string => new Date(ms).toISOString()
