import { ParameterInvalid } from '../errors.js'
import type { JsonObject } from '../json/json.js'
import { quote } from '../json/quote.js'
import { describeEncoding } from '../query/plain/describe-brackets.js'
import { isFieldPath, toQuery } from '../query/plain/plain-parameters.js'
import { compileSelector } from '../query/selector/compile-selector.js'
import { getItemSchema } from '../resources/schemas.js'
import { getNewItemSchema } from '../resources/schemas.js'
import type { Collection } from '../store/collection.js'
import type { VisibilityFilter } from '../store/visibility.js'
import type { Work } from '../work/work.js'

/** Names of the platform's newer lists, with the paths of the fields that they stand for. */
const ALIASES: ReadonlyMap<string, string> = new Map([['ownerId', 'owner._id']])

/**
 * Returns the query of plain parameters. A name must be a field that the resource's schema has, or
 * one that some visible item has. Looking for the item is work in small steps.
 * @throws ParameterInvalid for any other name
 */
export function* resolvePlainQuery(
  collection: Collection,
  equalities: ReadonlyMap<string, string>,
  isVisible: VisibilityFilter,
): Work<JsonObject> {
  const paths = new Map<string, string>()
  for (const [name, text] of equalities) {
    const path = (yield* isField(collection, name, isVisible)) ? name : ALIASES.get(name)
    if (path === undefined) throw new ParameterInvalid(describeUnknown(name, collection.resource))
    if (paths.has(path))
      throw new ParameterInvalid(`${quote(name)} and ${path} are the same field; give one of them`)
    paths.set(path, text)
  }
  return toQuery(paths)
}

function* isField(
  collection: Collection,
  name: string,
  isVisible: VisibilityFilter,
): Work<boolean> {
  if (isInSchema(collection.resource, name)) return true
  if (!isFieldPath(name)) return false
  const selector = compileSelector({ [name]: { $exists: true } })
  const options = { selector, sort: undefined, skip: 0, limit: 1 }
  return (yield* collection.find(options, isVisible)).length > 0
}

/** Whether the schema of a resource's items, or of new ones, has a field of this name. */
const isInSchema = (resource: string, name: string): boolean =>
  [getItemSchema(resource), getNewItemSchema(resource)].some(({ properties }) =>
    Object.hasOwn(properties as object, name),
  )

const describeUnknown = (name: string, resource: string): string =>
  `${quote(name)} is not a parameter: no item of ${resource} has such a field. There are query, projection, limit, skip, sort and the fields. query and projection are JSON: ${EXAMPLE}`

const EXAMPLE = [
  describeEncoding('query', { formula: 'Si' }),
  describeEncoding('projection', { limit: 10, skip: 10 }),
].join('&')
