import type { JsonObject } from '../json/json.js'
import type { Account } from '../schemas/account.js'
import type { TextArena } from './text-arena.js'

/** Valid fixtures, from which a store starts. */
export interface Fixtures {
  readonly accounts: readonly Account[]
  /** By name, in the order of names. */
  readonly resources: ReadonlyMap<string, ResourceFixtures>
}

/** The items of a resource, and the memory for their JSON texts. */
export interface ResourceFixtures {
  readonly items: readonly JsonObject[]
  readonly texts: TextArena
}
