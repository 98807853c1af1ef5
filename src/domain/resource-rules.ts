import type { JsonObject } from '../json/json.js'
import { resetJob } from './jobs/job-lifecycle.js'
import { computeFields } from './materials/computed-fields.js'

/** What the platform does to an item of one resource when it is written. All throw BodyInvalid. */
export interface ResourceRules {
  /** Completes an item that a client creates. */
  readonly create: (item: JsonObject) => JsonObject
  /** Completes the copy of an item. */
  readonly copy: (item: JsonObject) => JsonObject
  /** Completes an item after a PATCH. */
  readonly patch: (item: JsonObject, former: JsonObject) => JsonObject
}

/** Returns the rules of a resource. */
export const rulesFor = (resource: string): ResourceRules => RULES[resource] ?? NO_RULES

const unchanged = (item: JsonObject): JsonObject => item

const NO_RULES: ResourceRules = { create: unchanged, copy: unchanged, patch: unchanged }

const isSet = ({ isEntitySet }: JsonObject): boolean => isEntitySet === true

const RULES: Readonly<Record<string, ResourceRules>> = {
  materials: { ...NO_RULES, create: (item) => computeFields(item), patch: computeFields },
  jobs: {
    ...NO_RULES,
    create: (item) => (isSet(item) || item.status !== undefined ? item : resetJob(item)),
    copy: (item) => (isSet(item) ? item : resetJob(item)),
  },
}
