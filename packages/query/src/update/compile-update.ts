import { InputPath, describeClosest, isJsonObject, quote } from '@materials-mock/json'
import type { Json, JsonObject } from '@materials-mock/json'
import { PatternBudget } from '../compile-pattern.js'
import { MAX_ENTRIES } from '../limits.js'
import { runPattern } from '../run-pattern.js'
import { applyUpdate } from './apply-update.js'
import { compileArrayFilters } from './array-filters.js'
import { ARRAY_UPDATES } from './array-operators.js'
import { FIELD_UPDATES } from './field-operators.js'
import type { FieldUpdate, UpdateOperator } from './field-update.js'
import { buildUpdateTree } from './update-tree.js'

/** The update operators (https://www.mongodb.com/docs/manual/reference/operator/update/). */
export const UPDATE_OPERATORS = { ...FIELD_UPDATES, ...ARRAY_UPDATES }

/**
 * Returns the same item if nothing changes. Throws BodyInvalid if an operator does not apply, and
 * TimeoutError for `$pull`s, array filters and sorts (see `retryTimeouts`). `now` of `$currentDate`
 * is in ms since the epoch.
 */
export type Update = (item: JsonObject, now: number) => JsonObject

/**
 * Paths and values to set, or update operators
 * (https://www.mongodb.com/docs/manual/reference/operator/update/).
 * @throws BodyInvalid for what MongoDB rejects before it reads an item; BoundExceeded for more than
 * 1,000 fields
 */
export function compileUpdate(body: JsonObject, path = new InputPath('body')): Update {
  const patterns = new PatternBudget(path)
  const { arrayFilters, operators } = parseBody(body, path)
  checkCount(countFields(operators), path)
  const updates = parseFieldUpdates(operators, patterns)
  checkCount(updates.length, path)
  const filters = compileArrayFilters(arrayFilters, updates, path.child('arrayFilters'), patterns)
  const tree = buildUpdateTree(updates)
  const apply: Update = (item, now) => applyUpdate(item, tree, filters, now)
  const needsTimeout =
    isCostly(updates, arrayFilters) || updates.some((update) => update.needsTimeout)
  return needsTimeout ? (item, now) => runPattern(() => apply(item, now)) : apply
}

function checkCount(count: number, path: InputPath): void {
  if (count > MAX_ENTRIES)
    throw path.limitError(`must change at most ${MAX_ENTRIES} fields, not ${count}`)
}

/** Counts the named fields before parsing them, which takes 10 us each. */
const countFields = (operators: ParsedBody['operators']): number =>
  operators
    .map(([, fields]) => (isJsonObject(fields) ? Object.keys(fields).length : 0))
    .reduce((sum, length) => sum + length, 0)

/** The largest number of updates of all elements of an array that run without a timeout, as in a query. */
const MAX_ELEMENT_UPDATES = 8

/** Whether elements are tested, or are updated in many ways, so that an array can take long. */
const isCostly = (updates: readonly FieldUpdate[], arrayFilters: Json): boolean =>
  (arrayFilters as readonly Json[]).length > 0 ||
  updates.filter(({ writtenLength }) => writtenLength > 0).length > MAX_ELEMENT_UPDATES

interface ParsedBody {
  readonly operators: readonly (readonly [name: string, fields: Json, path: InputPath])[]
  readonly arrayFilters: Json
}

function parseBody(body: JsonObject, path: InputPath): ParsedBody {
  const keys = Object.keys(body)
  const operator = keys.find((key) => key.startsWith('$'))
  if (operator === undefined) return { operators: [['$set', body, path]], arrayFilters: [] }
  const { arrayFilters = [], ...others } = body
  const field = Object.keys(others).find((key) => !key.startsWith('$'))
  if (field !== undefined)
    throw path.error(`must have operators or fields, not both "${operator}" and "${field}"`)
  const operators = Object.entries(others).map(
    ([name, fields]) => [name, fields, path.child(name)] as const,
  )
  return { operators, arrayFilters }
}

const parseFieldUpdates = (
  operators: ParsedBody['operators'],
  patterns: PatternBudget,
): FieldUpdate[] =>
  operators.flatMap(([name, fields, path]) => {
    if (!Object.hasOwn(UPDATE_OPERATORS, name)) {
      const supported = Object.keys(UPDATE_OPERATORS)
      throw path.error(
        `is not supported; there are ${supported.join(', ')}${describeClosest(name, supported)}`,
      )
    }
    if (!isJsonObject(fields)) throw path.error(`must be an object of fields, not ${quote(fields)}`)
    const { compile }: UpdateOperator = UPDATE_OPERATORS[name as keyof typeof UPDATE_OPERATORS]
    return Object.entries(fields).flatMap(([fieldPath, operand]) =>
      compile(operand, { fieldPath, path: path.child(fieldPath), patterns }),
    )
  })
