import { isJsonObject } from '../../../json/json.js'
import type { Json, JsonObject } from '../../../json/json.js'
import { toSlug } from '../slug.js'

/** Returns the working directory of a job, on the disk of its cluster. */
export function formatJobDirectory({ _id, owner, _project, slug, name }: JsonObject): string {
  const jobSlug = typeof slug === 'string' ? slug : toSlug(typeof name === 'string' ? name : '')
  return [
    '/cluster-001-home',
    findSlug(owner, 'nobody'),
    'data',
    findSlug(_project, 'default'),
    [jobSlug, _id].filter((part) => part !== '').join('-'),
  ].join('/')
}

const findSlug = (reference: Json | undefined, otherwise: string): string =>
  isJsonObject(reference) && typeof reference.slug === 'string' ? reference.slug : otherwise
