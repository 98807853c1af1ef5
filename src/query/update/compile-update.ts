import { isJsonObject } from '../../json/json.js'
import type { JsonObject } from '../../json/json.js'
import { InputPath } from '../../json/input-path.js'
import { quote } from '../../json/quote.js'
import { MAX_ENTRIES } from '../limits.js'
import { Budget } from '../budget.js'
import { modifiers } from './update-operators.js'
import type { UpdateOperator } from './update-operators.js'
import { comparePaths, modify, parseUpdatePath } from './update-path.js'
import type { Modification } from './update-path.js'

/** Makes of an item what an update says; the same item where nothing changes. Throws BodyInvalid. */
export type Update = (item: JsonObject) => JsonObject

/**
 * Compiles the body of a PATCH: fields by their paths, which are set, or MongoDB's `$set`, `$unset`,
 * `$inc`, `$push`, `$addToSet` and `$pull` (https://www.mongodb.com/docs/manual/reference/operator/update/),
 * never both. Throws BodyInvalid for all that MongoDB refuses without looking at an item, such as
 * two paths of which one goes on from the other, and BoundExceeded for more than 1,000 fields.
 */
export function compileUpdate(body: JsonObject): Update {
  const modifications = toModifications(body).toSorted((a, b) => comparePaths(a.path, b.path))
  if (modifications.length > MAX_ENTRIES) {
    throw new InputPath('body').limitError(
      `must change at most ${MAX_ENTRIES} fields, not ${modifications.length}`,
    )
  }
  for (const [index, { path, place }] of modifications.entries()) {
    const former = modifications[index - 1]
    if (former?.path.every(({ name }, at) => name === path[at]?.name))
      throw place.error('must not be changed twice in one update')
  }
  return (item) => modifications.reduce((changed, each) => modify(changed, each), item)
}

/** Applies an update to an item within some milliseconds. Throws BodyInvalid, BudgetExceeded. */
export const applyUpdate = (update: Update, item: JsonObject, budget: number): JsonObject =>
  new Budget(budget).spend(() => update(item), true)

function toModifications(body: JsonObject): Modification[] {
  const place = new InputPath('body')
  const keys = Object.keys(body)
  const operator = keys.find((key) => key.startsWith('$'))
  const field = keys.find((key) => !key.startsWith('$'))
  if (operator === undefined) return modificationsOf('$set', body, place)
  if (field !== undefined)
    throw place.error(`must have operators or fields, not both "${operator}" and "${field}"`)

  return Object.entries(body).flatMap(([name, fields]) => {
    if (!isOperator(name)) {
      const known = Object.keys(modifiers).join(', ')
      throw place.child(name).error(`is not supported; there are ${known}`)
    }
    if (isJsonObject(fields)) return modificationsOf(name, fields, place.child(name))
    throw place.child(name).error(`must be an object of fields, not ${quote(fields)}`)
  })
}

const isOperator = (name: string): name is UpdateOperator => Object.hasOwn(modifiers, name)

function modificationsOf(
  operator: UpdateOperator,
  fields: JsonObject,
  place: InputPath,
): Modification[] {
  return Object.entries(fields).map(([path, operand]) => {
    const within = place.child(path)
    const modifier = modifiers[operator](operand, within)
    return { ...modifier, path: parseUpdatePath(path, within), place: within }
  })
}
