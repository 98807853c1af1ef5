import type { JsonObject } from '../json/json.js'
import type { Account } from './sign-in/account.js'

/** Valid fixtures, from which a store is created. */
export interface Fixtures {
  readonly accounts: readonly Account[]
  /** The fixtures of each resource by its name, sorted by name. */
  readonly resources: ReadonlyMap<string, ResourceFixtures>
}

/** The items of a resource. */
export interface ResourceFixtures {
  readonly items: readonly JsonObject[]
}
