import type { JsonObject } from '../json/json.js'
import { completeJob } from './jobs/complete-job.js'
import { resetJob } from './jobs/job-lifecycle.js'
import { computeFields } from './materials/computed-fields.js'
import type { RelatedItems } from './related-items.js'

/** The functions that the platform applies to the items of a resource. All throw BodyInvalid. */
export interface ResourceRules {
  /** Completes an item that a client creates. */
  readonly create: (item: JsonObject, related: RelatedItems) => JsonObject
  /** Completes the copy of an item. */
  readonly copy: (item: JsonObject) => JsonObject
  /** Completes an item after a PATCH. */
  readonly patch: (item: JsonObject, previous: JsonObject) => JsonObject
}

/** Returns the rules of a resource. Most resources have none: their items remain unchanged. */
export const getResourceRules = (resource: string): ResourceRules => RULES[resource] ?? NO_RULES

const identity = (item: JsonObject): JsonObject => item

const NO_RULES: ResourceRules = { create: identity, copy: identity, patch: identity }

/** That of the materials which the platform creates. */
const SCHEMA_VERSION = '0.2.0'

const RULES: Readonly<Record<string, ResourceRules>> = {
  materials: {
    ...NO_RULES,
    create: ({ schemaVersion = SCHEMA_VERSION, ...item }) =>
      computeFields({ ...item, schemaVersion }),
    patch: computeFields,
  },
  jobs: {
    ...NO_RULES,
    create: (item, related) => (isSet(item) ? item : completeJob(item, related, Date.now())),
    copy: (item) => (isSet(item) ? item : resetJob(item, Date.now())),
  },
}

const isSet = ({ isEntitySet }: JsonObject): boolean => isEntitySet === true
