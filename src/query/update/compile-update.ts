import { InputPath } from '../../json/input-path.js'
import { isJsonObject } from '../../json/json.js'
import type { JsonObject } from '../../json/json.js'
import { quote } from '../../json/quote.js'
import { checkPatternLengths } from '../selector/compile-regex.js'
import { MAX_ENTRIES } from '../limits.js'
import { runPattern } from '../run-pattern.js'
import { applyFieldUpdate } from './field-update.js'
import type { FieldUpdate } from './field-update.js'
import { UPDATE_OPERATORS } from './update-operators.js'
import type { UpdateOperator } from './update-operators.js'
import { compareUpdatePaths, parseUpdatePath } from './update-path.js'

/**
 * A compiled update. Returns the updated item, or the same item if nothing changes. Throws
 * BodyInvalid if an operator does not apply to the item's value, and TimeoutError if the conditions
 * of its `$pull`s take more than 20 ms (see `retryTimeouts`).
 */
export type Update = (item: JsonObject) => JsonObject

/**
 * Compiles the body of a PATCH: either paths and values, which are set, or MongoDB's `$set`,
 * `$unset`, `$inc`, `$push`, `$addToSet` and `$pull`
 * (https://www.mongodb.com/docs/manual/reference/operator/update/).
 * @throws BodyInvalid for a body that MongoDB rejects before it reads an item, such as one with two
 * paths of which one starts with the other
 * @throws BoundExceeded for more than 1,000 fields
 */
export function compileUpdate(body: JsonObject): Update {
  checkPatternLengths(body, new InputPath('body'))
  const updates = parseFieldUpdates(body).toSorted((a, b) =>
    compareUpdatePaths(a.segments, b.segments),
  )
  if (updates.length > MAX_ENTRIES) {
    throw new InputPath('body').limitError(
      `must change at most ${MAX_ENTRIES} fields, not ${updates.length}`,
    )
  }
  for (const [position, { segments, path }] of updates.entries()) {
    const previous = updates[position - 1]
    if (previous?.segments.every(({ name }, index) => name === segments[index]?.name))
      throw path.error('must not be changed twice in one update')
  }
  const apply = (item: JsonObject): JsonObject =>
    updates.reduce((updated, update) => applyFieldUpdate(updated, update), item)
  const needsTimeout = updates.some((update) => update.needsTimeout)
  return needsTimeout ? (item) => runPattern(() => apply(item)) : apply
}

function parseFieldUpdates(body: JsonObject): FieldUpdate[] {
  const path = new InputPath('body')
  const keys = Object.keys(body)
  const operator = keys.find((key) => key.startsWith('$'))
  const field = keys.find((key) => !key.startsWith('$'))
  if (operator === undefined) return compileOperator('$set', body, path)
  if (field !== undefined)
    throw path.error(`must have operators or fields, not both "${operator}" and "${field}"`)

  return Object.entries(body).flatMap(([name, fields]) => {
    const operatorPath = path.child(name)
    if (!isUpdateOperator(name)) {
      const supported = Object.keys(UPDATE_OPERATORS).join(', ')
      throw operatorPath.error(`is not supported; there are ${supported}`)
    }
    if (isJsonObject(fields)) return compileOperator(name, fields, operatorPath)
    throw operatorPath.error(`must be an object of fields, not ${quote(fields)}`)
  })
}

const isUpdateOperator = (name: string): name is UpdateOperator =>
  Object.hasOwn(UPDATE_OPERATORS, name)

function compileOperator(
  operator: UpdateOperator,
  fields: JsonObject,
  path: InputPath,
): FieldUpdate[] {
  return Object.entries(fields).map(([fieldPath, operand]) => {
    const inputPath = path.child(fieldPath)
    const valueUpdate = UPDATE_OPERATORS[operator](operand, inputPath)
    return { ...valueUpdate, segments: parseUpdatePath(fieldPath, inputPath), path: inputPath }
  })
}
