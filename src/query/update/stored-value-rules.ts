import { FORBIDDEN_NAMES, checkJson } from '../../json/find-violation.js'
import type { JsonRules } from '../../json/find-violation.js'
import type { InputPath } from '../../json/input-path.js'
import type { Json } from '../../json/json.js'
import { quote } from '../../json/quote.js'
import { MAX_DEPTH } from '../limits.js'

/**
 * Checks a value that is to be stored, or a whole item. A key must not start with `$` or contain a
 * dot, as no query could reach it
 * (https://www.mongodb.com/docs/manual/core/dot-dollar-considerations/), and must not reach into
 * JavaScript's prototypes.
 * @throws BodyInvalid; BoundExceeded for more than 50 levels
 */
export const checkStoredValue = (value: Json, path: InputPath): void =>
  checkJson(value, path, STORED_VALUE)

/**
 * Checks the condition of a `$pull`, whose keys are paths and operators.
 * @throws as checkStoredValue does
 */
export const checkCondition = (value: Json, path: InputPath): void =>
  checkJson(value, path, CONDITION)

const isForbidden = (name: string): boolean => FORBIDDEN_NAMES.has(name)

const refuse = (key: string): string => `must not have the key ${quote(key)}`

const STORED_VALUE: JsonRules = {
  maxDepth: MAX_DEPTH,
  checkKey: (key) => (/^\$|\.|\0/.test(key) || isForbidden(key) ? refuse(key) : undefined),
}

const CONDITION: JsonRules = {
  maxDepth: MAX_DEPTH,
  checkKey: (key) => (key.split('.').some(isForbidden) ? refuse(key) : undefined),
}
