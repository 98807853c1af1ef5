import type { JsonObject } from '@materials-mock/json'
import { toSlug } from '../../jobs/complete-job.js'
import { completeCommonFields } from './common-fields.js'
import type { SeedContext } from './common-fields.js'

/** Completes a project: its name in URLs follows from its name. */
export function completeProject(item: JsonObject, context: SeedContext): JsonObject {
  const { name = `Project ${context.index + 1}` } = item
  return { name, slug: toSlug(String(name)) || 'project', ...completeCommonFields(item, context) }
}
